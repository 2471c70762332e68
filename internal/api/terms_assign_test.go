package api_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// resolve runs an assignment as an event's write would, as a caller of a role.
func (s *server) resolve(k *term.UseCases, role string, a term.Assignment) (ids []int64, err error) {
	s.T.Helper()
	ctx := caller.With(s.T.Context(), &caller.Request{Principal: s.Caller(role)})
	err = k.Service.Content.Write(ctx, func(ctx context.Context) error {
		ids, err = k.Resolve(ctx, a, nil)
		return err
	})
	return ids, err
}

// D16: unknown names make terms, for those who may make some.
func TestD16NewTerms(t *testing.T) {
	s := newServer(t)
	check := func(k *term.UseCases, v any) term.Assignment {
		t.Helper()
		a, err := apitest.Apply(t.Context(), k.Assignment(), v)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	before := s.rows()
	unknown := check(s.tags, []any{"gratis", "Rock & Roll"})
	for _, role := range []string{"", "subscriber", "contributor", "author"} {
		if _, err := s.resolve(s.tags, role, unknown); !errors.Is(err, caller.ErrForbidden) {
			t.Errorf("%q: %v", role, err)
		}
	}
	if s.rows() != before || len(s.takeChanges()) > 0 {
		t.Error("something was written")
	}
	got, err := s.resolve(s.tags, "editor", check(s.tags, []any{"Rock &  Roll", "gratis", "rock-roll", "ROCK & ROLL", "a,b"}))
	if err != nil || len(got) != 3 || got[1] != 17 || got[0] <= 26 || got[2] <= got[0] {
		t.Fatalf("%v, %v", got, err)
	}
	lines := added(before, s.rows())
	if len(lines) != 4 || !strings.HasSuffix(lines[0], "|Rock &amp; Roll|rock-roll|0") || !strings.HasSuffix(lines[1], "|a,b|ab|0") ||
		!strings.HasSuffix(lines[2], "|post_tag||0|0") {
		t.Errorf("stored %q", lines)
	}
	if changes := s.takeChanges(); len(changes) != 2 || changes[0].Kind != "tags" || changes[0].Op != content.OpCreate {
		t.Errorf("hooks called with %v", changes)
	}
	// Made in the meantime, it is no longer unknown.
	if again, err := s.resolve(s.tags, "subscriber", unknown); err != nil || !slices.Equal(again, []int64{17, got[0]}) {
		t.Errorf("%v, %v", again, err)
	}
	s.Exec("DELETE FROM wp_options WHERE option_name = 'tribe_events_cat_children'")
	if got, err := s.resolve(s.categories, "author", check(s.categories, "Impro, Nieuw soort")); err != nil || len(got) != 2 ||
		got[0] != 11 {
		t.Errorf("%v, %v", got, err)
	}
	if !strings.Contains(s.rows(), "tribe_events_cat_children|a:2:{i:6;") {
		t.Error("the tree of categories is not stored")
	}
	// An id that was deleted after it was checked is a fault of the field.
	a := check(s.tags, "17")
	s.Must(200, "editor", "DELETE", "/tags/17", "")
	var f *param.Failure
	if _, err := s.resolve(s.tags, "editor", a); !errors.As(err, &f) || f.Faults[0].Param != "tags" {
		t.Errorf("%v", err)
	}
}

func TestMayAssign(t *testing.T) {
	env := item.New(item.Config{Content: content.New(content.Config{Types: content.Types{{PostType: "tribe_events"}}})})
	categories, tags := &term.UseCases{Service: env, Tree: true}, &term.UseCases{Service: env}
	for capability, want := range map[string][2]bool{"edit_tribe_events": {true, false}, "edit_posts": {false, true}, "read": {},
		"manage_categories": {}} {
		p := caller.Principal{UserID: 1, Capabilities: map[string]bool{capability: true}}
		if got := [2]bool{categories.CanAssign(p), tags.CanAssign(p)}; got != want {
			t.Errorf("%s: %v", capability, got)
		}
	}
}
