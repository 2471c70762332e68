package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp"
)

func (p *examinedDB) taxonomies() *bun.SelectQuery {
	return p.NewSelect().TableExpr("?(prefix)term_taxonomy AS tt").
		Where("tt.taxonomy IN (?)", bun.List([]string{p.names.Category, p.names.Tag}))
}

func askTerms(ctx context.Context, p *examinedDB) ([]Finding, error) {
	return p.found(ctx, "tt.term_id", Warning, "categories and tags without a name, which are not shown",
		"delete their rows, or restore them from a backup",
		func() *bun.SelectQuery {
			return p.taxonomies().Join("LEFT JOIN ?(prefix)terms AS t ON t.term_id = tt.term_id").Where("t.term_id IS NULL")
		})
}

// askCounts compares stored counts of terms with the actual ones.
func askCounts(ctx context.Context, p *examinedDB) ([]Finding, error) {
	return p.found(ctx, "tt.term_id", Warning,
		"categories and tags with a wrong number of published posts, which hide_empty and orderby=count use",
		"run \"wp term recount\" on the site, or save an event of each", func() *bun.SelectQuery {
			posts := p.taxonomies().Join("JOIN ?(prefix)term_relationships AS r ON r.term_taxonomy_id = tt.term_taxonomy_id").
				Join("JOIN ?(prefix)posts AS p ON p.ID = r.object_id").ColumnExpr("tt.term_taxonomy_id AS id, COUNT(*) AS posts").
				Where("p.post_status = ?", StatusPublish).GroupExpr("tt.term_taxonomy_id")
			return p.taxonomies().Join("LEFT JOIN (?) AS c ON c.id = tt.term_taxonomy_id", posts).Where("tt.count <> COALESCE(c.posts, 0)")
		})
}

// askOptions checks the options that rights and URLs depend on.
func askOptions(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	var there []string
	names := []string{OptionUserRoles(p.prefix), OptionHome, OptionSiteURL}
	err = p.NewSelect().Model((*Option)(nil)).Column("option_name").Where("option_name IN (?)", bun.List(names)).Scan(ctx, &there)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if slices.Contains(there, name) {
			continue
		}
		text := "the setting is missing: addresses cannot be built"
		if name == OptionUserRoles(p.prefix) {
			text = "the setting is missing: no user has any right"
		}
		found = append(found, finding(Problem, name, "restore it from a backup; was the table prefix changed without it?", "%s", text))
	}
	return found, nil
}

// askLocale reports a locale whose words in URLs and costs are not known.
func askLocale(ctx context.Context, p *examinedDB) ([]Finding, error) {
	var stored []string
	err := p.NewSelect().Model((*Option)(nil)).Column("option_value").Where("option_name = ?", OptionLanguage).Scan(ctx, &stored)
	if err != nil || len(stored) == 0 || wp.KnownLocale(stored[0]) {
		return nil, err
	}
	return []Finding{finding(Note, OptionLanguage, "if the site's own pages say otherwise, add a line to internal/wp/locales.csv",
		"the locale %q is unknown: venue, organizer and category in addresses, and Free in costs, are in English", stored[0])}, nil
}

// largeAutoload is the size, in bytes, above which WordPress's Site Health reports a problem.
const largeAutoload = 800_000

func askAutoload(ctx context.Context, p *examinedDB) ([]Finding, error) {
	loaded := func() *bun.SelectQuery {
		return p.NewSelect().TableExpr("?(prefix)options").Where("autoload IN ('yes', 'on', 'auto', 'auto-on')")
	}
	var all struct{ Bytes, Settings int64 }
	err := loaded().ColumnExpr("COALESCE(SUM(LENGTH(option_value)), 0) AS bytes, COUNT(*) AS settings").Scan(ctx, &all)
	if err != nil {
		return nil, err
	}
	if all.Bytes <= largeAutoload {
		return []Finding{finding(OK, "", "", "%d settings are loaded with every page of the site, %s", all.Settings, size(all.Bytes))}, nil
	}
	var largest []struct {
		Name  string
		Bytes int64
	}
	err = loaded().ColumnExpr("option_name AS name, LENGTH(option_value) AS bytes").OrderExpr("2 DESC").Limit(someExamples).Scan(ctx,
		&largest)
	parts := make([]string, len(largest))
	for i, o := range largest {
		parts[i] = fmt.Sprintf("%q %s", o.Name, size(o.Bytes))
	}
	return []Finding{finding(Note, "", "set autoload to off for those that few pages need; this calendar reads single settings only",
		"%d settings are loaded with every page of the site, %s; the largest: %s", all.Settings, size(all.Bytes),
		strings.Join(parts, ", "))}, err
}
