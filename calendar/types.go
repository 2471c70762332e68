package calendar

import "github.com/agendahq/agenda/internal/content"

// Family returns what a collection is called in capabilities, by the names of its post type on this site (Site.Names): "tribe_events" of
// "edit_tribe_events". That of categories and tags is that of events, whose rights they need.
func (k Kinds) Family(collection string) string {
	types := k.Events.calendar.env.Content.Types
	if t := types.Named(collection); t != nil {
		return content.Family(t.PostType)
	}
	return content.Family(types.Events().PostType)
}
