package contract

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// diagnosis checks that on each engine, Diagnose reports everything about a site that Install created and finds no
// problem, and that OwnIndexes finds the indexes there, without which lists are slow.
func diagnosis(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.event(thing{slug: "fair", start: "2030-07-01 10:00"})
	d := must.Get(schema.Diagnose(t.Context(), s.host, s.prefix, schema.DefaultNames()))(t)
	for _, f := range d.Findings {
		if f.Level == schema.Warning || f.Level == schema.Problem {
			t.Errorf("%s: %s %s: %s", f.Check, f.Level, f.Subject, f.Text)
		}
	}
	indexes, err := schema.OwnIndexes(t.Context(), s.host, s.prefix)
	if err != nil || len(indexes) == 0 {
		t.Errorf("%v, %v", indexes, err)
	}
	for name, there := range indexes {
		if !there {
			t.Errorf("%s is not found", name)
		}
	}
}
