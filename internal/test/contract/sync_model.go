package contract

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

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
	tx := must.Get(s.DB.BeginTx(context.Background(), &sql.TxOptions{}))(s.site.T)
	s.late = &tx
	// No other statement of the model may change these rows, because it would wait for this transaction.
	for _, slug := range []string{"yard", "long"} {
		statement := s.fill(fmt.Sprintf("UPDATE ?(prefix)posts SET post_title = 'New %d', post_status = '%s' WHERE ID = {%s}",
			s.r.IntN(100), []string{"publish", "publish", "private"}[s.r.IntN(3)], slug))
		s.done = append(s.done, "late: "+statement)
		must.Get(tx.Exec(statement))(s.site.T)
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
