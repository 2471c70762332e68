package store

import (
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// Tables whose names the server's collation takes for those of the site are others.
func TestVersionsOfSimilarNames(t *testing.T) {
	_, db := recorded(t)
	execute(t, db, "CREATE TABLE `wp_p\u00f6sts` (id int)")
	execute(t, db, "CREATE TABLE `WP_POSTS` (id int)")
	s := newStore(t, db, watching)
	t.Cleanup(s.Close)
	clock := s.Tracker
	if clock == nil {
		t.Fatal(s.Unwatched)
	}
	state := clock.Look(t.Context())
	if got := state.Options(); got == nil || (*got)["home"] == "" || clock.Stats().Epochs["look failed"] > 0 {
		t.Errorf("%v, %+v", got, clock.Stats())
	}
	execute(t, db, "INSERT INTO `WP_POSTS` VALUES (1)")
	posts := s.DB.tablesIn("wp_posts")
	if after := clock.Look(t.Context()); after.Epoch(posts) != state.Epoch(posts) {
		t.Error("a change of another table counts")
	}
}

// A process that only reads leaves a server that became read-only: the question whether
// something changed shows it.
func TestReadsLeaveAReadOnlyServer(t *testing.T) {
	db, err := schema.Bind(testdb.NewAlone(t).Open(nil), "wp_") // others' tests need a server that writes
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Install(t.Context(), db, "wp_"); err != nil {
		t.Fatal(err)
	}
	s := newStore(t, db, watching)
	connection := func() int64 {
		n, err := Number(t.Context(), s.DB.Select().ColumnExpr("CONNECTION_ID()"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	t.Cleanup(s.Close)
	clock := s.Tracker
	if clock == nil {
		t.Fatal(s.Unwatched)
	}
	clock.Look(t.Context())
	before := connection()
	if now := connection(); now != before {
		t.Fatal("the pool has more than one idle connection")
	}
	execute(t, db, "SET GLOBAL read_only = 1")
	for connection() == before {
		clock.Look(t.Context())
	}
}
