package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// storedPlace is a stored venue or organizer.
type storedPlace struct {
	id                         int64
	uid, slug                  string
	source                     store.Source
	ours                       bool   // it came from this source
	name, address, city, email string // as they are compared
	language                   string
}

// placeList are stored venues or organizers.
type placeList struct {
	byUID, bySlug, byName map[string][]*storedPlace
	last                  int64 // the highest id
}

func (l *placeList) add(p *storedPlace) {
	if l.byUID == nil {
		l.byUID, l.bySlug, l.byName = map[string][]*storedPlace{}, map[string][]*storedPlace{}, map[string][]*storedPlace{}
	}
	l.byUID[p.uid] = append(l.byUID[p.uid], p)
	l.bySlug[p.slug] = append(l.bySlug[p.slug], p)
	l.byName[p.name] = append(l.byName[p.name], p)
	l.last = max(l.last, p.id)
}

func (l *placeList) take(more *placeList) {
	for _, list := range more.byName {
		for _, p := range list {
			l.add(p)
		}
	}
	l.last = max(l.last, more.last)
}

// placeKind returns the kind of venues or organizers.
func (r *run) placeKind(kind Collection) *linked.Kind {
	if kind == Venues {
		return r.parts.Events.Venues
	}
	return r.parts.Events.Organizers
}

// placeChunk is how many places are read at a time.
const placeChunk = 500

// loadPlaces reads the stored places that the import does not know yet.
func (a *attempt) loadPlaces(ctx context.Context, kind Collection) error {
	k := a.placeKind(kind)
	list, last := &placeList{}, int64(0)
	for l := a.known; l != nil; l = l.below {
		if known := l.places[kind]; known != nil {
			last = max(last, known.last)
		}
	}
	for {
		ids, err := a.parts.Events.Service.Content.Store.Posts.After(ctx, k.Type.PostType, last, placeChunk)
		if err != nil || len(ids) == 0 {
			a.known.addPlaces(kind, list)
			return err
		}
		last = ids[len(ids)-1]
		c, err := a.parts.Events.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{IDs: ids, Keys: []string{
			schema.MetaSourceUID, schema.MetaSource, schema.MetaSourceID,
			schema.MetaVenueAddress, schema.MetaVenueCity, schema.MetaOrganizerEmail,
		}})
		if err != nil {
			return err
		}
		known := &store.Groups{}
		if a.parts.Events.Service.Content.Languages != nil {
			if known, err = a.parts.Events.Service.Content.Store.Translations.Groups(ctx, ids, nil); err != nil {
				return err
			}
		}
		for _, id := range ids {
			p, m := c.Posts[id], c.Meta[id]
			if p == nil {
				continue
			}
			one := &storedPlace{
				id: id, uid: m.Text(schema.MetaSourceUID), slug: p.Name, name: folded(p.Title),
				source:  store.Source{Name: m.Text(schema.MetaSource), ID: m.Text(schema.MetaSourceID)},
				address: folded(m.Text(schema.MetaVenueAddress)), city: folded(m.Text(schema.MetaVenueCity)),
				email: folded(m.Text(schema.MetaOrganizerEmail)),
			}
			one.ours = a.ours[one.source]
			if a.parts.Events.Service.Content.Languages != nil {
				one.language = a.parts.Events.Service.Content.Languages.Of(known.Posts[id])
			}
			list.add(one)
		}
	}
}

func (k *importState) addPlaces(kind Collection, list *placeList) {
	if k.places[kind] == nil {
		k.places[kind] = &placeList{}
	}
	k.places[kind].take(list)
}

// folded returns a text as names are compared: its words in small letters.
func folded(text string) string { return strings.ToLower(plain(text)) }

// place finds or makes a venue or organizer. One that the source names by a UID or slug is
// updated; one of the same name and address is taken as it is, and so is one that did not come
// from the source, which is Skipped, unless that is trusted.
func (m *recordImport) place(ctx context.Context, rec *Record, code string) (int64, Action, error) {
	key := m.key(rec, code)
	if id, known := m.known.item(key); known {
		return id, Unchanged, nil
	}
	if err := m.loadPlaces(ctx, rec.Kind); err != nil {
		return 0, "", err
	}
	stored, named := m.findPlace(rec, code)
	o := Outcome{Action: Unchanged}
	foreign := stored != nil && !stored.ours && !m.importer.Trust
	switch {
	case stored != nil && (named || foreign):
		o.ID = stored.id
	default:
		if err := m.savePlace(ctx, rec, code, stored, &o); err != nil {
			return 0, "", err
		}
	}
	m.known.items[key] = o.ID
	if foreign {
		if !named {
			o.Action = Skipped
		}
		return o.ID, o.Action, nil
	}
	return o.ID, o.Action, m.join(ctx, m.placeKind(rec.Kind).Type.PostType, rec, member{o.ID, code})
}

