package store

import (
	"slices"
	"testing"

	"github.com/agendahq/agenda/schema"
)

func TestLocated(t *testing.T) {
	s, db := recorded(t)
	before, err := s.Links.Located(t.Context(), anyone)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, db, "DELETE FROM wp_postmeta WHERE meta_key IN ('_VenueLat', '_VenueLng')")
	execute(t, db, `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES
		(7, '_VenueLat', '51.05'), (7, '_VenueLng', ' -3.72 '), (8, '_VenueLat', '51'), (9, '_VenueLat', 'north'), (9, '_VenueLng', '4'),
		(10, '_VenueLat', ''), (10, '_VenueLng', NULL), (11, '_VenueLat', '1e1'), (11, '_VenueLng', '0'), (13, '_VenueLat', '1'),
		(13, '_VenueLng', '1'), (17, '_VenueLat', '1'), (17, '_VenueLng', '1'), (12, '_VenueLat', '2'), (12, '_VenueLng', '2')`)
	execute(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID = 12")
	found, err := s.Links.Located(t.Context(), anyone)
	if err != nil || len(before) == 0 || len(found) != 2 || found[7] != (Coordinates{51.05, -3.72}) || found[11] != (Coordinates{10, 0}) {
		t.Errorf("%v %v", found, err)
	}
}

func TestAccessAndMeta(t *testing.T) {
	s, db := recorded(t)
	execute(t, db, "DELETE FROM wp_postmeta WHERE post_id IN (25, 26) AND meta_key = '_EventVenueID'")
	execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventVenueID', '9'), "+
		"(25, '_EventVenueID', NULL), (25, '_EventVenueID', '7')")
	a, values, err := s.Posts.AccessAndMeta(t.Context(), 25, schema.MetaVenueID)
	if err != nil || a.ID != 25 || a.Type != "tribe_events" || a.Status != "publish" || !slices.Equal(values, []string{"9", "", "7"}) {
		t.Errorf("%+v %q %v", a, values, err)
	}
	if a, values, err := s.Posts.AccessAndMeta(t.Context(), 26, schema.MetaVenueID); err != nil || a.ID != 26 || !slices.Equal(values,
		[]string{""}) {
		t.Errorf("without links: %+v %q %v", a, values, err)
	}
	if a, values, err := s.Posts.AccessAndMeta(t.Context(), 999999, schema.MetaVenueID); err != nil || a != (PostAccess{}) ||
		values != nil {
		t.Errorf("unknown: %+v %q %v", a, values, err)
	}
}
