package term_test

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
		ids, err = k.Resolve(ctx, a)
		return err
	})
	return ids, err
}

// D06, D40: existing terms by id, slug or name; unknown ids are refused.
func TestD40Assign(t *testing.T) {
	s := newServer(t)
	s.Exec("INSERT INTO wp_terms (term_id, name, slug) VALUES (40, 'Year', '2026'), (41, '27', 'twenty-seven'), (42, 'Two', '18')")
	s.Exec("INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (140, 40, 'post_tag', ''), " +
		"(141, 41, 'post_tag', ''), (142, 42, 'post_tag', '')")
	before := s.rows()
	for _, c := range []struct {
		k     *term.UseCases
		in    any
		want  []int64
		fault string
	}{
		{s.tags, []any{"18", int64(17), "18", 18.0}, []int64{18, 17}, ""}, // an id before the slug 18
		{s.tags, "gratis, BUITEN, Première", []int64{17, 18, 24}, ""},
		{s.tags, []any{"uit & thuis", "uit  &  thuis", "uit &amp; thuis", "uit-thuis"}, []int64{23}, ""},
		{s.tags, "2026", []int64{140}, ""}, {s.tags, int64(2026), []int64{140}, ""},
		{s.tags, "27", nil, "fault_tags_id"}, // a number is no name
		{s.tags, int64(6), nil, "fault_tags_id"}, {s.tags, []any{int64(17), int64(999999)}, nil, "fault_tags_id"},
		{s.tags, "0", nil, "fault_tags_id"}, {s.tags, int64(-17), nil, "fault_tags_id"}, {s.tags, "1e300", nil, "fault_tags_id"},
		{s.tags, true, nil, "fault_tags_id"},
		{s.tags, []any{"<b></b>"}, nil, "fault_blank"}, {s.tags, strings.Repeat("é", 201), nil, "fault_too_long"},
		{s.tags, []any{[]any{}}, nil, "fault_nested"},
		{s.tags, false, nil, ""}, {s.tags, "", nil, ""}, {s.tags, []any{}, nil, ""},
		{s.categories, "jazz-x", []int64{7}, ""}, {s.categories, "Dans & Beweging,pop/rock", []int64{13, 9}, ""},
		{s.categories, term.Object(int64(8), "Muziek"), []int64{8, 6}, ""}, {s.categories, int64(17), nil, "fault_categories_id"},
	} {
		a, err := apitest.Apply(t.Context(), c.k.Assignment(), c.in)
		var f *param.Fault
		if errors.As(err, &f); c.fault != "" {
			if f == nil || f.Message.ID != c.fault {
				t.Errorf("%.60v: %v, %v", c.in, a, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%.60v: %v", c.in, err)
			continue
		}
		// Nobody needs a right to terms that exist.
		if got, err := s.resolve(c.k, "subscriber", a); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%.60v: %v, %v", c.in, got, err)
		}
	}
	if s.rows() != before || len(s.takeChanges()) > 0 {
		t.Error("something was written")
	}
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
	s.must(200, "DELETE", "/tags/17", "")
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
