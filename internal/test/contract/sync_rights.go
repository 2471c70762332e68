package contract

import (
	_ "embed" // for the table
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"
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
	table, err := parseTable(syncFile)
	if err != nil {
		t.Fatal(err)
	}
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
