package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/wp/members"
)

// syncMembers has the plugin Members restrict an event to a role and open it again: each is a change of the event, by which caches and
// clients drop it (D96). Where nobody may read it, it is in no list, total or selection by what has events.
func syncMembers(t *testing.T, e Engine) {
	s := &ticketed{journaled: newJournaled(t, e)}
	s.option("active_plugins", `a:1:{i:0;s:19:"members/members.php";}`)
	s.opts.Cache.Tags = calendar.SurrogateKey
	s.install()
	s.changed()
	anybody, editor := s.mirror("", "/events"), s.mirror("editor", "/events")
	for _, c := range []struct {
		name, statement string
		shown           bool
	}{
		{"as it was", "", true},
		{"for editors", "INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES ({e1}, '" + members.AccessRole +
			"', 'editor')", false},
		{"for subscribers", "UPDATE ?(prefix)postmeta SET meta_value = 'subscriber' WHERE meta_key = '" + members.AccessRole + "'", false},
		{"for all", "DELETE FROM ?(prefix)postmeta WHERE meta_key = '" + members.AccessRole + "'", true},
	} {
		want := ""
		if c.statement != "" {
			s.Exec(s.fill(c.statement))
			want = s.fill("events-{e1}")
		}
		if got := strings.Join(s.changed(), " "); got != want {
			t.Errorf("%s: %q changed, want %q", c.name, got, want)
		}
		for _, m := range []*mirror{anybody, editor} {
			m.pull()
			m.check(c.name)
		}
		for path, list := range map[string]string{
			"/events?start_date=2030-07-01&end_date=2030-07-01": "events", "/venues?has_events=1": "venues",
			"/venues?only_with_upcoming=1": "venues", "/organizers?has_events=1": "organizers",
		} {
			a := s.Get("", path)
			if total := a.Number("total"); total != map[bool]int64{true: 1}[c.shown] || strings.Contains(a.Text, `"slug":`) != c.shown {
				t.Errorf("%s: %s has %d %s, shown is %t", c.name, path, total, list, c.shown)
			}
		}
	}
}
