package exchange

import (
	"cmp"
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/internal/store/sourcestore"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// match is a stored event that may be the one of a record.
type match struct {
	ID                   int64
	UID                  string
	Source               sourcestore.Source
	slug, title, heading string // the title as titleKey returns it, and as it is stored
	start, end, language string
	status, known        string // its status, and what was stored of the status that its source stated
	trashed, pruned, own bool
	ours                 bool   // it came from this source
	guessed              bool   // matched only by slug or title, and dates
	several              bool   // it is a recurring event
	moved                string // the occurrences that its source has moved, as stored; see movedDates
}

// isGlobalUID reports whether a UID identifies an item in all sources.
func isGlobalUID(uid string) bool { return len(uid) >= 22 || strings.Contains(uid, "@") }

// ownUID matches UIDs in the forms that all versions of the site's feed have written: the post's id, the start and the
// end in seconds, and the host; old versions include the site's path.
var ownUID = regexp.MustCompile(`^(\d{1,18})(?:-\d+){0,2}@(?:https?://)?([^/:]+)`)

// ownID returns the id in a UID of the site's own feed, or 0 for any other UID.
func (r *run) ownID(uid string) int64 {
	found := ownUID.FindStringSubmatch(uid)
	if found == nil || r.site == "" || !strings.EqualFold(found[2], r.site) {
		return 0
	}
	id, _ := strconv.ParseInt(found[1], 10, 64)
	return id
}

// wanted is what stored events have in common with one of the records of a transaction.
type wanted struct {
	uids, starts  []string
	ids           []int64
	titles, slugs map[string]bool // titles as titleKey returns them
}

// titleKey returns a title in the form in which titles are compared: as a slug, or as its text if it has no letters, such as
// "???".
func titleKey(s *site.Settings, title string) string { return cmp.Or(s.Slug(title), plainText(title)) }

func (a *attempt) wanted(ctx context.Context, records []*Record) wanted {
	w, settings := wanted{titles: map[string]bool{}, slugs: map[string]bool{}}, site.From(ctx)
	for _, rec := range records {
		if rec.Kind != Events {
			continue
		}
		if rec.UID != "" {
			w.uids = append(w.uids, rec.UID)
		}
		if id := a.ownID(rec.UID); id != 0 {
			w.ids = append(w.ids, id)
		}
		if start := a.clockOf(rec, "start_date"); start != "" {
			w.starts = append(w.starts, start)
		}
		w.titles[titleKey(settings, rec.stringValue("title"))] = true
		w.slugs[settings.Slug(rec.stringValue("slug"))] = true
	}
	delete(w.titles, "")
	delete(w.slugs, "")
	return w
}

// find reads the stored events that the records may match.
func (a *attempt) find(ctx context.Context, records []*Record) error {
	w, settings := a.wanted(ctx, records), site.From(ctx)
	ids := w.ids
	imported, err := sourcestore.New(a.parts.Events.Service.Content.Store).ImportedAs(ctx, a.parts.Events.PostType, w.uids)
	if err != nil {
		return err
	}
	byUID := map[int64]bool{}
	for _, i := range imported {
		ids, byUID[i.ID] = append(ids, i.ID), true
	}
	dated, err := a.parts.Events.Service.Content.Store.Events.StartingAt(ctx, w.starts, func(title, slug string) bool {
		return w.slugs[slug] || w.titles[titleKey(settings, title)]
	})
	if err != nil {
		return err
	}
	stored, err := a.readMatches(ctx, append(ids, dated...))
	if err != nil {
		return err
	}
	a.matches, a.dated = map[string][]match{}, map[string][]match{}
	for _, i := range imported {
		if m, ok := stored[i.ID]; ok {
			a.matches[i.UID] = append(a.matches[i.UID], m)
		}
	}
	for _, id := range ids {
		if m, ok := stored[id]; ok && !byUID[id] {
			a.matches["#"+strconv.FormatInt(id, 10)] = []match{m}
		}
	}
	for _, id := range dated {
		if m, ok := stored[id]; ok && !m.trashed {
			a.dated[m.start] = append(a.dated[m.start], m)
		}
	}
	return nil
}

// readMatches reads events by id.
func (a *attempt) readMatches(ctx context.Context, ids []int64) (map[int64]match, error) {
	found := map[int64]match{}
	c, err := a.parts.Events.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{IDs: ids, Keys: []string{
		schema.MetaSourceUID, schema.MetaSource, schema.MetaSourceID, schema.MetaStartDate, schema.MetaEndDate, schema.MetaPruned,
		schema.MetaSourceStatus, schema.MetaSourceDates,
	}})
	if err != nil {
		return nil, err
	}
	several, err := a.parts.Events.Service.Content.Store.Events.Sets(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := &langstore.Groups{}
	if a.parts.Events.Service.Content.Languages != nil {
		if known, err = a.parts.Events.Service.Content.Translations.Groups(ctx, ids, nil); err != nil {
			return nil, err
		}
	}
	for id, p := range c.Posts {
		if p.Type != a.parts.Events.PostType || p.Status == schema.StatusAutoDraft {
			continue
		}
		m := match{
			ID: id, UID: c.Meta[id].Text(schema.MetaSourceUID),
			Source: sourcestore.Source{Name: c.Meta[id].Text(schema.MetaSource), ID: c.Meta[id].Text(schema.MetaSourceID)},
			slug:   p.Name, title: titleKey(site.From(ctx), p.Title), heading: p.Title,
			start: c.Meta[id].Text(schema.MetaStartDate), end: c.Meta[id].Text(schema.MetaEndDate),
			status: p.Status, known: c.Meta[id].Text(schema.MetaSourceStatus), trashed: p.Status == schema.StatusTrash,
			pruned: c.Meta[id].Text(schema.MetaPruned) != "", moved: c.Meta[id].Text(schema.MetaSourceDates),
		}
		m.ours = a.ours[m.Source]
		_, m.several = several[id]
		m.language = languageOf(ctx, a.parts, a.resources.events, known.Posts[id])
		found[id] = m
	}
	return found, nil
}

// match returns the stored event that a record matches; its ID is 0 if there is none. If the event did not come from
// this source, the import only reports it, unless the source is trusted.
func (m *recordImport) match(rec *Record) (match, error) {
	code, err := m.language(m.ctx, rec.Kind, rec.Language)
	if err != nil {
		return match{}, err
	}
	good := func(c match) bool { return c.language == code || code == "" }
	if rec.UID != "" {
		var other match
		for _, c := range m.matches[rec.UID] {
			switch {
			case !good(c):
			case c.ours:
				return c, nil
			case other.ID == 0 && isGlobalUID(rec.UID):
				other = c
				other.own = rec.page != "" && strings.EqualFold(rec.page, m.site) // the record comes from an export of this site
			}
		}
		if other.ID != 0 {
			return other, nil
		}
		if id := m.ownID(rec.UID); id != 0 {
			for _, c := range m.matches["#"+strconv.FormatInt(id, 10)] {
				if c.UID == "" && (!c.trashed || !m.importer.Trust) {
					c.own = true
					return c, nil
				}
			}
		}
	}
	start, end := m.clockOf(rec, "start_date"), m.clockOf(rec, "end_date")
	if start == "" {
		return match{}, nil
	}
	settings := site.From(m.run.ctx)
	title, slug := titleKey(settings, rec.stringValue("title")), settings.Slug(rec.stringValue("slug"))
	var other match
	for _, c := range m.dated[start] {
		named := c.title == title && title != "" || c.slug == slug && slug != ""
		if !named || !good(c) || m.state.claimed(c.ID) || !sameEnd(c.end, end, rec) {
			continue
		}
		switch free := rec.UID == "" || c.UID == "" || c.UID == rec.UID; {
		case free && (c.ours || m.importer.Trust):
			c.guessed = c.UID != rec.UID || rec.UID == ""
			return c, nil
		case !c.ours && !m.importer.Trust && other.ID == 0:
			other = c
		}
	}
	return other, nil
}

// clockOf returns a date of a record as the calendar stores it: local time in the event's time zone. It returns "" if
// the date is in no known layout.
func (r *run) clockOf(rec *Record, name string) string {
	text := rec.stringValue(name)
	for _, layout := range []string{withOffset, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return strtotime.Wall(t.In(r.zoneOf(rec)))
		}
	}
	for _, layout := range []string{time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			at, _ := strtotime.ParseWall(strtotime.Wall(t), r.zoneOf(rec)) // a time that daylight saving time skips is stored moved
			return strtotime.Wall(at)
		}
	}
	return ""
}

