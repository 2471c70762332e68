package follow_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestLinkedBy checks that items are found which linked others at their last known states, even if they do not as they
// are stored now.
func TestLinkedBy(t *testing.T) {
	s := apitest.Open(t)
	ctx, st := t.Context(), s.Env.Content.Store
	must.Succeed(t, schema.InstallJournal(ctx, s.DB, "wp_"))
	c := &follow.Comparison{
		Store: st,
		Kinds: []followstore.Stored{
			{Kind: "events", Type: "tribe_events", Keys: []string{schema.MetaVenueID},
				Links: []followstore.Link{{Kind: "venues", By: schema.MetaVenueID}}},
			{Kind: "tags", Taxonomy: "post_tag", Links: []followstore.Link{{Kind: "tags"}}},
		},
		Settings: func(context.Context, followstore.ReadOptions) ([]byte, error) { return nil, nil },
	}
	run := func(statement string, args ...any) {
		t.Helper()
		must.Get(s.DB.ExecContext(ctx, statement, args...))(t)
	}
	insert := func(post *schema.Post) int64 {
		t.Helper()
		must.Get(s.DB.NewInsert().Model(post).Exec(ctx))(t)
		return post.ID
	}
	const at = "2030-01-01 10:00:00"
	event := insert(&schema.Post{Type: "tribe_events", Status: "publish", Date: at, DateGMT: at, Modified: at, ModifiedGMT: at})
	run("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, '90001')", event, schema.MetaVenueID)
	run("INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, parent) VALUES (90002, 'post_tag', '', 90001)")
	run("INSERT INTO wp_terms (term_id, name, slug) VALUES (90002, 'a', 'a')")
	must.Succeed(t, c.Declare(ctx))
	must.Get(c.Scan(ctx))(t)
	run("DELETE FROM wp_postmeta WHERE post_id = ?", event) // for a short time it does not link it
	j := must.Get(followstore.OpenJournal(ctx, st))(t)
	defer j.Close()
	linked := func(kind, want string, ids ...int64) {
		t.Helper()
		got, err := j.LinkedBy(ctx, kind, ids)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s %d are linked by %v, %v; want %s", kind, ids, got, err, want)
		}
	}
	linked("venues", fmt.Sprintf("map[events:[%d]]", event), 90001, 90002, 3)
	linked("tags", "map[tags:[90002]]", 90001)
	linked("venues", "map[]", 90002)
	linked("venues", "map[]")
	must.Get(c.Scan(ctx))(t)
	linked("venues", "map[]", 90001)
}
