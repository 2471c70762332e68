package main

import (
	"cmp"
	"context"
	"html"
	"log/slog"

	"github.com/uptrace/bun"

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

// openFirst returns the address at which the first user of a site can be created, or "" if there are users who may add
// others. The address is a secret, so it is "" too if the output is meant for programs, which store it.
func openFirst(ctx context.Context, s *settings, c *calendar.Calendar, first version) (address string, err error) {
	if s.editing == "off" || s.logFormat != "text" {
		return "", nil
	}
	key, err := c.Accounts().OpenFirst(ctx)
	if err != nil || key == "" {
		return "", err
	}
	return first.siteURL + editing.Root + editing.FirstPath + "/" + key + "/", nil
}
