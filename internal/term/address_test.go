package term

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

func TestPageAddress(t *testing.T) {
	l := permalink.New(permalink.Settings{Home: "http://site.test", Permalink: "/%postname%/", EventSlug: "event", EventsSlug: "events"},
		nil, "tribe_events_cat", "post_tag")
	categories, tags := &UseCases{Tree: true}, &UseCases{}
	tree := byID(circular())
	for id, path := range map[int64]string{1: "a", 3: "a/b/c", 9: "i"} {
		if got, want := categories.pageAddress(l, tree, tree[id]), "http://site.test/events/category/"+path+"/"; got != want {
			t.Errorf("%d: %s, want %s", id, got, want)
		}
	}
	if got := tags.pageAddress(l, nil, tree[3]); got != "http://site.test/tag/c/" {
		t.Errorf("a tag: %s", got)
	}
	for _, id := range []int64{5, 7} {
		if got := categories.pageAddress(l, tree, tree[id]); strings.Count(got, "/") > maxDepth+10 {
			t.Errorf("%d in a circle: %s", id, got)
		}
	}
	var deep []*store.TaxonomyTerm
	for i := range int64(200) {
		deep = append(deep, row(i+1, i, 0, "x", "X"))
	}
	if got := categories.pageAddress(l, byID(deep), deep[199]); strings.Count(got, "/x") != maxDepth+1 {
		t.Errorf("200 levels: %d slugs", strings.Count(got, "/x"))
	}
}

func TestD02CarriedFilters(t *testing.T) {
	named := func(items ...string) param.Rule[Assigned] {
		return param.Checked(func(context.Context, any) (Assigned, error) { return Assigned{Items: items}, nil })
	}
	query, _ := param.ParseForm("parent=0&hide_empty=0&search=a+%26+b&include=x&exclude=x&odd=x")
	v, err := param.Read(t.Context(), []*param.Param{
		paramParent.Param(jsonschema.Int(), nil, param.Typed()), paramHideEmpty.Param(jsonschema.Bool(), nil, param.Typed()),
		paramSlug.Param(jsonschema.Text(), nil), item.Search.Param(jsonschema.Text(), nil),
		paramInclude.Param(jsonschema.Any(), named("rock", "2")), paramExclude.Param(jsonschema.Any(), named("a,b", "100%")),
	}, param.Sources{Query: query})
	if err != nil {
		t.Fatal(err)
	}
	var q call.Query
	carry(v, &q, paramParent, paramEvent)
	carry(v, &q, paramHideEmpty)
	carry(v, &q, item.Search, paramSlug)
	carry(v, &q, paramInclude, paramExclude)
	want := []string{"parent=0", "hide_empty=0", "search=a+%26+b", "include=rock%2C2", "exclude%5B%5D=a%2Cb", "exclude%5B%5D=100%25"}
	if got := strings.Split(q.String(), "&"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMayEdit(t *testing.T) {
	env := item.New(item.Config{Content: content.New(content.Config{Types: content.Types{{PostType: "tribe_events"}}})})
	categories, tags := &UseCases{Service: env, Tree: true}, &UseCases{Service: env}
	for _, c := range []struct {
		capabilities    string
		category, isTag bool
	}{
		{"", false, false},
		{"edit_tribe_events", false, false},
		{"publish_tribe_events manage_categories", false, false},
		{"edit_tribe_events publish_tribe_events", true, false},
		{"edit_tribe_events manage_categories", false, true},
	} {
		p := caller.Principal{UserID: 1, Capabilities: map[string]bool{}}
		for name := range strings.FieldsSeq(c.capabilities) {
			p.Capabilities[name] = true
		}
		if got := categories.CanEdit(p); got != c.category {
			t.Errorf("categories with %q: %v", c.capabilities, got)
		}
		if got := tags.CanEdit(p); got != c.isTag {
			t.Errorf("tags with %q: %v", c.capabilities, got)
		}
	}
}
