package api_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var modifiedEntry = regexp.MustCompile(`s:\d+:"([^"]+)";i:(\d+);`)

// modifiedFields returns the fields in the stored list of a post's modified fields, in its order, each with the minutes
// since the start of the tests in the site's local time. A "!" marks a field whose time is in UTC, an hour earlier.
func (c *calendar) modifiedFields(id int64) string {
	c.T.Helper()
	value := c.meta(id, schema.MetaModifiedFields)
	start := time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC).Unix()
	var list []string
	for _, m := range modifiedEntry.FindAllStringSubmatch(value, -1) {
		at := must.Get(strconv.ParseInt(m[2], 10, 64))(c.T)
		mark := "!"
		if at -= start; at >= 3600 {
			at, mark = at-3600, ""
		}
		list = append(list, fmt.Sprint(strings.NewReplacer("_Event", "", "_wp_", "").Replace(m[1]), mark, at/60))
	}
	if want := fmt.Sprintf("a:%d:{", len(list)); !strings.HasPrefix(value, want) {
		c.T.Errorf("%s does not begin with %s", value, want)
	}
	return strings.Join(list, " ")
}

// TestModifiedFields checks that the time of the last change of each field of a post is stored, in the order of first
// changes.
func TestModifiedFields(t *testing.T) {
	c := open(t)
	id := c.create("admin", "Kept", "")
	const created = "Origin0 ShowMapLink0 ShowMap0 StartDate0 EndDate0 StartDateUTC0 EndDateUTC0 Duration0 Timezone0 TimezoneAbbr0"
	for _, w := range []struct{ fields, want string }{
		{`"title":"Other"`, created + " post_title1"},
		{`"cost":"5"`, created + " post_title1 Cost2"},
		{`"show_map":true,"description":"D","slug":"s","date":"2025-01-01"`, strings.Replace(created, "ShowMap0", "ShowMap3", 1) +
			" post_title1 Cost2 post_content3 old_slug3 old_date3"},
		{`"title":"Third","excerpt":"E"`, strings.Replace(created, "ShowMap0", "ShowMap3", 1) +
			" post_title4 Cost2 post_content3 old_slug3 old_date3 post_excerpt4"},
	} {
		c.Now = c.Now.Add(time.Minute)
		c.change("admin", id, "{"+w.fields+"}")
		if got := c.modifiedFields(id); got != w.want {
			t.Errorf("%s:\n got  %s\n want %s", w.fields, got, w.want)
		}
	}

	c.Now = time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC)
	id = c.create("admin", "With terms", `,"categories":[16],"tags":[26]`)
	keys := c.Scan("SELECT meta_key FROM wp_postmeta WHERE post_id = ? ORDER BY meta_id LIMIT 2", id)
	got := c.modifiedFields(id)
	if got != "tribe_events_cat!0 post_tag!0 "+created || fmt.Sprint(keys) != "[_tribe_modified_fields _EventOrigin]" {
		t.Errorf("with terms: %s, rows %v", got, keys)
	}
	c.Now = c.Now.Add(time.Minute)
	c.change("admin", id, `{"tags":[]}`)
	if got := c.modifiedFields(id); got != "tribe_events_cat!0 post_tag!1 "+created {
		t.Errorf("without a tag: %s", got)
	}
	c.Now = c.Now.Add(time.Minute)
	c.trash(id)
	want := "tribe_events_cat!0 post_tag!1 " + created + " _tribe_ignored_event_previous_status2 " +
		"trash_meta_status2 trash_meta_time2 desired_post_slug2 post_status2"
	if got := c.modifiedFields(id); got != want {
		t.Errorf("in the trash:\n got  %s\n want %s", got, want)
	}
	// A value that cannot be parsed is replaced.
	c.Exec("UPDATE wp_postmeta SET meta_value = 'a:1:{broken' WHERE post_id = ? AND meta_key = '_tribe_modified_fields'", id)
	c.change("admin", id, `{"description":"D"}`)
	if got := c.modifiedFields(id); got != "post_content2" {
		t.Errorf("after a broken list: %s", got)
	}
}
