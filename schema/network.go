package schema

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strconv"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/release"
)

// Network is the network of sites (WordPress multisite) that a site belongs to. Its tables have the prefix that those of
// its first site have; those of the others have their number too.
type Network struct {
	Table      string // of the network's settings, "" if the site belongs to none, or to one whose tables may not be read
	Sites      string // the table of its sites, "" likewise
	Denied     bool   // there is one, or seems to be, and the account may not read its tables
	Incomplete bool   // its list of sites is there, and its settings are not, or may not be read

	site int64 // the number of this one
}

// Keys of what a network stores for its sites. The last two are no settings of the network but what the table of its sites
// says of this one: its number, and whether it is closed.
const (
	NetworkPlugins  = "active_sitewide_plugins" // serialized; the names of the plugins' files are the keys
	NetworkAdmins   = "site_admins"             // serialized; the logins of those who may do everything on all sites
	NetworkMainSite = "main_site"               // the number of the site whose uploads have no directory of their own
	NetworkFiles    = "ms_files_rewriting"      // "1": uploads have the addresses of before WordPress 3.5
	NetworkURL      = "network.siteurl"         // the address that logins on all sites are for; its own key is an option's
	NetworkSite     = "blogs.blog_id"
	NetworkClosed   = "blogs.closed" // "1": the site is archived, spam, deleted, or was never activated
)

// networkOptions are the options that a network stores for all its sites: theirs do not count.
var networkOptions = []string{
	NetworkPlugins, NetworkAdmins, NetworkMainSite, NetworkFiles, OptionApplicationPasswords, release.UpdateCheck,
}

// NetworkKeys returns the keys that Network.Settings reads.
func NetworkKeys() []string {
	return append([]string{NetworkURL, NetworkSite, NetworkClosed}, networkOptions...)
}

var numbered = regexp.MustCompile(`^(.*_)(\d+)_$`)

// placeInNetwork returns the prefix of the network's tables and the number that the site with a prefix would have in it.
func placeInNetwork(prefix string) (base string, site int64) {
	if m := numbered.FindStringSubmatch(prefix); m != nil {
		if n, err := strconv.ParseInt(m[2], 10, 64); err == nil {
			return m[1], n
		}
	}
	return prefix, 1
}

// FindNetwork returns the network of the site with a prefix, by queries that begin as those of query.
func FindNetwork(ctx context.Context, query func() *bun.SelectQuery, prefix string) (Network, error) {
	base, site := placeInNetwork(prefix)
	n := Network{Table: base + "sitemeta", Sites: base + "blogs", site: site}
	settings, err := n.Settings(ctx, query())
	switch {
	case err == nil && settings[NetworkSite] == "": // a single site in the same database as the network
		return Network{}, nil
	case err == nil:
		return n, nil
	}
	absent, denied := tableError(err)
	if !absent && !denied {
		return Network{}, err
	}
	_, err = query().TableExpr("?", bun.Ident(n.Sites)).ColumnExpr("1").Where("1 = 0").Exec(ctx)
	listed := err == nil
	if base == prefix { // an account may be told that it is denied tables that do not exist
		denied = denied && listed
	}
	return Network{Denied: denied, Incomplete: listed}, nil
}

// Settings returns by NetworkKeys what the network says of the site, by one query that q begins. Without a row of the site
// there is nothing.
func (n Network) Settings(ctx context.Context, q *bun.SelectQuery) (map[string]string, error) {
	var rows []struct {
		Number, Closed int64
		Key, Value     sql.NullString
	}
	err := q.TableExpr("? AS b", bun.Ident(n.Sites)).
		Join("LEFT JOIN ? AS m ON m.site_id = b.site_id AND m.meta_key IN (?)", bun.Ident(n.Table),
			bun.List(append([]string{OptionSiteURL}, networkOptions...))).
		ColumnExpr("b.blog_id AS number, m.meta_key AS ?, m.meta_value AS value", bun.Ident("key")).
		ColumnExpr("CASE WHEN b.archived <> 0 OR b.spam <> 0 OR b.deleted <> 0 THEN 1 ELSE 0 END AS closed").
		Where("b.blog_id = ?", n.site).OrderExpr("m.meta_id").Scan(ctx, &rows)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	found := map[string]string{
		NetworkSite: strconv.FormatInt(rows[0].Number, 10), NetworkClosed: strconv.FormatInt(rows[0].Closed, 10),
	}
	for _, r := range rows {
		key := r.Key.String
		if key == OptionSiteURL {
			key = NetworkURL
		}
		if _, seen := found[key]; r.Key.Valid && !seen {
			found[key] = r.Value.String
		}
	}
	return found, nil
}

// Set stores a setting of the network.
func (n Network) Set(ctx context.Context, db bun.IDB, key, value string) error {
	table, sites := bun.Ident(n.Table), bun.Ident(n.Sites)
	_, err := db.NewUpdate().TableExpr("?", table).Set("meta_value = ?", value).Where("meta_key = ?", key).
		Where("site_id IN (SELECT site_id FROM ? WHERE blog_id = ?)", sites, n.site).Exec(ctx)
	if err == nil {
		_, err = db.NewRaw("INSERT INTO ? (site_id, meta_key, meta_value) SELECT b.site_id, ?, ? FROM ? AS b WHERE b.blog_id = ? "+
			"AND NOT EXISTS (SELECT 1 FROM ? AS m WHERE m.site_id = b.site_id AND m.meta_key = ?)", table, key, value, sites, n.site,
			table, key).Exec(ctx)
	}
	return err
}

// Override puts what the network of the site stores in the place of the site's own options, for those of names that it
// stores. It asks by queries that begin as those of query; without a network it does nothing.
func (n Network) Override(ctx context.Context, query func() *bun.SelectQuery, options map[string]string, names []string) error {
	if n.Table == "" || !slices.ContainsFunc(names, isNetworkKey) {
		return nil
	}
	settings, err := n.Settings(ctx, query())
	if err != nil {
		return err
	}
	for _, key := range slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isNetworkKey(name) }) {
		options[key] = release.StoredVersion(key, settings[key])
	}
	return nil
}

func isNetworkKey(name string) bool { return slices.Contains(NetworkKeys(), name) }
