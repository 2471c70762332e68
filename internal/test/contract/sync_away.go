package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// syncMoments removes one end of a link and restores it while the other end changes. The result must be the same
// whether the removal was recorded or not, or only that the end was missing when the other end changed.
func syncMoments(t *testing.T, e Engine) {
	s := newLinked(t, e)
	s.Exec(s.fill("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES ({hall}, '_thumbnail_id', '{picture}')"))
	s.install()
	hall := "UPDATE ?(prefix)posts SET post_title = 'Hall N' WHERE ID = {hall}"
	club := "UPDATE ?(prefix)posts SET post_title = 'Club N' WHERE ID = {club}"
	jazz := "UPDATE ?(prefix)terms SET name = 'Jazz N' WHERE term_id = {jazz}"
	picture := "UPDATE ?(prefix)posts SET post_title = 'Picture N' WHERE ID = {picture}"
	meta := func(key, of, linked string) [2]string {
		return s.away("postmeta", "meta_value", "meta_key = '"+key+"' AND post_id", of, "'"+linked+"'", "'0'")
	}
	mirrors := s.clients()
	moments := map[string]struct {
		change [2]string // something goes away and comes back
		other  string
	}{
		"venue":              {meta("_EventVenueID", "{e1}", "{hall}"), hall},
		"organizer":          {meta("_EventOrganizerID", "{e1}", "{club}"), club},
		"term":               {s.away("term_relationships", "term_taxonomy_id", "object_id", "{e1}", s.id5("jazz"), s.id5("music")), jazz},
		"image":              {meta("_thumbnail_id", "{e1}", "{picture}"), picture},
		"event in the trash": {s.away("posts", "post_status", "ID", "{e1}", "'publish'", "'trash'"), hall},
		"event a draft":      {s.away("posts", "post_status", "ID", "{e1}", "'publish'", "'draft'"), jazz},
		"venue private":      {s.away("posts", "post_status", "ID", "{hall}", "'publish'", "'private'"), hall},
		"parent":             {s.away("term_taxonomy", "parent", "term_id", "{bebop}", "{jazz}", "0"), jazz},
		"image of the venue": {meta("_thumbnail_id", "{hall}", "{picture}"), picture},
		"password":           {s.away("posts", "post_password", "ID", "{e1}", "''", "'x'"), hall},
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(moments)) {
		m := moments[name]
		for _, noted := range []string{"no", "away", "other", "away other"} {
			for _, pulled := range []bool{false, true} {
				if n++; e.skips(n) {
					continue
				}
				for i, statement := range []string{m.change[0], strings.Replace(m.other, " N'", fmt.Sprintf(" %d'", n), 1), m.change[1]} {
					s.Exec(s.fill(statement))
					if i == 2 || i == 0 && strings.Contains(noted, "away") || i == 1 && strings.Contains(noted, "other") {
						s.scan()
					}
					for _, m := range mirrors {
						if pulled || i == 2 {
							m.pull()
						}
					}
				}
				for _, m := range mirrors {
					m.check(fmt.Sprintf("%s, noted %s, pulled %t", name, noted, pulled))
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

// newLinked creates a site on which an event has an image, and a category has a child.
func newLinked(t *testing.T, e Engine) *journaled {
	t.Helper()
	s := newJournaled(t, e)
	s.picture()
	s.term("tribe_events_cat", "bebop", "bebop", "jazz")
	s.event(thing{slug: "e4", start: "2030-07-06 10:00", terms: []string{"bebop"}})
	s.Exec(s.fill("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES ({e1}, '_thumbnail_id', '{picture}')"))
	return s
}

// clients returns clients that have nothing yet, of lists that show the links of events.
func (s *journaled) clients() []*mirror {
	return []*mirror{
		s.mirror("", "/events"), s.mirror("admin", "/events"), s.mirror("", "/events?categories=jazz"), s.mirror("", "/venues"),
		s.mirror("", "/categories"),
	}
}

// away returns statements that change a value and change it back. The rows are found by the key, which may be the value
// itself.
func (s *journaled) away(table, column, key, slug, was, away string) [2]string {
	change := func(from, to string) string {
		of := slug
		if key == column {
			of = from
		}
		return s.fill("UPDATE ?(prefix)" + table + " SET " + column + " = " + to + " WHERE " + key + " = " + of)
	}
	return [2]string{change(was, away), change(away, was)}
}

// syncAway removes something and restores it unchanged between two updates of the journal, while clients sync. The
// pages that showed its absence must be recorded, although no update of the journal sees it.
func syncAway(t *testing.T, e Engine) {
	s := newLinked(t, e)
	s.install()
	earlier := s.clients()
	for _, m := range earlier {
		m.pull()
	}
	n := 0
	for name, change := range map[string][2]string{
		"venue private":    s.away("posts", "post_status", "ID", "{hall}", "'publish'", "'private'"),
		"venue gone":       s.away("posts", "ID", "ID", "", "{hall}", "9999"),
		"term gone":        s.away("term_taxonomy", "taxonomy", "term_taxonomy_id", s.id5("jazz"), "'tribe_events_cat'", "'other'"),
		"parent":           s.away("term_taxonomy", "parent", "term_id", "{bebop}", "{jazz}", "0"),
		"image gone":       s.away("posts", "ID", "ID", "", "{picture}", "9999"),
		"event in trash":   s.away("posts", "post_status", "ID", "{e1}", "'publish'", "'trash'"),
		"event gone":       s.away("posts", "ID", "ID", "", "{e1}", "9999"),
		"password":         s.away("posts", "post_password", "ID", "{e1}", "''", "'sesame'"),
		"dates gone":       s.away("tec_occurrences", "post_id", "post_id", "", "{e1}", "9999"),
		"assignments gone": s.away("term_relationships", "object_id", "object_id", "", "{e1}", "9999"),
	} {
		n++
		s.Exec(s.fill(fmt.Sprintf("UPDATE ?(prefix)posts SET post_title = 'Title %d' WHERE ID IN ({e1}, {e4}, {hall})", n)))
		s.scan()
		s.Exec(change[0])
		all := append(s.clients(), earlier...)
		if name == "term gone" { // its filter is invalid at that time
			all = slices.DeleteFunc(all, func(m *mirror) bool { return strings.Contains(m.path, "jazz") })
		}
		for _, m := range all {
			m.pull()
		}
		s.Exec(change[1])
		s.scan()
		for _, m := range all {
			m.pull()
			m.check(name)
		}
	}
}

// id5 returns the term_taxonomy_id of a term.
func (s *journaled) id5(slug string) string { return itoa(s.idOf(slug) + termShift) }

// syncExpires makes tokens expire in every way.
func syncExpires(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	s.install()
	m := s.mirror("", "/events?categories=jazz")
	m.pull()
	gone := func(when string) {
		t.Helper()
		a := s.Get("", "/events?sync_token="+m.token)
		full := a.At("data", "sync_url")
		if a.Status != 410 || a.Code() != "rest_sync_token_expired" || !strings.HasSuffix(full, `/events/?categories=jazz&sync=1"`) {
			t.Errorf("%s: %s", when, a)
		}
		m.pull()
		if m.check(when); len(m.items) != 1 {
			t.Errorf("%s: %s", when, m.ids())
		}
	}
	raw := s.Get("", `/events?sync=1&search="<b>'é&categories[]=jazz`)
	s.Exec("UPDATE ?(prefix)options SET option_value = 'Europe/Paris' WHERE option_name = 'timezone_string'")
	gone("another zone")
	// A query string that a client encoded in its own way is encoded properly when it is repeated.
	if a := s.Get("", "/events?sync_token="+raw.Word("next_sync_token")); a.Status != 410 ||
		!strings.HasSuffix(a.At("data", "sync_url"), `/events/?search=%22%3Cb%3E%27%C3%A9&categories%5B%5D=jazz&sync=1"`) {
		t.Errorf("filters as a client may write them: %s, then %s", raw, a)
	}
	s.Exec(s.fill("UPDATE ?(prefix)terms SET slug = 'be-bop', name = 'Be-bop' WHERE term_id = {jazz}"))
	s.Must(410, "", "GET", "/events?sync_token="+m.token, "") // without the term
	s.Exec(s.fill("UPDATE ?(prefix)terms SET slug = 'jazz', name = 'Jazz' WHERE term_id = {jazz}"))
	s.scan()
	if m.pull(); m.pages != 1 {
		t.Error("the token is not taken")
	}
	release := s.opts // a version that renders differently
	release.Site.Marks = calendar.EnglishMarks()
	release.Site.Marks.Ellipsis = "..."
	s.open(release)
	gone("another release")
	s.open(s.opts)
	gone("the release before")
	s.journal("UPDATE ?(prefix)agenda_changes SET mark = 'other'",
		"UPDATE ?(prefix)agenda_journal SET mark = 'other' WHERE name = 'journal'")
	gone("a restored dump")
	s.journal("UPDATE ?(prefix)agenda_journal SET sequence = sequence - 1, mark = '' WHERE name = 'journal'")
	gone("beyond the newest")
	s.affect(1) // with a mark that the journal contains
	m.pull()
	s.affect(10_000)
	s.Must(200, "", "GET", "/events?sync_token="+m.token, "")
	s.journal("ALTER TABLE ?(prefix)agenda_changes RENAME TO ?(prefix)agenda_aside")
	s.Must(501, "", "GET", "/events?sync_token="+m.token, "") // it is not known whether the token has expired
	s.journal("ALTER TABLE ?(prefix)agenda_aside RENAME TO ?(prefix)agenda_changes")
	s.affect(10_001)
	gone("10,001 items")
	editor := s.mirror("editor", "/events")
	editor.pull()
	s.Exec(`UPDATE ?(prefix)options SET option_value = REPLACE(option_value, 's:12:"upload_files";b:1', 's:12:"upload_files";b:0') ` +
		`WHERE option_name = '?(prefix)user_roles'`)
	s.open(s.opts)
	s.Must(410, "editor", "GET", "/events?sync_token="+editor.token, "")
	others := []*mirror{s.mirror("", "/venues"), s.mirror("", "/organizers"), s.mirror("", "/categories"), s.mirror("", "/tags")}
	for _, o := range others {
		o.pull()
	}
	must.Succeed(t, schema.RemoveJournal(t.Context(), s.host, s.prefix))
	s.install()
	gone("a journal made anew")
	for _, o := range others {
		s.Must(410, "", "GET", o.path+"?sync_token="+o.token, "")
	}
	later := now.AddDate(0, 0, 31)
	s.at = func() time.Time { return later }
	s.open(calendar.Options{})
	gone("too late")
}

// affect records a change for each of some events that existed once.
func (s *journaled) affect(events int64) {
	s.site.T.Helper()
	own, err := schema.OpenJournal(s.site.T.Context(), s.host, s.prefix, false)
	must.Succeed(s.site.T, err)
	defer own.Close()
	var head schema.JournalRow
	err = own.DB.NewSelect().Model(&head).Where("name = ?", schema.JournalHead).Scan(s.site.T.Context())
	must.Succeed(s.site.T, err)
	var changes []*schema.JournalChange
	for id := range events {
		changes = append(changes, &schema.JournalChange{
			Sequence: head.Sequence + 1 + id, Mark: "m", Kind: "events", ID: 100_000 + id, Operation: schema.JournalGone,
		})
	}
	_, err = own.DB.NewDelete().Model((*schema.JournalChange)(nil)).Where("sequence > ?", head.Sequence).Exec(s.site.T.Context())
	must.Succeed(s.site.T, err)
	for some := range slices.Chunk(changes, 1000) {
		must.Get(own.DB.NewInsert().Model(&some).Exec(s.site.T.Context()))(s.site.T)
	}
	head.Sequence, head.Mark = head.Sequence+events, "m"
	_, err = own.DB.NewUpdate().Model(&head).WherePK().Exec(s.site.T.Context())
	must.Succeed(s.site.T, err)
}

// journal executes statements on the tables of the journal.
func (s *journaled) journal(statements ...string) {
	s.site.T.Helper()
	own := must.Get(schema.OpenJournal(s.site.T.Context(), s.host, s.prefix, false))(s.site.T)
	defer own.Close()
	for _, statement := range statements {
		must.Get(own.DB.Exec(statement))(s.site.T)
	}
}
