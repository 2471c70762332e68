package store

import (
	"testing"
	"time"
)

// Tables whose names the server's collation takes for those of the site are others.
func TestVersionsOfSimilarNames(t *testing.T) {
	s, db := recorded(t)
	execute(t, db, "CREATE TABLE `wp_p\u00f6sts` (id int)")
	execute(t, db, "CREATE TABLE `WP_POSTS` (id int)")
	if err := s.LimitReads(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock, why := s.Watch([]string{"home"}, time.Second, time.Hour, false)
	if clock == nil {
		t.Fatal(why)
	}
	t.Cleanup(s.Close)
	state := clock.Look(t.Context())
	if got := state.Options(); got == nil || (*got)["home"] == "" || clock.Stats().Epochs["look failed"] > 0 {
		t.Errorf("%v, %+v", got, clock.Stats())
	}
	execute(t, db, "INSERT INTO `WP_POSTS` VALUES (1)")
	posts := s.tablesIn("wp_posts")
	if after := clock.Look(t.Context()); after.Epoch(posts) != state.Epoch(posts) {
		t.Error("a change of another table counts")
	}
}
