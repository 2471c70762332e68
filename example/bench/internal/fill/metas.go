package fill

import (
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// metas lists the meta rows of one post, in order.
type metas [][2]string

func (m *metas) addMeta(key, value string) { *m = append(*m, [2]string{key, value}) }

// given adds a row unless the value is empty.
func (m *metas) given(key, value string) {
	if value != "" {
		m.addMeta(key, value)
	}
}

// addMeta adds the meta rows of a post and the row with the times at which they were changed: before the others if the
// post has terms, and otherwise after the first one.
func (r *rows) addMeta(post int64, next *int64, at time.Time, taxonomies []string, m metas) {
	_, offset := at.Zone()
	var list phpval.Array
	for _, name := range taxonomies {
		list.Set(phpval.StrKey(name), at.Unix())
	}
	for _, row := range m {
		list.Set(phpval.StrKey(row[0]), at.Unix()+int64(offset))
	}
	put := func(key, value string) {
		r.meta = append(r.meta, schema.PostMeta{ID: *next, PostID: post, Key: key, Value: value})
		*next++
	}
	if len(taxonomies) > 0 {
		put(schema.MetaModifiedFields, phpval.Serialize(&list))
	}
	for i, row := range m {
		put(row[0], row[1])
		if i == 0 && len(taxonomies) == 0 {
			put(schema.MetaModifiedFields, phpval.Serialize(&list))
		}
	}
}

// metas returns the meta rows of an event, in the order in which a write stores them.
func (e *event) metas(p *place, picture int64) metas {
	m := make(metas, 0, metasOfEvent)
	m.addMeta(schema.MetaEventOrigin, origin)
	m.addMeta(schema.MetaShowMapLink, storedFlag(e.mapLink))
	m.addMeta(schema.MetaShowMap, storedFlag(e.showMap))
	if e.venue >= 0 {
		m.addMeta(schema.MetaVenueID, idText(p.state.Venues+int64(e.venue)))
	}
	for _, n := range e.organizers {
		m.addMeta(schema.MetaOrganizerID, idText(p.state.Organizers+int64(n)))
	}
	if picture != 0 {
		m.addMeta(schema.MetaThumbnailID, idText(picture))
	}
	if e.allDay {
		m.addMeta(schema.MetaAllDay, "1")
	}
	m.addMeta(schema.MetaStartDate, e.start)
	m.addMeta(schema.MetaEndDate, e.end)
	m.addMeta(schema.MetaStartDateUTC, e.startUTC)
	m.addMeta(schema.MetaEndDateUTC, e.endUTC)
	if !e.allDay {
		m.addMeta(schema.MetaDuration, strconv.FormatInt(e.seconds, 10))
	}
	m.given(schema.MetaCurrencySymbol, e.price.symbol)
	m.given(schema.MetaCurrencyPosition, e.price.position)
	for _, amount := range e.price.amounts {
		m.addMeta(schema.MetaCost, amount)
	}
	m.given(schema.MetaURL, e.website)
	if e.hidden {
		m.addMeta(schema.MetaHideFromUpcoming, "yes")
	}
	m.addMeta(schema.MetaTimezone, e.zone)
	m.addMeta(schema.MetaTimezoneAbbr, e.abbr)
	if e.featured {
		m.addMeta(schema.MetaFeatured, "1")
	}
	return m
}

// origin is what The Events Calendar stores for items that were created on the site itself.
const origin = "events-calendar"

// storedFlag returns a boolean in the form in which it is stored.
func storedFlag(on bool) string {
	if on {
		return "1"
	}
	return ""
}