// zoneOf returns the time zone of a record, or else that of the site.
func (r *run) zoneOf(rec *Record) *time.Location {
	if zone, known := strtotime.Zone(rec.stringValue("timezone")); known {
		return zone
	}
	return site.From(r.ctx).Location
}

// takesPlaceAt reports whether a record with times starts and ends at these instants.
func (r *run) takesPlaceAt(rec *Record, start, end time.Time) bool {
	for name, at := range map[string]time.Time{"start_date": start, "end_date": end} {
		t, err := time.Parse(withOffset, rec.stringValue(name))
		if err != nil {
			t, _ = strtotime.ParseWall(rec.stringValue(name), r.zoneOf(rec))
		}
		if !t.Equal(at) {
			return false
		}
	}
	return true
}

// sameEnd reports whether a stored end equals that of a record, as clockOf returns it. Ends of all-day events are equal
// if they are on the same day.
func sameEnd(stored, end string, rec *Record) bool {
	if allDay, _ := rec.Values["all_day"].(bool); allDay && len(stored) >= len(time.DateOnly) && len(end) >= len(time.DateOnly) {
		return stored[:len(time.DateOnly)] == end[:len(time.DateOnly)]
	}
	return end == "" || stored == end
}

// ofOwnFeed returns the part of a record from the site's own feed that differs from the event itself. A feed contains
// less than the event: text without markup, and UTC for some time zones.
func (m *recordImport) ofOwnFeed(ctx context.Context, rec *Record, is match) (*Record, error) {
	stored, err := m.importer.Calendar.Event(ctx, is.ID)
	if err != nil {
		return nil, err
	}
	own := *rec
	own.Partial, own.Image = true, ""
	own.Linked = nil
	own.Values = map[string]any{}
	for _, name := range []string{
		fieldTitle, fieldDescription, fieldStart, fieldEnd, fieldAllDay, fieldZone, fieldStatus, fieldDates, fieldRecurrence,
	} {
		if v, given := rec.Values[name]; given {
			own.Values[name] = v
		}
	}
	// A feed contains the title as it is stored, the API as it is displayed.
	if title := plainText(rec.stringValue("title")); title == plainText(is.heading) || title == plainText(stored.Title) {
		delete(own.Values, "title")
	}
	if plainText(rec.stringValue("description")) == plainText(stored.Description) {
		delete(own.Values, "description")
	}
	if allDay, _ := rec.Values["all_day"].(bool); !allDay && !stored.AllDay && m.takesPlaceAt(rec, stored.Start, stored.End) {
		for _, name := range []string{"start_date", "end_date", "timezone"} {
			delete(own.Values, name)
		}
	}
	if own.Values[fieldDates] != nil && own.Values[fieldRecurrence] == nil { // whichever of the occurrences is the main one
		delete(own.Values, fieldStart)
		delete(own.Values, fieldEnd)
	}
	return &own, nil
}

// plainText returns the text of HTML with its white space normalized.
func plainText(html string) string {
	return strings.Join(strings.Fields(wp.PlainText(strings.NewReplacer("</p>", "</p> ", "<br", " <br").Replace(html))), " ")
}
