package main

import (
	"cmp"
	"context"
	"html"
	"log/slog"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/schema"
)

// pages returns the pages of a calendar. The site's name, its time zone and the first day of its week are those of
// the start.
func (s *settings) pages(ctx context.Context, db *bun.DB, c *calendar.Calendar, versions []version, log *slog.Logger) (*pages.Site, error) {
	settings, err := siteSettings(ctx, db, s.Prefix)
	if err != nil {
		return nil, err
	}
	first, err := weekStart(ctx, db)
	if err != nil {
		return nil, cli.Usagef("the settings of the site cannot be read: %w", err)
	}
	o := pages.Options{
		Origin: versions[0].siteURL, Logger: log, Colour: s.colour, Zone: settings.Location,
		Title: cmp.Or(s.name, html.UnescapeString(settings.Name)), WeekStart: first, Docs: docsPath,
		Content: localeTag(settings.Links.Locale),
	}
	for _, v := range versions {
		o.Languages = append(o.Languages, pages.Language{Tag: v.tag, Prefix: v.prefix, Mount: v.mount, Root: v.baseURL + "/"})
	}
	return pages.New(c, o), nil
}

// weekStart returns the first day of a week on the site, nil if it names none.
func weekStart(ctx context.Context, db *bun.DB) (*time.Weekday, error) {
	var stored []string
	err := db.NewSelect().Model((*schema.Option)(nil)).Column("option_value").Where("option_name = ?", schema.OptionStartOfWeek).
		Scan(ctx, &stored)
	if err != nil || len(stored) == 0 {
		return nil, err
	}
	n, err := strconv.Atoi(stored[0])
	if err != nil || n < 0 || n > 6 {
		return nil, nil
	}
	day := time.Weekday(n)
	return &day, nil
}
