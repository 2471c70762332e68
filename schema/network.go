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

// Network is the WordPress multisite network that a site belongs to. Tables of the network and of its main site have
// the same prefix. The prefix of other sites also contains their number: "wp_2_".
type Network struct {
	Table      string // table of the network's settings (wp_sitemeta); "" if there is no network, or none that the account may read
	Sites      string // table of the network's sites (wp_blogs); "" likewise
	Denied     bool   // there is, or seems to be, a network whose tables the account may not read
	Incomplete bool   // the table of sites exists, but that of the settings does not, or the account may not read it

	site int64 // number of this site (blog_id)
}

// Keys of a network's settings. The last two are not settings: they are values from this site's row in the table of
// sites.
const (
	NetworkPlugins  = "active_sitewide_plugins" // serialized; its keys are the files of plugins
	NetworkAdmins   = "site_admins"             // serialized logins of the super admins
	NetworkMainSite = "main_site"               // number of the site whose uploads are not in a subdirectory
	NetworkFiles    = "ms_files_rewriting"      // "1" if uploads have the URLs of WordPress before 3.5
	NetworkURL      = "network.siteurl"         // the network's siteurl, for which login cookies are valid; the prefix avoids a clash
	NetworkSite     = "blogs.blog_id"
	NetworkClosed   = "blogs.closed" // "1" if the site is archived, spam, deleted or was never activated
)

// networkOptions are the settings that a network stores for all its sites, in place of their own options.
var networkOptions = []string{
	NetworkPlugins, NetworkAdmins, NetworkMainSite, NetworkFiles, OptionApplicationPasswords, release.UpdateCheck,
}

// NetworkKeys returns the keys that Network.Settings returns.
func NetworkKeys() []string {
	return append([]string{NetworkURL, NetworkSite, NetworkClosed}, networkOptions...)
}

var numbered = regexp.MustCompile(`^(.*_)(\d+)_$`)

// placeInNetwork returns the prefix that the tables of a network would have, and the number that the site would have in
// it, if the site with this prefix is part of one.
func placeInNetwork(prefix string) (base string, site int64) {
	if m := numbered.FindStringSubmatch(prefix); m != nil {
		if n, err := strconv.ParseInt(m[2], 10, 64); err == nil {
			return m[1], n
		}
	}
	return prefix, 1
}

// FindNetwork returns the network of the site with a prefix, the zero value if there is none. query begins each query
// that it sends.
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
	if base == prefix { // a server may also deny access to tables that do not exist
		denied = denied && listed
	}
	return Network{Denied: denied, Incomplete: listed}, nil
}

// Settings returns the network's settings and the values of this site's row, by the keys of NetworkKeys. q begins the
// query. If the table of sites has no row of this site, the result is nil.
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

// Override replaces those of the named options that the network stores for all its sites. query begins each query that
// it sends. If there is no network, it does nothing.
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
