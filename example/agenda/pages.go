package main

import (
	"cmp"
	"context"
	"html"
	"log/slog"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
)

// pages returns the pages of a calendar. The site's name is that of the start.
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
	for _, v := range versions {
		o.Languages = append(o.Languages, pages.Language{Tag: v.tag, Prefix: v.prefix, Mount: v.mount, Root: v.baseURL + "/"})
	}
	return pages.New(c, o), nil
}
