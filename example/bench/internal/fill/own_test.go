package fill

import (
	"errors"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/demo"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func TestRefusesASite(t *testing.T) {
	seeded := func(t *testing.T) *bun.DB {
		db := memory(t)
		must.Succeed(t, schema.Install(t.Context(), db, prefix))
		must.Succeed(t, demo.Seed(t.Context(), db, prefix, now()))
		return db
	}
	for name, c := range map[string]struct {
		open func(t *testing.T) *bun.DB
		o    Options
		say  string
	}{
		"demo": {seeded, small(20), "not made here"},
		"another seed": {func(t *testing.T) *bun.DB { return filled(t, small(20)) },
			Options{Prefix: prefix, Events: 40, Seed: 2, Now: now}, "seed 1"},
		"no state": {func(t *testing.T) *bun.DB {
			db := filled(t, small(20))
			forget(t, db, "")
			return db
		}, small(40), "not made here"},
		"many pages": {func(t *testing.T) *bun.DB {
			db := memory(t)
			must.Succeed(t, schema.Install(t.Context(), db, prefix))
			pages := make([]schema.Post, maxPosts+1)
			for i := range pages {
				pages[i] = schema.Post{ID: int64(i + 1), Type: "page", Status: schema.StatusPublish}
			}
			must.Get(bound(t, db).NewInsert().Model(&pages).Exec(t.Context()))(t)
			return db
		}, small(40), "posts that were not made here"},
		"another version": {func(t *testing.T) *bun.DB {
			db := filled(t, small(20))
			forget(t, db, `{"Version":99,"Seed":1,"Day":"2026-11-22"}`)
			return db
		}, small(40), "another version"},
		"broken state": {func(t *testing.T) *bun.DB {
			db := filled(t, small(20))
			forget(t, db, `mine`)
			return db
		}, small(40), StateOption},
	} {
		t.Run(name, func(t *testing.T) {
			db := c.open(t)
			before := dump(t, db)
			_, err := Run(t.Context(), db, c.o)
			if !errors.Is(err, ErrNotOurs) || !strings.Contains(err.Error(), c.say) {
				t.Errorf("%v", err)
			}
			wantSame(t, dump(t, db), before)
		})
	}
}

// forget replaces the state, or deletes it.
func forget(t *testing.T, db *bun.DB, value string) {
	t.Helper()
	var err error
	if value == "" {
		_, err = bound(t, db).NewDelete().Model((*schema.Option)(nil)).Where("option_name = ?", StateOption).Exec(t.Context())
	} else {
		_, err = bound(t, db).NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", value).Where("option_name = ?", StateOption).
			Exec(t.Context())
	}
	must.Succeed(t, err)
}

// A site of another program is rejected before any table is added to it.
func TestRefusesASiteWithoutTouchingIt(t *testing.T) {
	db := testdb.SiteA(t)
	must.Get(db.ExecContext(t.Context(), "DROP TABLE wp_tec_events"))(t)
	o := small(20)
	o.Prefix = schema.DefaultPrefix
	if _, err := Run(t.Context(), db, o); !errors.Is(err, ErrNotOurs) {
		t.Errorf("%v", err)
	}
	var n int
	err := db.NewRaw("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'wp_tec_events'").
		Scan(t.Context(), &n)
	if err != nil || n != 0 {
		t.Errorf("the table was made (%v)", err)
	}
}

func TestFillsBesideWhatHasNoEvents(t *testing.T) {
	db := memory(t)
	must.Succeed(t, schema.Install(t.Context(), db, prefix))
	page := schema.Post{ID: 9, Type: "page", Status: schema.StatusPublish, Title: "Welcome", Name: "welcome", Author: 4}
	user := schema.User{ID: 4, Login: "owner", Nicename: "owner"}
	term := schema.Term{ID: 1, Name: "Uncategorized", Slug: "uncategorized"}
	for _, model := range []any{&page, &user, &term} {
		must.Get(bound(t, db).NewInsert().Model(model).Exec(t.Context()))(t)
	}
	fillIn(t, db, small(40))
	if posts := readTable[schema.Post](t, db, "ID"); posts[0].Title != "Welcome" || posts[1].ID != 10 {
		t.Errorf("%+v", posts[0])
	}
	if zone, _, _ := readOption(t.Context(), bound(t, db), schema.OptionTimezone); zone != "UTC" {
		t.Errorf("the settings of the site were changed: zone %s", zone)
	}
	for _, tt := range readTable[schema.TermTaxonomy](t, db, "term_id") {
		if tt.TermID == term.ID {
			t.Error("the term of the site has another meaning now")
		}
	}
}
