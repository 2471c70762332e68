package contract

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var (
	syncRounds = flag.Int("sync.rounds", 3, "how many rounds of the random model of sync there are")
	syncFor    = flag.Duration("sync.for", time.Hour, "after which time no other round begins")
	syncSeed   = flag.Uint64("sync.seed", 1, "seed of the random model of sync, 0 for another one each time")
)

// syncModel writes to a site at random, like another program, while clients follow it. When all changes are recorded,
// each client must have what a complete sync returns, and must not have been notified of anything that was never
// visible to it.
type syncModel struct {
	*journaled
	r       *rand.Rand
	mirrors []*mirror
	public  map[string]bool // ids of posts that were public at some time
	late    *bun.Tx         // an open transaction of another program
	done    []string        // statements of the round
	events  []int64
}

// randomSync runs the random model of sync.
func randomSync(t *testing.T, e Engine) {
	seed := *syncSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	s := &syncModel{journaled: newJournaled(t, e), r: rand.New(rand.NewPCG(seed, 1)), public: map[string]bool{}}
	s.venue(thing{slug: "yard"})
	s.organizer(thing{slug: "band"})
	s.picture()
	s.event(thing{slug: "long", start: "2030-08-03 10:00", venues: []string{"yard"}})
	for _, slug := range []string{"e1", "e2", "e3", "draft", "closed", "run"} {
		s.events = append(s.events, s.idOf(slug))
	}
	s.install()
	s.saw()
	for _, m := range [][2]string{
		{"", "/events"}, {"", "/events?categories=jazz&per_page=2"}, {"", "/events?starts_after=2030-07-01"}, {"author", "/events"},
		{"admin", "/events?per_page=3"}, {"contributor", "/events?tags=free"}, {"", "/venues"},
		{"admin", "/organizers"}, {"", "/categories"},
		{"", "/events?search=new"},
	} {
		s.mirrors = append(s.mirrors, s.mirror(m[0], m[1]))
	}
	round := 0
	for began := time.Now(); round < *syncRounds && time.Since(began) < *syncFor; round++ {
		some := s.r.Perm(len(s.mirrors))[:asked]
		if round == *syncRounds-1 {
			some = s.r.Perm(len(s.mirrors))
		}
		if s.round(some); t.Failed() {
			t.Fatalf("seed %d, round %d:\n%s", seed, round, strings.Join(s.done, "\n"))
		}
	}
	t.Logf("%d rounds with the seed %d", round, seed)
}

// asked is the number of clients that sync at the end of a round. The others have older tokens when they sync later.
const asked = 4

// picture adds an image.
func (s *journaled) picture() {
	s.post(schema.TypeAttachment, thing{slug: "picture", status: schema.StatusInherit})
	s.Exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", s.idOf("picture"))
	s.meta("picture", schema.MetaAttachedFile, "2030/01/picture.png")
}

// round executes some random actions, and then checks some clients.
func (s *syncModel) round(some []int) {
	s.done = nil
	for range 3 + s.r.IntN(6) {
		switch n := s.r.IntN(10); {
		case n < 6:
			s.executeRandom()
		case n < 7:
			s.done = append(s.done, "scan")
			s.scan()
		case n < 8 && s.late == nil:
			s.begin()
		default:
			m := s.mirrors[s.r.IntN(len(s.mirrors))]
			s.done = append(s.done, "pull "+m.as+" "+m.path)
			m.between = s.amid
			s.pull(m)
			m.between = nil
		}
	}
	if s.late != nil {
		must.Succeed(s.site.T, s.late.Commit())
		s.late = nil
	}
	s.saw()
	s.scan()
	for _, i := range some {
		s.pull(s.mirrors[i])
		s.mirrors[i].check("after a round")
	}
}

// amid does something between two pages, or nothing.
func (s *syncModel) amid() {
	switch s.r.IntN(4) {
	case 0, 1:
		s.done = append(s.done, "another page after")
		s.executeRandom()
	case 2:
		s.done = append(s.done, "another page after a scan")
		s.scan()
	}
}

// pull lets a client sync, and checks that it is only notified of deleted items that were public.
func (s *syncModel) pull(m *mirror) {
	s.site.T.Helper()
	m.pull()
	for _, id := range m.told {
		if posts := strings.HasPrefix(m.path, "/events"); m.as == "" && posts && !s.public[id] {
			s.site.T.Errorf("%s is told of %s, which was never public", m.path, id)
		}
	}
}

