package exchange

import (
	"context"
	"slices"
	"strconv"
	"strings"

	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/schema"
)

// An item that its source marks as private is stored as private (D85). The status that the source stated is stored with
// the item, so that a later import changes the item's status only if the source has changed it.

// statusesByPublicity lists the statuses of items, the most public one first.
var statusesByPublicity = []string{
	schema.StatusPublish, schema.StatusFuture, schema.StatusPrivate, schema.StatusPending, schema.StatusDraft,
}

// lessPublic returns the less public of two statuses.
func lessPublic(a, b string) string {
	return statusesByPublicity[max(publicity(a), publicity(b))]
}

// publicity returns the index of a status in statusesByPublicity. An unknown status counts as the least public.
func publicity(status string) int {
	if i := slices.Index(statusesByPublicity, status); i >= 0 {
		return i
	}
	return len(statusesByPublicity) - 1
}

// statedStatus returns how public an item is according to a source that may not set its status: "publish" unless the source
// states something else.
func statedStatus(rec *Record) string {
	given, _ := rec.Values[posts.FieldStatus].(string)
	word := schema.StatusPublish
	if given != "" && given != schema.StatusFuture {
		word = lessPublic(given, word)
	}
	if rec.Password != "" {
		word = lessPublic(word, schema.StatusPrivate)
	}
	return word
}

// ownStatus returns the status that an item gets because of what its source states, or "" if it keeps its status, and
// the rows of meta to store. known is the statement that was stored with the item, and status the item's status; both
// are empty for a new item.
func (m *recordImport) ownStatus(rec *Record, isNew bool, known, status string) (string, map[string][]string) {
	word, rows := statedStatus(rec), map[string][]string{}
	before, gave, _ := strings.Cut(known, " ")
	if before == "" {
		before, gave = schema.StatusPublish, schema.StatusPublish
	}
	to := ""
	switch {
	case isNew && rec.Kind == Events && m.importer.Status != "":
		to = m.importer.Status
	case isNew:
		to = lessPublic(word, schema.StatusPublish)
	case word == before, publicity(word) < publicity(before) && status != gave:
		return "", rows
	case publicity(word) < publicity(before):
		to = lessPublic(word, m.status())
	default:
		to = lessPublic(word, status)
	}
	switch {
	case word != schema.StatusPublish:
		rows[schema.MetaSourceStatus] = []string{word + " " + to}
		if given := rec.stringValue(posts.FieldStatus); given != "" && !slices.Contains(schema.RegisteredStatuses, given) {
			word = strconv.Quote(clipText(given))
		}
		m.notes = append(m.notes, "its source calls it "+word+": it is "+to+": "+rec.name())
	case known != "":
		rows[schema.MetaSourceStatus] = nil
	}
	return to, rows
}

// statusOf sets the status of an event in its body, and returns the rows of meta that record why. It also sets
// m.hidden, which determines whether what the event links may become public.
func (m *recordImport) statusOf(rec *Record, body map[string]any, stored match, isNew bool) (rows map[string][]string) {
	if stored.ID != 0 && rec.calls || rec.changes != nil && !isNew {
		m.hidden = stored.status != schema.StatusPublish
		return nil
	}
	status, _ := body[posts.FieldStatus].(string)
	switch {
	case !isNew && !stored.ours && !m.importer.Trust, stored.own: // the event was made on the site, which decides who may see it
	case !m.givesStatus(rec):
		known, is := stored.known, stored.status
		if isNew {
			known, is = "", ""
		}
		if status, rows = m.ownStatus(rec, isNew, known, is); status != "" {
			body[posts.FieldStatus] = status
		}
	case status == "" && isNew:
		status = m.status()
		body[posts.FieldStatus] = status
	}
	if status == "" {
		status = stored.status
	}
	m.hidden = status != schema.StatusPublish && status != schema.StatusFuture
	return rows
}

// hiddenByEvents is stored with an item that is private only because the events that link it are not public.
const hiddenByEvents = "publish " + schema.StatusPrivate

// linkedStatus sets the status of a linked item in its body: private if only events that are not public link it so far.
// It returns the rows of meta that record why.
func (m *recordImport) linkedStatus(rec *Record, body map[string]any, stored *storedPost) (rows map[string][]string) {
	if stored != nil || m.givesStatus(rec) && rec.Values[posts.FieldStatus] != nil {
		return nil
	}
	status, rows := m.ownStatus(rec, true, "", "")
	if m.hidden && status == schema.StatusPublish {
		status, rows[schema.MetaSourceStatus] = schema.StatusPrivate, []string{hiddenByEvents}
	}
	if status != schema.StatusPublish {
		body[posts.FieldStatus] = status
	}
	return rows
}

// publish publishes an item that is private only because no public event linked it so far.
func (m *recordImport) publish(ctx context.Context, k *resource, stored *storedPost, code string, o *Outcome) error {
	origin := &posts.Origin{Rows: map[string][]string{schema.MetaSourceStatus: nil}}
	body := map[string]any{posts.FieldStatus: schema.StatusPublish}
	if err := m.save(ctx, k.cases, stored.id, code, origin, body, o); err != nil {
		return err
	}
	m.state.shown[stored.id] = true
	return nil
}
