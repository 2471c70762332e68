package store

import (
	"fmt"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestPostsOfANameAreFoundByIndex checks that a new event that names a venue does not read all venues.
func TestPostsOfANameAreFoundByIndex(t *testing.T) {
	s, db, counter := workbench(t)
	others := must.Get(schema.Bind(testdb.OfOthers(t, db), "wp_"))(t)
	var posts []schema.Post
	for i := range 300 {
		post := row(fmt.Sprint("Hall ", i))
		post.Status, post.Type = schema.StatusPublish, "tribe_venue"
		posts = append(posts, *post)
	}
	must.Get(others.NewInsert().Model(&posts).Returning("NULL").Exec(t.Context()))(t)
	execute(t, db, "ANALYZE TABLE wp_posts")
	counter.Reset()
	found, err := s.Posts.PublishedAs(t.Context(), "tribe_venue", LanguageFilter{}, []string{"hall 7", "HALL 8", "none"})
	if err != nil || len(found) != 2 || found[0].Title != "Hall 7" || found[1].Title != "Hall 8" {
		t.Errorf("%d found: %v", len(found), err)
	}
	sent := counter.Matching("SELECT")
	if len(sent) != 1 {
		t.Fatalf("%q", sent)
	}
	for _, line := range testdb.Explain(t, db, sent[0]) {
		if line["key"] != "agenda_title" {
			t.Errorf("%s is read by %q", line["table"], line["key"])
		}
	}
}
