package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/schema"
)

// rows shows links: event, status and value.
func rows(links []EventLink) string {
	var parts []string
	for _, l := range links {
		s := fmt.Sprint(l.Event, " ", l.Status)
		if l.Row != nil {
			s += fmt.Sprintf(" %s %t", l.Row.Value, l.Row.ID > 0 && l.Row.PostID == l.Event && l.Row.Key != "")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

func TestLinks(t *testing.T) {
	s, db := recorded(t)
	execute(t, db, "DELETE FROM wp_postmeta WHERE meta_key = '_EventVenueID'")
	execute(t, db, "UPDATE wp_posts SET post_status = 'trash' WHERE ID = 26")
	execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES "+
		"(25, '_EventVenueID', '7'), (26, '_EventVenueID', '7'), (26, '_EventVenueID', '77'), (27, '_EventVenueID', 'a:1:{i:0;i:7;}'), "+
		"(28, '_EventVenueID', '17'), (28, '_EventOrganizerID', '7'), (8, '_EventVenueID', '7'), (999999, '_EventVenueID', '7'), "+
		"(29, '_EventVenueID', NULL)")
	to, err := s.Links.To(t.Context(), schema.MetaVenueID, 7)
	if want := "25 publish 7 true; 26 trash 7 true; 27 publish a:1:{i:0;i:7;} true"; err != nil || rows(to) != want {
		t.Errorf("%s %v, want %s", rows(to), err, want)
	}
	of, err := s.Links.Of(t.Context(), schema.MetaVenueID, []int64{29, 26, 30, 26, 8, 999999, 25})
	if want := "25 publish 7 true; 26 trash 7 true; 26 trash 77 true; 29 private  true; 30 publish"; err != nil || rows(of) != want {
		t.Errorf("%s %v, want %s", rows(of), err, want)
	}
	if of, err := s.Links.Of(t.Context(), schema.MetaVenueID, nil); of != nil || err != nil {
		t.Errorf("%v %v", of, err)
	}
	metas, err := s.Posts.MetaRowsOf(t.Context(), []int64{26, 25, 26}, schema.MetaVenueID)
	var values []string
	for _, m := range metas {
		values = append(values, fmt.Sprint(m.PostID, " ", m.Value))
	}
	if err != nil || !slices.Equal(values, []string{"25 7", "26 7", "26 77"}) {
		t.Errorf("%q %v", values, err)
	}
	if metas, err := s.Posts.MetaRowsOf(t.Context(), nil, schema.MetaVenueID); metas != nil || err != nil {
		t.Errorf("%v %v", metas, err)
	}
}