// key returns what the source says of a linked item, as a key.
func (m *recordImport) key(rec *Record, code string) string {
	values, _ := json.Marshal(rec.Values)
	parent := ""
	if rec.Parent != nil {
		parent = m.key(rec.Parent, code)
	}
	return fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%s\x00%s\x00%s", rec.Kind, code, rec.UID, rec.Group, values, rec.Image, parent)
}

// savePlace writes a place.
func (m *recordImport) savePlace(ctx context.Context, rec *Record, code string, stored *storedPlace, o *Outcome) error {
	k := m.placeKind(rec.Kind)
	id := int64(0)
	origin := &posts.Origin{Source: m.source, UID: rec.UID, Password: m.password(ctx, rec), Rows: m.rows(ctx, rec, false)}
	if stored != nil && stored.uid == "" && m.ownPlace(rec) == stored.id {
		origin.UID = "" // it is at home here
	}
	body := map[string]any{}
	for name, v := range m.values(rec, stored == nil) {
		switch on, isFlag := v.(bool); {
		case name == "slug": // which writes of places do not take
			origin.Slug, _ = v.(string)
		case isFlag: // which they take as texts
			body[name] = strconv.FormatBool(on)
		case name != "excerpt":
			body[name] = v
		}
	}
	if stored != nil {
		id = stored.id
	}
	if origin.UID == "" || stored != nil && stored.source.Name != "" {
		origin.Source = store.Source{}
	}
	if err := m.image(ctx, body, rec); err != nil {
		return err
	}
	if err := m.save(ctx, k.Posts, id, code, origin, body, o); err != nil {
		return err
	}
	if id == 0 {
		list := &placeList{}
		list.add(&storedPlace{
			id: o.ID, uid: rec.UID, source: m.source, ours: m.ours[m.source],
			slug: wp.Slug(rec.text("slug")), name: folded(rec.text(titles[rec.Kind])),
			address: folded(rec.text("address")), city: folded(rec.text("city")), email: folded(rec.text("email")),
			language: code,
		})
		m.known.addPlaces(rec.Kind, list)
	}
	return nil
}

// ownPlace returns the id in a UID that an export of this site gave a venue or organizer,
// 0 in any other.
func (r *run) ownPlace(rec *Record) int64 {
	own, ours := strings.CutPrefix(rec.UID, string(rec.Kind)+"-")
	if !ours {
		return 0
	}
	return r.ownID(own)
}

// findPlace returns the stored place that a record is, nil for none, and whether it was
// found by no more than its name and address.
func (m *recordImport) findPlace(rec *Record, code string) (found *storedPlace, named bool) {
	name, address, city, email := folded(rec.text(titles[rec.Kind])), folded(rec.text("address")), folded(rec.text("city")),
		folded(rec.text("email"))
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	slug := wp.Slug(rec.text("slug"))
	each := func(of func(*placeList) []*storedPlace, good func(*storedPlace) bool) (found *storedPlace) {
		for k := m.known; k != nil; k = k.below {
			if list := k.places[rec.Kind]; list != nil {
				for _, p := range of(list) {
					if good(p) && (found == nil || found.language != code && p.language == code) {
						found = p
					}
				}
			}
		}
		return found
	}
	if rec.UID != "" {
		found = each(func(l *placeList) []*storedPlace { return l.byUID[rec.UID] }, func(p *storedPlace) bool {
			return (p.ours || everywhere(rec.UID)) && p.language == code
		})
		if found != nil {
			return found, false
		}
	}
	if own := m.ownPlace(rec); own != 0 {
		found = each(func(l *placeList) []*storedPlace { return l.byUID[""] }, func(p *storedPlace) bool { return p.id == own })
		if found != nil {
			return found, false
		}
	}
	alike := func(p *storedPlace) bool {
		return p.name == name && same(p.address, address) && same(p.city, city) && same(p.email, email) && (rec.UID == "" || p.uid == "")
	}
	if slug != "" {
		found = each(func(l *placeList) []*storedPlace { return l.bySlug[slug] }, func(p *storedPlace) bool {
			return alike(p) && p.language == code
		})
		if found != nil {
			return found, false
		}
	}
	found = each(func(l *placeList) []*storedPlace { return l.byName[name] }, func(p *storedPlace) bool {
		return alike(p) && (rec.Group == "" || p.language == code)
	})
	return found, rec.UID == ""
}
