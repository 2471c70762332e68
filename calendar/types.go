package calendar

import (
	"context"
	"fmt"

	"github.com/agendahq/agenda/internal/content"
)

// Family returns the name of a collection in capabilities, which follows from its post type on this site (Site.Names):
// "tribe_events" in "edit_tribe_events". Categories and tags have that of events, whose rights they require.
func (k Kinds) Family(collection string) string {
	types := k.Events.calendar.env.Content.Types
	if t := types.Named(collection); t != nil {
		return content.Family(t.PostType)
	}
	return content.Family(types.Events().PostType)
}

// Translated reports whether the posts of a collection ("events") have languages according to the current settings of
// the site, so that one can be the translation of another ("translation_of").
func (k Kinds) Translated(ctx context.Context, collection string) (bool, error) {
	c := k.Events.calendar
	t := c.env.Content.Types.Named(collection)
	if t == nil || c.env.Content.Languages == nil {
		return false, nil
	}
	s, err := c.site.Settings(ctx)
	if err != nil {
		return false, fmt.Errorf("calendar: %w", err)
	}
	return s.Languages.Has(t.PostType), nil
}