// begin begins a transaction of another program, which ends with the round. On SQLite it does nothing, because all
// other writers would wait.
func (s *syncModel) begin() {
	if s.host.Dialect().Name() != dialect.MySQL {
		return
	}
	tx, err := s.DB.BeginTx(context.Background(), &sql.TxOptions{})
	must.Succeed(s.site.T, err)
	s.late = &tx
	// No other statement of the model may change these rows, because it would wait for this transaction.
	for _, slug := range []string{"yard", "long"} {
		statement := s.fill(fmt.Sprintf("UPDATE ?(prefix)posts SET post_title = 'New %d', post_status = '%s' WHERE ID = {%s}",
			s.r.IntN(100), []string{"publish", "publish", "private"}[s.r.IntN(3)], slug))
		s.done = append(s.done, "late: "+statement)
		if _, err := tx.Exec(statement); err != nil {
			s.site.T.Fatal(err)
		}
	}
}

// executeRandom executes a random statement.
func (s *syncModel) executeRandom() {
	one := func(list ...string) string { return list[s.r.IntN(len(list))] }
	event := s.events[s.r.IntN(len(s.events))]
	category, linked := s.idOf(one("music", "jazz"))+termShift, s.idText(one("hall", "yard"))
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	switch s.r.IntN(14) {
	case 0:
		add("UPDATE ?(prefix)posts SET post_title = '%s %d' WHERE ID = %d", one("New", "Old"), s.r.IntN(9), event)
	case 1, 2:
		add("UPDATE ?(prefix)posts SET post_status = '%s' WHERE ID = %d",
			one("publish", "publish", "draft", "private", "trash", "pending", "future"), event)
	case 3:
		add("UPDATE ?(prefix)posts SET post_password = '%s' WHERE ID = %d", one("", "", "sesame"), event)
	case 4:
		add("UPDATE ?(prefix)posts SET post_author = %d WHERE ID = %d", s.r.IntN(3)+12, event)
	case 5, 6:
		add("DELETE FROM ?(prefix)postmeta WHERE post_id = %d AND meta_key = '_EventVenueID'", event)
		if s.r.IntN(3) > 0 {
			add("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES (%d, '_EventVenueID', '%s')", event, linked)
		}
	case 7, 8:
		add("DELETE FROM ?(prefix)term_relationships WHERE object_id = %d AND term_taxonomy_id = %d", event, category)
		if s.r.IntN(3) > 0 {
			add("INSERT INTO ?(prefix)term_relationships (object_id, term_taxonomy_id, term_order) VALUES (%d, %d, 0)", event, category)
		}
	case 9:
		add("UPDATE ?(prefix)posts SET post_title = 'Hall %d', post_status = '%s' WHERE ID = %s", s.r.IntN(9),
			one("publish", "private", "trash"), s.idText("hall"))
	case 10:
		add("UPDATE ?(prefix)terms SET name = 'Jazz %d' WHERE term_id = %s", s.r.IntN(9), s.idText("jazz"))
		add("UPDATE ?(prefix)term_taxonomy SET parent = %s WHERE term_id = %s", one("0", s.idText("music")), s.idText("jazz"))
	case 11:
		day := s.r.IntN(20) + 10
		add("UPDATE ?(prefix)tec_occurrences SET start_date = '2030-06-%d 10:00:00', start_date_utc = '2030-06-%d 08:00:00' "+
			"WHERE post_id = %d",
			day, day, event)
	case 12:
		add("DELETE FROM ?(prefix)postmeta WHERE post_id = %d AND meta_key = '_thumbnail_id'", event)
		add("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES (%d, '_thumbnail_id', '%s')", event, s.idText("picture"))
		add("UPDATE ?(prefix)posts SET post_title = 'Picture %d' WHERE ID = %s", s.r.IntN(9), s.idText("picture"))
	case 13:
		s.replace(event)
		return
	}
	for _, statement := range list {
		s.done = append(s.done, statement)
		s.Exec(statement)
		s.saw()
	}
}

// replace deletes an event and adds another one.
func (s *syncModel) replace(event int64) {
	for _, table := range []string{"postmeta", "tec_events", "tec_occurrences"} {
		s.Exec("DELETE FROM ?(prefix)"+table+" WHERE post_id = ?", event)
	}
	s.Exec("DELETE FROM ?(prefix)posts WHERE ID = ?", event)
	s.Exec("DELETE FROM ?(prefix)term_relationships WHERE object_id = ?", event)
	i := slices.Index(s.events, event)
	s.events[i] = s.event(thing{slug: fmt.Sprint("made", s.next), start: "2030-07-09 10:00", author: 13,
		status: []string{schema.StatusPublish, schema.StatusDraft, schema.StatusPrivate}[s.r.IntN(3)], venues: []string{"hall"}})
	s.done = append(s.done, fmt.Sprint("replace ", event, " by ", s.events[i]))
	s.saw()
}

