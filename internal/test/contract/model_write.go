package contract

import (
	"flag"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// emptied removes everything from a site that writes can create.
func (b *bench) emptied() {
	b.T.Helper()
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "tec_events", "tec_occurrences"} {
		b.Exec("DELETE FROM ?(prefix)" + table)
	}
	for _, name := range []string{schema.OptionCalendar, schema.OptionCategoryChildren} {
		b.Exec("DELETE FROM ?(prefix)options WHERE option_name = ?", name)
	}
}

// property runs random sequences of actions on a site through a handler.
func property(b *bench) func(*rapid.T) {
	return func(rt *rapid.T) {
		b.emptied()
		m := &machine{model: &model{items: map[int64]*item{}, terms: map[int64]*symbol{}}, b: b}
		rt.Repeat(m.actions())
		m.whole(rt)
	}
}

// rapidFlags is locked by the test that has set rapid's flags.
var rapidFlags sync.Mutex

// bounded sets rapid's flags for a test, except for those on the command line.
func bounded(t *testing.T, values map[string]string) {
	t.Helper()
	rapidFlags.Lock()
	t.Cleanup(rapidFlags.Unlock)
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range values {
		f := flag.Lookup(name)
		if given[name] {
			continue
		}
		was := f.Value.String()
		must.Succeed(t, f.Value.Set(value))
		t.Cleanup(func() { _ = f.Value.Set(was) })
	}
}

// randomWrites checks that reads after any sequence of writes agree with a simple model.
func randomWrites(t *testing.T, e Engine) {
	bounded(t, map[string]string{"rapid.checks": strconv.Itoa(e.draws(3)), "rapid.steps": "50", "rapid.nofailfile": "true",
		"rapid.shrinktime": "10s"})
	b := raceBench(t, e)
	rapid.Check(t, property(b))
}

// BrokenWrites checks that the model of writes finds bugs, by running it on handlers with one bug each. This does not
// depend on the engine.
func BrokenWrites(t *testing.T, e Engine) {
	bounded(t, map[string]string{"rapid.checks": "100", "rapid.steps": "40", "rapid.nofailfile": "true", "rapid.shrinktime": "0s"})
	b := raceBench(t, e)
	right := b.Handler
	for _, mistake := range mistakes {
		t.Run(mistake.name, func(t *testing.T) {
			b.Handler = mistake.make(right)
			found := &counterexample{TB: t}
			done := make(chan struct{})
			go func() {
				defer close(done)
				rapid.Check(found, property(b))
			}()
			if <-done; !found.failed {
				t.Error("the model does not notice")
			}
		})
	}
	b.Handler = right
}
