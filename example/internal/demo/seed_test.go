package demo

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/languages"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

const prefix = "elz_"

// engines are the databases that a demo site can use.
var engines = map[string]func(t *testing.T) *bun.DB{
	"SQLite": func(t *testing.T) *bun.DB {
		db := must.Get(embedded.Open(t.Context(), embedded.Memory))(t)
		t.Cleanup(func() { _ = db.Close() })
		return db
	},
	"MariaDB":               func(t *testing.T) *bun.DB { return testdb.New(t) },
	"MariaDB in MySQL mode": func(t *testing.T) *bun.DB { return testdb.New(t, testdb.WithSQLMode(testdb.MySQL8)) },
}

// TestSeed checks the content of a filled site on each engine.
func TestSeed(t *testing.T) {
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			must.Succeed(t, schema.Install(t.Context(), db, prefix))
			must.Succeed(t, Seed(t.Context(), db, prefix, moments[0]))
			db = must.Get(schema.Bind(db, prefix))(t)
			for name, check := range map[string]func(*testing.T, *bun.DB){
				"fills every table":                  checkFillsEveryTable,
				"stores consistent times":            checkStoresConsistentTimes,
				"counts terms":                       checkCountsTerms,
				"settings":                           checkSettings,
				"records languages":                  checkRecordsLanguages,
				"is found to have languages":         checkIsFoundToHaveLanguages,
				"links in one language":              checkLinksInOneLanguage,
				"refuses a filled site and keeps it": checkRefusesAFilledSiteAndKeepsIt,
			} {
				t.Run(name, func(t *testing.T) { check(t, db) })
			}
		})
	}
}

func allRows[T any](t *testing.T, db *bun.DB, order string) []T {
	t.Helper()
	var rows []T
	must.Succeed(t, db.NewSelect().Model(&rows).OrderExpr("? ASC", bun.Ident(order)).Scan(t.Context()))
	return rows
}

func checkFillsEveryTable(t *testing.T, db *bun.DB) {
	c, types := calendar(), map[string]int{}
	for _, p := range allRows[schema.Post](t, db, "ID") {
		types[p.Type]++
		if p.GUID == "" || p.Title == "" || p.Date > "2026-11-21 10:30:00" {
			t.Errorf("post %d: guid %q, title %q, date %s", p.ID, p.GUID, p.Title, p.Date)
		}
		if drafted := p.Status == "draft" || p.Status == "pending"; drafted != (p.DateGMT == zeroDate) {
			t.Errorf("post %d is %s and was published at %s", p.ID, p.Status, p.DateGMT)
		}
	}
	n, shared, more := len(events()), 0, 0
	for _, e := range c.Events {
		shared += oneIf(len(e.In) > 1)
		more += len(e.In) * max(len(e.dates(moments[0]))-1, 0)
	}
	for _, o := range c.occasions(moments[0]) {
		n += len(o.In)
		shared += oneIf(len(o.In) > 1)
	}
	for kind, want := range map[string]int{
		"tribe_events": n, "tribe_venue": 3 * len(c.Venues), "tribe_organizer": 3 * len(c.Organizers),
		"attachment": len(c.Pictures),
	} {
		if types[kind] != want {
			t.Errorf("%d posts of type %s, want %d", types[kind], kind, want)
		}
	}
	names := 4*(len(c.Categories)+len(c.Tags)) + 2*len(c.Languages) + shared + len(c.Venues) + len(c.Organizers)
	for name, pair := range map[string][2]int{
		"tec_events":      {len(allRows[schema.EventRow](t, db, "event_id")), n},
		"tec_occurrences": {len(allRows[schema.Occurrence](t, db, "occurrence_id")), n + more},
		"terms":           {len(allRows[schema.Term](t, db, "term_id")), names},
		"users":           {len(allRows[schema.User](t, db, "ID")), 5},
		"usermeta":        {len(allRows[schema.UserMeta](t, db, "umeta_id")), 25},
	} {
		golden.Equal(t, name, pair[0], pair[1])
	}
}

