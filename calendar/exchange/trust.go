package exchange

import (
	"cmp"
	"context"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/caller"
	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/schema"
)

// A source describes events, but does not decide who may do what (D77). Unless it is trusted, it cannot set the status,
// authors, passwords and rows of meta of its items.

// untrusted is the reason for leaving out a part of a record that only a trusted source may set.
const untrusted = "counts only for trusted sources"

// distrust leaves out a part of a record that only a trusted source may set, and reports it.
func (m *recordImport) distrust(rec *Record, field, reason string) {
	p := rec.refuse(field, reason)
	p.Trust = true
	m.lost = append(m.lost, p)
}

// status returns the status of new events.
func (r *run) status() string { return cmp.Or(r.importer.Status, schema.StatusPublish) }

// givesStatus reports whether the status of a record is used. An API that was read without a login only contains public
// items, so that its status says nothing.
func (r *run) givesStatus(rec *Record) bool { return r.importer.Trust && (!rec.remote || rec.signedIn) }

// values returns the values of a record that are used. Of an untrusted source those are the parameters of writes,
// without those that decide who may do what, and those that other fields of a record contain.
func (m *recordImport) values(rec *Record) map[string]any {
	body := maps.Clone(rec.Values)
	if body == nil {
		body = map[string]any{}
	}
	if !m.givesStatus(rec) {
		delete(body, posts.FieldStatus) // statusOf sets it
	}
	if m.importer.Trust {
		return body
	}
	takes := m.takes[rec.Kind]
	for _, name := range slices.Sorted(maps.Keys(body)) {
		switch allowed, known := takes[name]; {
		case allowed:
		case known:
			m.distrust(rec, name, untrusted)
			fallthrough
		default:
			delete(body, name)
		}
	}
	return body
}

// parameters returns the parameters of writes of each resource, and whether an untrusted source may set them.
func (r *run) parameters() map[Collection]map[string]bool {
	all := map[Collection]map[string]bool{}
	for _, k := range append(r.resources.posts(), r.resources.events) {
		takes := map[string]bool{fieldAuthor: false, fieldImage: false}
		for _, f := range k.fields {
			takes[f.Name] = f.Name != fieldAuthor
		}
		all[k.Collection] = takes
	}
	all[Events][fieldState] = true
	for _, k := range r.resources.linked {
		all[Events][k.field] = false
	}
	return all
}

// maxPassword is the maximum length of a stored password.
const maxPassword = 255

// password returns the password of a record if the source and the user may set one.
func (m *recordImport) password(ctx context.Context, rec *Record) string {
	switch {
	case rec.Password == "":
	case !m.importer.Trust: // statedStatus makes such an item private instead
		m.notes = append(m.notes, "its password "+untrusted+": "+rec.name())
	case !m.parts.Events.Service.Content.Types.CanPublish(ctx):
		m.lost = append(m.lost, rec.refuse("password", "the user may not protect what is published"))
	case utf8.RuneCountInString(rec.Password) > maxPassword || !isStorableText(rec.Password):
		m.lost = append(m.lost, rec.refuse("password", "cannot be stored"))
	default:
		return rec.Password
	}
	return ""
}

// isStorableText reports whether a request could contain a text: it must be UTF-8 without NUL.
func isStorableText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// customRow matches the meta key of an additional field, which The Events Calendar numbers.
var customRow = regexp.MustCompile(`^_ecp_custom_\d+$`)

// These limit the rows of meta that no request can set.
const (
	maxRowValues = 50
	maxRowChars  = 1 << 20
	maxCostChars = 200
)

// rows returns the rows of meta to store that no request can set. A complete record without a state removes the stored
// state. A row that this program's exports do not contain is left out and reported, because it may be one that only
// validated writes may change.
func (m *recordImport) rows(ctx context.Context, rec *Record, whole bool) map[string][]string {
	rows := map[string][]string{}
	switch p := rec.Position; {
	case p == nil:
	case !m.resources.forCollection(rec.Kind).position:
		m.lost = append(m.lost, rec.refuse("position", "belongs to an item that has none"))
	case !(math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180): // also excludes NaN
		m.lost = append(m.lost, rec.refuse("position", "is not a place on Earth"))
	default:
		rows[schema.MetaVenueLat], rows[schema.MetaVenueLng] = []string{degrees(p.Latitude)}, []string{degrees(p.Longitude)}
	}
	for _, key := range slices.Sorted(maps.Keys(rec.Rows)) {
		switch values, reason := m.row(ctx, rec, key); {
		case reason == untrusted && rows[key] != nil: // the position contains the same
		case reason == untrusted:
			m.distrust(rec, "rows", key+" "+untrusted)
		case reason != "":
			m.lost = append(m.lost, rec.refuse("rows", reason+": "+key))
		default:
			rows[key] = values
		}
	}
	switch state := rec.State; {
	case state == StateCanceled, state == StatePostponed, m.importer.Trust && stateWord.MatchString(state):
		rows[schema.MetaEventStatus] = []string{state}
	case state != "":
		m.lost = append(m.lost, rec.refuse("state", "is not one that an event can have: "+state))
	case whole && rec.Kind == Events && rows[schema.MetaEventStatus] == nil:
		rows[schema.MetaEventStatus] = nil
	}
	return rows
}

// stateWord matches the state of an event that other programs may store.
var stateWord = regexp.MustCompile(`^[a-z0-9_-]{1,50}$`)

// row returns the values of a row as a request of the user could store them, or why it cannot be stored.
func (m *recordImport) row(ctx context.Context, rec *Record, key string) (values []string, reason string) {
	custom := customRow.MatchString(key) ||
		slices.ContainsFunc(site.From(m.run.ctx).CustomFields, func(f site.CustomField) bool { return f.Name == key })
	ofCost := slices.Contains(costKeys, key)
	coordinate := m.resources.forCollection(rec.Kind).position && (key == schema.MetaVenueLat || key == schema.MetaVenueLng)
	switch {
	case !coordinate && !(rec.Kind == Events && (custom || ofCost)):
		return nil, "cannot be imported"
	case !m.importer.Trust:
		return nil, untrusted
	case len(rec.Rows[key]) > maxRowValues:
		return nil, "has too many values"
	}
	for _, text := range rec.Rows[key] {
		most := maxRowChars
		switch n, _, numeric := wp.Numeric(text); {
		case coordinate && (!numeric || math.Abs(n) > 180):
			return nil, "is not a coordinate"
		case ofCost:
			most = maxCostChars
		}
		if !isStorableText(text) || utf8.RuneCountInString(text) > most {
			return nil, "cannot be stored"
		}
		values = append(values, asStored(ctx, text, ofCost))
	}
	return values, ""
}

// asStored returns a string of a row in the form that the user may store: without forbidden HTML unless the user has
// unfiltered_html, and without any HTML if plain is set, as for a part of a cost.
func asStored(ctx context.Context, text string, plain bool) string {
	switch {
	case caller.From(ctx).Can(unfilteredHTML):
		return text
	case plain:
		return wp.TextField(text)
	}
	return kses.Filter(text, kses.Post(site.From(ctx).WordPress))
}
