package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// SiteTables are the table prefixes of a site.
type SiteTables struct {
	Prefix string
	// UserPrefix is the prefix of the tables with its users. "" means that it is determined: it is Prefix, or that of
	// the multisite network to which the site belongs.
	UserPrefix string
}

// userTables are the tables that all sites of a network share.
var userTables = []string{"users", "usermeta"}

// isUserTable reports whether a table, named with its prefix, is one of userTables.
func isUserTable(name string) bool {
	return slices.ContainsFunc(userTables, func(table string) bool { return strings.HasSuffix(name, table) })
}

// userPrefix determines the prefix of the tables with a site's users. If the site has no such tables but is listed in a
// multisite network, it is that of the network.
func userPrefix(ctx context.Context, db bun.IDB, prefix string) (string, error) {
	base, site := placeInNetwork(prefix)
	if base == prefix {
		return prefix, nil
	}
	// A server may also deny access to a table that does not exist.
	absent, denied, err := probe(ctx, db, prefix, userTables[:1])
	if err != nil || len(absent)+len(denied) == 0 {
		return prefix, err
	}
	found, err := db.NewSelect().TableExpr("?", bun.Ident(base+"blogs")).ColumnExpr("1").Where("blog_id = ?", site).Exists(ctx)
	if err != nil {
		if absent, denied := tableErrorOf(err); absent || denied {
			return prefix, nil
		}
		return "", fmt.Errorf("table %sblogs: %w", base, err)
	}
	if !found {
		return prefix, nil
	}
	return base, nil
}