// saw records what is public.
func (s *syncModel) saw() {
	for _, id := range s.Scan("SELECT ID FROM ?(prefix)posts WHERE post_type = 'tribe_events' AND post_status = 'publish'") {
		s.public[id] = true
	}
}

// syncMoments removes one end of a link and restores it while the other end changes. The result must be the same
// whether the removal was recorded or not, or only that the end was missing when the other end changed.
func syncMoments(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	s.picture()
	s.term("tribe_events_cat", "bebop", "bebop", "jazz")
	s.event(thing{slug: "e4", start: "2030-07-06 10:00", terms: []string{"bebop"}})
	s.Exec(s.fill("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES ({e1}, '_thumbnail_id', '{picture}'), " +
		"({hall}, '_thumbnail_id', '{picture}')"))
	s.install()
	link := func(value string) string {
		return "UPDATE ?(prefix)postmeta SET meta_value = '" + value + "' WHERE post_id = {e1} AND meta_key = "
	}
	hall := "UPDATE ?(prefix)posts SET post_title = 'Hall N' WHERE ID = {hall}"
	club := "UPDATE ?(prefix)posts SET post_title = 'Club N' WHERE ID = {club}"
	jazz := "UPDATE ?(prefix)terms SET name = 'Jazz N' WHERE term_id = {jazz}"
	assigned := "UPDATE ?(prefix)term_relationships SET term_taxonomy_id = TERM WHERE object_id = {e1}"
	status := func(status, slug string) string {
		return "UPDATE ?(prefix)posts SET post_status = '" + status + "' WHERE ID = {" + slug + "}"
	}
	picture := "UPDATE ?(prefix)posts SET post_title = 'Picture N' WHERE ID = {picture}"
	mirrors := []*mirror{
		s.mirror("", "/events"), s.mirror("admin", "/events"), s.mirror("", "/events?categories=jazz"), s.mirror("", "/venues"),
		s.mirror("", "/categories"),
	}
	moments := map[string]struct{ away, other, back string }{
		"venue":     {link("0") + "'_EventVenueID'", hall, link("{hall}") + "'_EventVenueID'"},
		"organizer": {link("0") + "'_EventOrganizerID'", club, link("{club}") + "'_EventOrganizerID'"},
		"term": {strings.Replace(assigned, "TERM", s.id5("music"), 1), jazz,
			strings.Replace(assigned, "TERM", s.id5("jazz"), 1)},
		"image":              {link("0") + "'_thumbnail_id'", picture, link("{picture}") + "'_thumbnail_id'"},
		"event in the trash": {status("trash", "e1"), hall, status("publish", "e1")},
		"event a draft":      {status("draft", "e1"), jazz, status("publish", "e1")},
		"venue private":      {status("private", "hall"), hall, status("publish", "hall")},
		"parent": {"UPDATE ?(prefix)term_taxonomy SET parent = 0 WHERE term_id = {bebop}", jazz,
			"UPDATE ?(prefix)term_taxonomy SET parent = {jazz} WHERE term_id = {bebop}"},
		"image of the venue": {strings.Replace(link("0"), "{e1}", "{hall}", 1) + "'_thumbnail_id'", picture,
			strings.Replace(link("{picture}"), "{e1}", "{hall}", 1) + "'_thumbnail_id'"},
		"password": {"UPDATE ?(prefix)posts SET post_password = 'x' WHERE ID = {e1}", hall,
			"UPDATE ?(prefix)posts SET post_password = '' WHERE ID = {e1}"},
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(moments)) {
		m := moments[name]
		for _, noted := range []string{"no", "away", "other", "away other"} {
			for _, pulled := range []bool{false, true} {
				if n++; e.skips(n) {
					continue
				}
				for i, statement := range []string{m.away, strings.Replace(m.other, " N'", fmt.Sprintf(" %d'", n), 1), m.back} {
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

// syncAway removes something and restores it unchanged between two updates of the journal, while clients sync. The
// pages that showed its absence must be recorded, although no update of the journal sees it.
func syncAway(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	s.picture()
	s.term("tribe_events_cat", "bebop", "bebop", "jazz")
	s.event(thing{slug: "e4", start: "2030-07-06 10:00", terms: []string{"bebop"}})
	s.Exec(s.fill("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES ({e1}, '_thumbnail_id', '{picture}')"))
	s.install()
	clients := func() (list []*mirror) {
		for _, m := range [][2]string{
			{"", "/events"}, {"admin", "/events"}, {"", "/events?categories=jazz"}, {"", "/venues"}, {"", "/categories"},
		} {
			list = append(list, s.mirror(m[0], m[1]))
		}
		return list
	}
	earlier := clients()
	for _, m := range earlier {
		m.pull()
	}
	row := func(table, column, key, slug, was, away string) [2]string {
		change := func(from, to string) string {
			of := slug
			if key == column {
				of = from
			}
			return s.fill("UPDATE ?(prefix)" + table + " SET " + column + " = " + to + " WHERE " + key + " = " + of)
		}
		return [2]string{change(was, away), change(away, was)}
	}
	n := 0
	for name, change := range map[string][2]string{
		"venue private":    row("posts", "post_status", "ID", "{hall}", "'publish'", "'private'"),
		"venue gone":       row("posts", "ID", "ID", "", "{hall}", "9999"),
		"term gone":        row("term_taxonomy", "taxonomy", "term_taxonomy_id", s.id5("jazz"), "'tribe_events_cat'", "'other'"),
		"parent":           row("term_taxonomy", "parent", "term_id", "{bebop}", "{jazz}", "0"),
		"image gone":       row("posts", "ID", "ID", "", "{picture}", "9999"),
		"event in trash":   row("posts", "post_status", "ID", "{e1}", "'publish'", "'trash'"),
		"event gone":       row("posts", "ID", "ID", "", "{e1}", "9999"),
		"password":         row("posts", "post_password", "ID", "{e1}", "''", "'sesame'"),
		"dates gone":       row("tec_occurrences", "post_id", "post_id", "", "{e1}", "9999"),
		"assignments gone": row("term_relationships", "object_id", "object_id", "", "{e1}", "9999"),
	} {
		n++
		s.Exec(s.fill(fmt.Sprintf("UPDATE ?(prefix)posts SET post_title = 'Title %d' WHERE ID IN ({e1}, {e4}, {hall})", n)))
		s.scan()
		s.Exec(change[0])
		all := append(clients(), earlier...)
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
	if a := s.Get("", "/events?sync_token="+m.token); a.Status != 410 {
		t.Errorf("without the term: %s", a)
	}
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
	if a := s.Get("", "/events?sync_token="+m.token); a.Status != 200 {
		t.Errorf("10,000 items: %s", a)
	}
	s.affect(10_001)
	gone("10,001 items")
	editor := s.mirror("editor", "/events")
	editor.pull()
	s.Exec(`UPDATE ?(prefix)options SET option_value = REPLACE(option_value, 's:12:"upload_files";b:1', 's:12:"upload_files";b:0') ` +
		`WHERE option_name = '?(prefix)user_roles'`)
	s.open(s.opts)
	if a := s.Get("editor", "/events?sync_token="+editor.token); a.Status != 410 {
		t.Errorf("other rights: %s", a)
	}
	others := []*mirror{s.mirror("", "/venues"), s.mirror("", "/organizers"), s.mirror("", "/categories"), s.mirror("", "/tags")}
	for _, o := range others {
		o.pull()
	}
	must.Succeed(t, schema.RemoveJournal(t.Context(), s.host, s.prefix))
	s.install()
	gone("a journal made anew")
	for _, o := range others {
		if a := s.Get("", o.path+"?sync_token="+o.token); a.Status != 410 {
			t.Errorf("a journal made anew: %s", a)
		}
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
		if _, err := own.DB.NewInsert().Model(&some).Exec(s.site.T.Context()); err != nil {
			s.site.T.Fatal(err)
		}
	}
	head.Sequence, head.Mark = head.Sequence+events, "m"
	if _, err := own.DB.NewUpdate().Model(&head).WherePK().Exec(s.site.T.Context()); err != nil {
		s.site.T.Fatal(err)
	}
}

// journal executes statements on the tables of the journal.
func (s *journaled) journal(statements ...string) {
	s.site.T.Helper()
	own, err := schema.OpenJournal(s.site.T.Context(), s.host, s.prefix, false)
	must.Succeed(s.site.T, err)
	defer own.Close()
	for _, statement := range statements {
		if _, err := own.DB.Exec(statement); err != nil {
			s.site.T.Fatal(err)
		}
	}
}
