package calendar

import (
	"context"
	"fmt"
	"html"
	"time"
)

// SiteSettings are settings of the site that the pages of a host need.
type SiteSettings struct {
	Name      string // plain text
	Home      string // address of the site, without a slash at the end
	Zone      *time.Location
	WeekStart time.Weekday
	Uploads   string // directory of uploaded images (Uploads.Dir); "" for none
	Own       bool   // the site is standalone: schema.Install created it, and no admin of another program is in use
}

// SiteSettings returns the current settings of the site.
func (c *Calendar) SiteSettings(ctx context.Context) (SiteSettings, error) {
	s, err := c.site.Settings(ctx)
	if err != nil {
		return SiteSettings{}, fmt.Errorf("calendar: %w", err)
	}
	return SiteSettings{Name: html.UnescapeString(s.Name), Home: s.Home, Zone: s.Location, WeekStart: s.WeekStart,
		Uploads: c.options.Uploads.Dir, Own: s.Own}, nil
}
