package main

import (
	"cmp"
	"context"
	"html"
	"io"
	"log/slog"

	"github.com/uptrace/bun"
	"golang.org/x/term"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/calendar/pages/editing"
)

// pages returns the pages of a calendar. Their title is the name that the site has at the start.
func (s *settings) pages(ctx context.Context, db *bun.DB, c *calendar.Calendar, versions []version, log *slog.Logger) (*pages.Site, error) {
	settings, err := siteSettings(ctx, db, s.Prefix)
	if err != nil {
		return nil, err
	}
	o := pages.Options{
		Origin: versions[0].siteURL, Logger: log, Colour: s.colour,
		Title: cmp.Or(s.name, html.UnescapeString(settings.Name)), Docs: docsPath,
		Content: localeTag(settings.Links.Locale), FrameAncestors: s.frameAncestors,
	}
	own, err := c.SiteSettings(ctx)
	if err != nil {
		return nil, err
	}
	o.Editing = s.editing == "on" || s.editing == "auto" && own.Own && !c.ReadOnly()
	s.hasEditing = o.Editing
	for _, v := range versions {
		o.Languages = append(o.Languages, pages.Language{Tag: v.tag, Prefix: v.prefix, Mount: v.mount, Root: v.baseURL + "/"})
	}
	return pages.New(c, o), nil
}

// openFirst returns what to say about the first user of a site, or "" if there are users who may add others. The address
// at which the first user can be created is a secret, so it is only shown on a terminal: files, journals and containers
// store the output.
func openFirst(ctx context.Context, s *settings, c *calendar.Calendar, first version, out io.Writer) (text string, err error) {
	if s.editing == "off" {
		return "", nil
	}
	key, err := c.Accounts().OpenFirst(ctx)
	if err != nil || key == "" {
		return "", err
	}
	if s.logFormat != "text" || !isTerminal(out) {
		return "This site has no administrator yet. Create the first user with \"agenda user add\", or start in a terminal,\n" +
			"which shows an address for it.\n", nil
	}
	return "This site has no administrator yet. Create the first user within an hour, at this address, which works once:\n" +
		"  " + first.siteURL + editing.Root + editing.FirstPath + "/" + key + "/\n", nil
}

// isTerminal reports whether an output is a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := out.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}