func checkStoresConsistentTimes(t *testing.T, db *bun.DB) {
	meta := map[int64]map[string]string{}
	for _, m := range allRows[schema.PostMeta](t, db, "meta_id") {
		if meta[m.PostID] == nil {
			meta[m.PostID] = map[string]string{}
		}
		meta[m.PostID][m.Key] = m.Value
	}
	var rows []schema.Occurrence
	// A driver that parses dates would format them differently, so they are selected as text.
	must.Succeed(t, db.NewSelect().Model(&rows).Column("occurrence_id", "event_id", "post_id", "duration", "hash").
		ColumnExpr("CAST(start_date AS CHAR) AS start_date").ColumnExpr("CAST(end_date AS CHAR) AS end_date").
		ColumnExpr("CAST(start_date_utc AS CHAR) AS start_date_utc").ColumnExpr("CAST(end_date_utc AS CHAR) AS end_date_utc").
		Order("occurrence_id").Scan(t.Context()))
	stored, own := map[int64]schema.EventRow{}, 0
	for _, e := range allRows[schema.EventRow](t, db, "event_id") {
		stored[e.ID] = e
	}
	for _, o := range rows {
		m, e := meta[o.PostID], stored[o.EventID]
		if o.StartDate != e.StartDate { // another occurrence of the event, with the same duration
			m = maps.Clone(m)
			m[schema.MetaStartDate], m[schema.MetaEndDate], m[schema.MetaTimezoneAbbr] = o.StartDate, o.EndDate, ""
			m[schema.MetaStartDateUTC], m[schema.MetaEndDateUTC] = o.StartDateUTC, o.EndDateUTC
			e.StartDate, e.EndDate, e.StartDateUTC, e.EndDateUTC = o.StartDate, o.EndDate, o.StartDateUTC, o.EndDateUTC
		} else {
			own++
		}
		inMeta := [4]string{m[schema.MetaStartDate], m[schema.MetaEndDate], m[schema.MetaStartDateUTC], m[schema.MetaEndDateUTC]}
		if inRow := [4]string{o.StartDate, o.EndDate, o.StartDateUTC, o.EndDateUTC}; inRow != inMeta ||
			inRow != [4]string{e.StartDate, e.EndDate, e.StartDateUTC, e.EndDateUTC} || e.PostID != o.PostID {
			t.Errorf("post %d: %v in the meta, %v in the occurrence", o.PostID, inMeta, inRow)
		}
		checkZone(t, o, m, e)
	}
	if own != len(stored) {
		t.Errorf("%d of %d events have a row of their own date", own, len(stored))
	}
}

func checkZone(t *testing.T, o schema.Occurrence, m map[string]string, e schema.EventRow) {
	t.Helper()
	loc := must.Get(location(m[schema.MetaTimezone]))(t)
	for local, utc := range map[string]string{o.StartDate: o.StartDateUTC, o.EndDate: o.EndDateUTC} {
		at, err := time.ParseInLocation(stamp, local, loc)
		if err != nil || at.UTC().Format(stamp) != utc {
			t.Errorf("post %d: %s in %v is not %s (%v)", o.PostID, local, loc, utc, err)
		}
	}
	start, end := parse(t, o.StartDateUTC), parse(t, o.EndDateUTC)
	if want := int64(end.Sub(start) / time.Second); o.Duration != want || e.Duration != want || e.Timezone != m[schema.MetaTimezone] {
		t.Errorf("post %d lasts %d and %d, want %d", o.PostID, o.Duration, e.Duration, want)
	}
	if abbr := start.In(loc).Format("MST"); m[schema.MetaTimezoneAbbr] != abbr && m[schema.MetaTimezoneAbbr] != "" {
		t.Errorf("post %d: abbreviation %s, want %s", o.PostID, m[schema.MetaTimezoneAbbr], abbr)
	}
	if _, timed := m[schema.MetaDuration]; timed == (m[schema.MetaAllDay] == "1") {
		t.Errorf("post %d: a duration is stored exactly when the event has hours", o.PostID)
	}
}

