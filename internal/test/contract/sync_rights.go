package contract

import (
	_ "embed" // for the table
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/members"
)

// syncFile is the table of what sync returns to each caller, in the format of the table of authorization.
//
//go:embed testdata/sync.txt
var syncFile string

// fates contains what happens to items between two syncs, as statements of other programs.
var fates = []struct{ name, posts, terms string }{
	{"kept", "", ""},
	{"hidden", "UPDATE ?(prefix)posts SET post_status = 'private' WHERE ID IN (?)", ""},
	{"trashed", "UPDATE ?(prefix)posts SET post_status = 'trash' WHERE ID IN (?)", ""},
	{"deleted", "DELETE FROM ?(prefix)posts WHERE ID IN (?)", "DELETE FROM ?(prefix)term_taxonomy WHERE term_id IN (?)"},
}

// syncSubject is an item with its expectation in the table.
type syncSubject struct {
	question
	*subject
	want string
}

// syncRights checks, for each caller, what sync returns for an item in each status, initially and after something has
// happened to it.
func syncRights(t *testing.T, e Engine) {
	table := must.Get(parseTable(syncFile))(t)
	s := newJournaled(t, e)
	h, subjects := newMatrixSite(s.site), []*syncSubject(nil)
	happens := map[string][]int64{}
	for _, collection := range []string{"events", "venues", "categories", "tags"} {
		for _, fate := range fates {
			for _, q := range syncQuestions(collection, fate.name) {
				found, err := table.find(q)
				if err != nil {
					t.Error(err)
					continue
				}
				one := &syncSubject{q, h.fresh(collection, q.state, ownerOf(q.caller)), found.mark.name}
				subjects = append(subjects, one)
				statement := fate.posts
				if q.state == "" {
					statement = fate.terms
				}
				happens[statement] = append(happens[statement], one.id)
			}
		}
	}
	for _, line := range table.unused() {
		t.Error(line)
	}
	h.insert()
	s.install()
	mirrors := map[question]*mirror{}
	for _, one := range subjects {
		as := question{route: one.route, caller: callerOf(one.caller)}
		if mirrors[as] == nil {
			mirrors[as] = s.mirror(as.caller, one.route+"?per_page=50")
			mirrors[as].pull()
		}
	}
	check := func(happened bool) {
		t.Helper()
		for _, one := range subjects {
			m, got := mirrors[question{route: one.route, caller: callerOf(one.caller)}], "nothing"
			if happened == (one.method == "kept") {
				continue
			}
			if id := itoa(one.id); m.items[id] != "" {
				got = "item"
			} else if slices.Contains(m.told, id) {
				got = "tombstone"
			}
			if got != one.want {
				t.Errorf("%s: %s, want %s", one, got, one.want)
			}
		}
	}
	check(false)
	for statement, ids := range happens {
		if statement != "" {
			s.Exec(statement, bun.List(ids))
		}
	}
	s.scan()
	for _, m := range mirrors {
		m.pull()
	}
	check(true)
}

// syncQuestions returns the questions about the items of a collection to which something happens.
func syncQuestions(collection, fate string) (list []question) {
	q := question{route: "/" + collection, method: fate, target: "item"}
	if kindOf[collection].singular == "" {
		if fate == "kept" || fate == "deleted" {
			for _, q.caller = range everyCaller {
				list = append(list, q)
			}
		}
		return list
	}
	for _, q.state = range postStates {
		for _, q.caller = range everyOwner {
			if strings.HasPrefix(q.state, "trash") && fate == "trashed" {
				continue // it is in the trash already
			}
			list = append(list, q)
		}
	}
	return list
}

// syncMembers checks that an event that the plugin Members restricts to a role, and then opens again, counts as changed
// each time, so that caches and clients drop it (D96). For callers who may not read it, it is in no list and no total,
// and does not count for has_events.
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
