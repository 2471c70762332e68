package contract

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// postStates contains the statuses of posts that rights and reads distinguish.
var postStates = []string{"publish", "draft", "pending", "private", "future", "trash(P)", "trash(D)", "password"}

// stranger is the author of the posts that belong to no caller.
const stranger = 6

// matrixSite is a site with a post for every question. Its rows are collected and inserted together.
type matrixSite struct {
	*site
	shared      map[sharedPost]*subject
	posts       []*schema.Post
	metas       []*schema.PostMeta
	events      []*schema.EventRow
	occurrences []*schema.Occurrence
	terms       []*schema.Term
	taxonomies  []*schema.TermTaxonomy
}

type sharedPost struct {
	kind, state string
	owner       int64
}

// subject is a post or term that questions are about.
type subject struct {
	id   int64
	slug string
}

func newMatrixSite(s *site) *matrixSite {
	s.next = max(s.next, 1000)
	return &matrixSite{site: s, shared: map[sharedPost]*subject{}}
}

// clear removes all posts and terms.
func (h *matrixSite) clear() {
	h.T.Helper()
	for _, table := range []string{"posts", "postmeta", "tec_events", "tec_occurrences", "terms", "term_taxonomy"} {
		h.Exec("DELETE FROM ?(prefix)" + table)
	}
}

// kindOf maps collections to their stored types, and to the field of their name.
var kindOf = func() map[string]storedKind {
	all := map[string]storedKind{
		"events":     {"tribe_events", "title", "event"},
		"venues":     {"tribe_venue", "venue", "venue"},
		"organizers": {"tribe_organizer", "organizer", "organizer"},
		"categories": {"tribe_events_cat", "name", ""},
		"tags":       {"post_tag", "name", ""},
	}
	for _, k := range newKinds() {
		all[k.Collection] = storedKind{k.PostType, k.Name, k.Name}
	}
	return all
}()

type storedKind struct{ stored, name, singular string }

// sharedSubject returns a post for questions that change nothing. They share it.
func (h *matrixSite) sharedSubject(collection, state string, owner int64) *subject {
	key := sharedPost{collection, state, owner}
	if h.shared[key] == nil {
		h.shared[key] = h.fresh(collection, state, owner)
	}
	return h.shared[key]
}

// fresh creates a post in a status, or a term.
func (h *matrixSite) fresh(collection, state string, owner int64) *subject {
	h.next++
	s := &subject{h.next, "m" + itoa(h.next)}
	kind := kindOf[collection]
	if kind.singular == "" {
		h.terms = append(h.terms, &schema.Term{ID: s.id, Name: "Term " + s.slug, Slug: s.slug})
		h.taxonomies = append(h.taxonomies, &schema.TermTaxonomy{ID: s.id + termShift, TermID: s.id, Taxonomy: kind.stored})
		return s
	}
	const posted = "2030-01-01 12:00:00"
	p := &schema.Post{
		ID: s.id, Author: owner, Type: kind.stored, Title: "Post " + s.slug, Content: inside, Name: s.slug,
		GUID:   Site + "/?p=" + itoa(s.id),
		Status: state, Date: posted, DateGMT: "2030-01-01 11:00:00", Modified: posted, ModifiedGMT: "2030-01-01 11:00:00",
	}
	switch state {
	case "draft", "pending":
		p.DateGMT = zeroDate
	case "future":
		p.Date, p.DateGMT = "2031-01-01 12:00:00", "2031-01-01 11:00:00"
	case "password":
		p.Status, p.Password = schema.StatusPublish, "x"
	case "trash(P)", "trash(D)":
		from := map[string]string{"trash(P)": schema.StatusPublish, "trash(D)": schema.StatusDraft}[state]
		p.Status, p.Name = schema.StatusTrash, s.slug+schema.TrashedSlugSuffix
		h.setMeta(s.id, schema.MetaTrashStatus, from)
		h.setMeta(s.id, schema.MetaTrashTime, "1900000000")
		h.setMeta(s.id, schema.MetaDesiredSlug, s.slug)
		s.slug = p.Name
	}
	h.posts = append(h.posts, p)
	if collection == "events" {
		h.date(s.id)
	}
	return s
}

// inside is the content that a password protects.
const inside = "Inside"

func (h *matrixSite) setMeta(id int64, key, value string) {
	h.metas = append(h.metas, &schema.PostMeta{ID: int64(len(h.metas)) + 1000, PostID: id, Key: key, Value: value})
}

// date adds the dates of an event, which are the same for all.
func (h *matrixSite) date(id int64) {
	const start, end, zone = "2030-07-01 20:00:00", "2030-07-01 21:00:00", "Europe/Brussels"
	const startUTC, endUTC = "2030-07-01 18:00:00", "2030-07-01 19:00:00"
	h.setMeta(id, schema.MetaStartDate, start)
	h.setMeta(id, schema.MetaEndDate, end)
	h.setMeta(id, schema.MetaStartDateUTC, startUTC)
	h.setMeta(id, schema.MetaEndDateUTC, endUTC)
	h.setMeta(id, schema.MetaTimezone, zone)
	h.setMeta(id, schema.MetaDuration, "3600")
	h.events = append(h.events, &schema.EventRow{
		ID: id, PostID: id, StartDate: start, EndDate: end, StartDateUTC: startUTC, EndDateUTC: endUTC, Timezone: zone, Duration: 3600,
		UpdatedAt: now.Format(time.DateTime),
	})
	h.occurrences = append(h.occurrences, &schema.Occurrence{
		ID: id, EventID: id, PostID: id, StartDate: start, EndDate: end, StartDateUTC: startUTC, EndDateUTC: endUTC, Duration: 3600,
		Hash: itoa(id), UpdatedAt: now.Format(time.DateTime),
	})
}

// insert inserts the collected rows.
func (h *matrixSite) insert() {
	h.T.Helper()
	insertAll(h, h.posts)
	insertAll(h, h.metas)
	insertAll(h, h.events)
	insertAll(h, h.occurrences)
	insertAll(h, h.terms)
	insertAll(h, h.taxonomies)
}

// insertAll inserts rows, several hundred in one statement.
func insertAll[T any](h *matrixSite, rows []*T) {
	h.T.Helper()
	for len(rows) > 0 {
		some := rows[:min(len(rows), 400)]
		rows = rows[len(some):]
		if _, err := h.DB.NewInsert().Model(&some).Exec(context.Background()); err != nil {
			h.T.Fatal(err)
		}
	}
}

// ownerOf returns the author of the post that a column is about, and callerOf the caller.
func ownerOf(column string) int64 {
	if name, isOwn := cutOwn(column); isOwn {
		return apitest.Users[columnCallers[name]].ID
	}
	return stranger
}

func callerOf(column string) string {
	name, _ := cutOwn(column)
	return columnCallers[name]
}

// ownSuffix ends the names of columns about a caller's own posts.
const ownSuffix = "-own"

func cutOwn(column string) (caller string, isOwn bool) { return strings.CutSuffix(column, ownSuffix) }

var columnCallers = map[string]string{
	"anon": "", "sub": "subscriber", "con": "contributor", "aut": "author", "edi": "editor", "adm": "admin",
}

// stateAfter returns the status of a post after it was moved from the given status to the trash. Rights to it depend on
// whether it was published.
func stateAfter(state string) string {
	return cmp.Or(map[string]string{"publish": "trash(P)", "future": "trash(P)", "password": "trash(P)"}[state], "trash(D)")
}
