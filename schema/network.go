package schema

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strconv"

	"github.com/uptrace/bun"
)

// Network is the network of sites that a site of the site's own software may belong to. Its tables have the prefix that
// those of its first site have; those of the others have their number too.
type Network struct {
	Table  string // of the network's settings, "" if the site belongs to none, or to one whose tables may not be read
	Denied bool   // there is one, or seems to be, and the account may not read its tables

	sites string // the table of its sites
	site  int64  // the number of this one
}

var numbered = regexp.MustCompile(`^(.*_)(\d+)_$`)

// FindNetwork returns the network of the site with a prefix, by queries that begin as those of query.
func FindNetwork(ctx context.Context, query func() *bun.SelectQuery, prefix string) (Network, error) {
	base, site := prefix, int64(1)
	if m := numbered.FindStringSubmatch(prefix); m != nil {
		base = m[1]
		site, _ = strconv.ParseInt(m[2], 10, 64)
	}
	n := Network{Table: base + "sitemeta", sites: base + "blogs", site: site}
	_, err := n.Setting(ctx, query(), NetworkPlugins)
	if err == nil {
		return n, nil
	}
	absent, denied := tableError(err)
	if !absent && !denied {
		return Network{}, err
	}
	if denied && base == prefix { // an account may be told the same of tables that do not exist
		_, err := query().TableExpr("?", bun.Ident(n.sites)).ColumnExpr("1").Where("1 = 0").Exec(ctx)
		denied = err == nil
	}
	return Network{Denied: denied}, nil
}

// Setting returns a setting of the network by a query that q begins, "" if there is none.
func (n Network) Setting(ctx context.Context, q *bun.SelectQuery, key string) (value string, err error) {
	err = q.TableExpr("? AS m", bun.Ident(n.Table)).Join("JOIN ? AS b ON b.site_id = m.site_id", bun.Ident(n.sites)).
		ColumnExpr("COALESCE(m.meta_value, '')").Where("b.blog_id = ?", n.site).Where("m.meta_key = ?", key).Limit(1).
		Scan(ctx, &value)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return value, err
}
