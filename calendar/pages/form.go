package pages

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// form contains the values of the form with the filters.
type form struct {
	Action  string
	Hidden  []hiddenField // hidden fields that preserve the view and the time
	Query   string
	Selects []selection
	Inputs  []input
	Free    bool
	Reset   string
	Near    string // name of the parameter for places; "" if the coordinates of no venue are known
}

type hiddenField struct{ Name, Value string }

// selection is a select element for a filter.
type selection struct {
	Name, Label, All string // All is the label of the option that selects everything
	Options          []option
}

type option struct {
	Slug, Name string
	Lang       string // language of Name; "" if it is the page's
	Selected   bool
}

// menu contains the possible values of the filters.
type menu struct {
	tree   categoryTree
	tags   []calendar.Term
	venues []calendar.Venue
	own    ownFields
}

// menu reads the values of the filters.
func (c *client) menu(ctx context.Context, v *version) (m menu, err error) {
	if m.tree, err = c.tree(ctx, v); err != nil {
		return m, err
	}
	m.tags, err = readAll(ctx, c, v, oneTag, url.Values{}, menuPages, func(l items) []calendar.Term { return l.Terms })
	if err != nil {
		return m, err
	}
	m.venues, err = c.venuesByName(ctx, v)
	m.own = c.own
	return m, err
}

// menuPages is the maximal number of pages that are read for a menu: a menu of more than 200 entries would be unusable.
const menuPages = 4

func (v *version) form(st state, filters []filter, m menu) form {
	f := form{Action: v.link(route{kind: home}), Query: st.query, Free: st.free}
	hide := func(name, value string, given bool) {
		if given {
			f.Hidden = append(f.Hidden, hiddenField{name, value})
		}
	}
	hide(paramView, "list", st.view == listView)
	hide(paramWhen, st.when, st.when != "")
	hide(paramMonth, st.month.Format("2006-01"), !st.month.IsZero())
	hide(paramWeek, st.day.Format(time.DateOnly), st.view == weekView)
	hide(paramDay, st.day.Format(time.DateOnly), st.view == dayView)
	reset := st
	for _, x := range filters {
		reset = reset.without(x)
	}
	f.Reset = v.home(reset)
	lists := [len(filterParams)][]option{}
	for _, t := range m.tree.ordered() {
		name := unmarked(t.Name)
		if t.ParentID != 0 {
			name = "– " + name
		}
		lists[0] = append(lists[0], option{Slug: t.Slug, Name: name, Lang: v.foreign(t.Localized, name)})
	}
	for _, t := range m.tags {
		lists[1] = append(lists[1], option{Slug: t.Slug, Name: unmarked(t.Name), Lang: v.foreign(t.Localized, t.Name)})
	}
	for _, p := range m.venues {
		lists[2] = append(lists[2], option{Slug: p.Slug, Name: unmarked(p.Name), Lang: v.foreign(p.Localized, p.Name)})
	}
	for i, p := range filterParams {
		if len(lists[i]) == 0 {
			hide(p.name, st.slugs[i], st.slugs[i] != "")
			continue
		}
		f.Selects = append(f.Selects, selection{
			p.name, v.texts.word(p.name), v.texts.word(p.name + ".all"), selected(lists[i], filters, i),
		})
	}
	if near := v.nearSelection(st, m.venues); len(near.Options) > 0 {
		f.Near, f.Selects = paramNear, append(f.Selects, near)
	} else {
		hide(paramNear, st.near, st.near != "")
	}
	selects, inputs := m.own.controls(v, st)
	f.Selects, f.Inputs = append(f.Selects, selects...), inputs
	return f
}

// nearSelection returns the select element of the places. The current value is one of them, also if it is the visitor's
// position or the name of a place in another language.
func (v *version) nearSelection(st state, venues []calendar.Venue) selection {
	near := selection{Name: paramNear, Label: v.texts.word("near.label"), All: v.texts.word("any")}
	for _, p := range placesOf(venues) {
		near.Options = append(near.Options, option{Slug: p.name, Name: p.name, Selected: p.name == st.near})
	}
	listed := slices.ContainsFunc(near.Options, func(o option) bool { return o.Selected })
	if name := st.near; name != "" && !listed && len(near.Options) > 0 {
		if isPoint(name) {
			name = v.texts.word("near.you")
		}
		near.Options = append(near.Options, option{Slug: st.near, Name: name, Selected: true})
	}
	return near
}

// selected marks the option of the current filter, and appends it if the menu lacks it.
func selected(options []option, filters []filter, index int) []option {
	at := slices.IndexFunc(filters, func(f filter) bool { return f.index == index })
	there := false
	for i := range options {
		options[i].Slug = unescaped(options[i].Slug)
		options[i].Selected = at >= 0 && options[i].Slug == filters[at].slug
		there = there || options[i].Selected
	}
	if at >= 0 && !there {
		options = append(options, option{filters[at].slug, filters[at].name, filters[at].lang, true})
	}
	return options
}

// kinds returns links to the top-level categories, with their colours.
func (v *version) kinds(st state, filters []filter, m menu) []kindLink {
	var list []kindLink
	for _, t := range m.tree.roots() {
		there, slug := st, unescaped(t.Slug)
		there.page = 1
		current := st.slugs[0] == slug
		there.slugs[0] = slug
		if current {
			there.slugs[0] = ""
		}
		list = append(list, kindLink{
			tab{Name: unmarked(t.Name), Lang: v.foreign(t.Localized, t.Name), Link: v.home(there), Current: current}, m.tree.colours[t.ID],
		})
	}
	return list
}

// unescaped returns a slug as in a query. In paths and in the API, slugs are percent-encoded.
func unescaped(slug string) string {
	if plain, err := url.PathUnescape(slug); err == nil {
		return plain
	}
	return slug
}
