package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// SiteTables names the tables of a site.
type SiteTables struct {
	Prefix string
	// UserPrefix is the prefix of the tables of its users, "" for the one that is found: Prefix, or that of the network of
	// sites (WordPress multisite) to which the site belongs.
	UserPrefix string
}

// userTables are those that the sites of a network share.
var userTables = []string{"users", "usermeta"}

// isUserTable reports whether a name with a prefix is that of one of userTables.
func isUserTable(name string) bool {
	return slices.ContainsFunc(userTables, func(table string) bool { return strings.HasSuffix(name, table) })
}

// userPrefix returns the prefix of the tables of a site's users where none is given. A site of a network has none of its
// own, and its number is in the table of the network's sites.
func userPrefix(ctx context.Context, db bun.IDB, prefix string) (string, error) {
	base, site := placeInNetwork(prefix)
	if base == prefix {
		return prefix, nil
	}
	// An account with rights to single tables is denied one that does not exist, too.
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