func TestOccurrenceHash(t *testing.T) {
	var c composer
	c.addDates(7, span{start: "2030-01-15 10:00:00", end: "2030-01-15 12:00:00", startUTC: "2030-01-15 09:00:00",
		endUTC: "2030-01-15 11:00:00", seconds: 7200}, moments[0])
	if got, want := c.occurrences[0].Hash, "f87214e43b44286ccc66875da7cf7e4a997d0386"; got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func checkCountsTerms(t *testing.T, db *bun.DB) {
	published := map[int64]bool{}
	for _, p := range allRows[schema.Post](t, db, "ID") {
		published[p.ID] = p.Status == "publish"
	}
	counts, objects := map[int64]int64{}, map[int64]int64{}
	for _, r := range allRows[schema.TermRelationship](t, db, "object_id") {
		counts[r.TermTaxonomyID] += int64(oneIf(published[r.ObjectID]))
		objects[r.TermTaxonomyID]++
	}
	parents, empty := map[int64]int64{}, map[int64]bool{}
	for _, x := range allRows[schema.TermTaxonomy](t, db, "term_taxonomy_id") {
		// Groups and languages of terms are attached to objects that are not posts, or that count in any status.
		if x.Taxonomy == languages.OfTerms || x.Taxonomy == languages.PostsGroups || x.Taxonomy == languages.TermsGroups {
			counts[x.ID] = objects[x.ID]
		}
		empty[x.TermID] = x.Count == 0
		golden.Equal(t, x.TermID, x.Count, counts[x.ID])
		if x.Parent != 0 && parents[x.Parent] != 0 {
			t.Errorf("term %d is on a third level", x.TermID)
		}
		parents[x.TermID] = x.Parent
		delete(empty, x.Parent) // it only has children
	}
	for id, nothing := range empty {
		if nothing {
			t.Errorf("term %d has nothing", id)
		}
	}
}

func checkSettings(t *testing.T, db *bun.DB) {
	options := map[string]string{}
	for _, o := range allRows[schema.Option](t, db, "option_id") {
		options[o.Name] = o.Value
	}
	golden.Equal(t, "zone", options[schema.OptionTimezone], siteZone)
	calendar := must.Get(phpval.Unserialize(options[schema.OptionCalendar]))(t)
	golden.Equal(t, "earliest date", stringOf(t, calendar.(*phpval.Array), "earliest_date"), "2025-11-23 14:00:00")
	tree := must.Get(phpval.Unserialize(options[schema.OptionCategoryChildren]))(t)
	for _, x := range allRows[schema.TermTaxonomy](t, db, "term_taxonomy_id") {
		if x.Parent == 0 {
			continue
		}
		children, _ := tree.(*phpval.Array).GetKey(phpval.IntKey(x.Parent))
		found := false
		for _, v := range children.(*phpval.Array).All() {
			found = found || v == x.TermID
		}
		if !found {
			t.Errorf("term %d is not among the children of %d", x.TermID, x.Parent)
		}
	}
}

func checkRefusesAFilledSiteAndKeepsIt(t *testing.T, db *bun.DB) {
	before := len(allRows[schema.PostMeta](t, db, "meta_id"))
	if err := Seed(t.Context(), db, prefix, moments[0]); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("seeding twice: %v", err)
	}
	if after := len(allRows[schema.PostMeta](t, db, "meta_id")); after != before {
		t.Errorf("%d meta rows, %d before", after, before)
	}
}

func TestSeedRestoresTheMode(t *testing.T) {
	db := testdb.New(t, testdb.WithSQLMode(testdb.MySQL8))
	db.SetMaxOpenConns(1)
	must.Succeed(t, schema.Install(t.Context(), db, prefix))
	must.Succeed(t, Seed(t.Context(), db, prefix, moments[0]))
	var mode string
	must.Succeed(t, db.NewRaw("SELECT @@SESSION.sql_mode").Scan(t.Context(), &mode))
	if !strings.Contains(mode, "NO_ZERO_DATE") {
		t.Errorf("sql_mode is %q afterwards", mode)
	}
}

func TestComposeIsTheSameEveryTime(t *testing.T) {
	for _, now := range moments {
		first := must.Get(compose(prefix, "http://demo.example", now))(t)
		again := must.Get(compose(prefix, "http://demo.example", now))(t)
		same := slices.EqualFunc(first.posts, again.posts, func(a, b *schema.Post) bool { return *a == *b }) &&
			slices.EqualFunc(first.meta, again.meta, func(a, b *schema.PostMeta) bool { return *a == *b }) &&
			slices.EqualFunc(first.occurrences, again.occurrences, func(a, b *schema.Occurrence) bool { return *a == *b })
		if !same || len(first.options) != len(again.options) {
			t.Errorf("%v: two different sites", now)
		}
		if !slices.IsSortedFunc(first.meta, func(a, b *schema.PostMeta) int { return cmp.Compare(a.ID, b.ID) }) {
			t.Error("meta rows are not in order")
		}
	}
}
