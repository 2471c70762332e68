package schema

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/release"
)

// versionOption is an option that every WordPress site has.
const versionOption = "db_version"

// askDateForm reports how lists show recurring events, and what prevents that from being determined.
func askDateForm(ctx context.Context, p *examinedDB) ([]Finding, error) {
	options, network, err := p.options(ctx, append(DateFormOptions(), versionOption)...)
	if err != nil {
		return nil, err
	}
	form, marked := DateFormOf(options), options[OptionOwn] != ""
	switch {
	case marked && form != DatesOwn:
		return []Finding{finding(Note, OptionOwn, "if the plugin is to stay, delete the option",
			"the mark of a site made by agenda does not count: the plugin %s is active, or the list of plugins cannot be read",
			eventsPlugin[:len(eventsPlugin)-1])}, nil
	case form == DatesOwn:
		return []Finding{finding(OK, "", "", "the site was made by agenda: lists show recurring events once per date")}, nil
	case form == DatesEach:
		return []Finding{finding(OK, "", "",
			"lists show recurring events once per date, as the plugin does that makes them")}, nil
	case network.Denied:
		return []Finding{finding(Note, "sitemeta",
			"grant SELECT on the tables sitemeta and blogs of the network, or use --dates each if so",
			"the site's network may not be read: if a plugin for recurring events is active on all its sites, lists still show "+
				"recurring events once per event")}, nil
	}
	_, versioned := options[versionOption]
	_, plugins := options[OptionPlugins]
	if versioned || plugins || network.Table != "" {
		return []Finding{finding(OK, "", "", "lists show recurring events once per event")}, nil
	}
	statements, err := p.markingOwn(ctx)
	f := finding(Note, OptionOwn, "if no other program writes to this site, run the statements",
		"the site lacks the mark that newer versions of agenda give their sites: its events have one date each")
	f.DDL = statements
	return []Finding{f}, err
}

// options returns the site's options by name, in the form that release.OfSite needs, and its network.
func (p *examinedDB) options(ctx context.Context, names ...string) (options map[string]string, n Network, err error) {
	return storedOptions(ctx, p, p.prefix, names)
}

// storedOptions returns options of the site with a prefix, to which db is bound. Options of its multisite network
// override them.
func storedOptions(ctx context.Context, db bun.IDB, prefix string, names []string) (options map[string]string, n Network, err error) {
	var rows []Option
	err = db.NewSelect().Model(&rows).Column("option_name", "option_value").Where("option_name IN (?)", bun.List(names)).Scan(ctx)
	if err != nil {
		return nil, n, err
	}
	options = map[string]string{}
	for _, o := range rows {
		options[o.Name] = release.StoredVersion(o.Name, o.Value)
	}
	query := func() *bun.SelectQuery { return db.NewSelect() }
	if n, err = FindNetwork(ctx, query, prefix); err == nil {
		err = n.Override(ctx, query, options, names)
	}
	return options, n, err
}

// markingOwn returns the statements that mark the site as one created by Agenda, as Install does.
func (p *examinedDB) markingOwn(ctx context.Context) (statements []string, err error) {
	for _, t := range dateColumns {
		if slices.Contains(p.Report.Optional, p.prefix+t.name) {
			continue
		}
		adding, err := addingColumns(ctx, p, p.prefix, t)
		if err != nil {
			return nil, err
		}
		statements = append(statements, adding...)
	}
	mark := p.NewInsert().Model(&Option{Name: OptionOwn, Value: "1", Autoload: "on"}).ExcludeColumn("option_id")
	return append(statements, mark.String()), nil
}
