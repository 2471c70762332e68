package editing

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// defaults are what the site has where an event says nothing.
type defaults struct{ zone *time.Location }

// writing makes what the API takes of what was typed in a form.
type writing struct {
	kind     *kind
	language string
	typed    url.Values // what was typed; a time that was understood is put in the form that its field has
	fresh    bool       // a new item
	was      url.Values // what the form was made with; of a new item what it was copied from, as far as that is not typed
	picture  *calendar.File
	// find returns the id of what has a name, "" for none, and names like it.
	find func(collection, name string) (id string, like []string, err error)

	out    calendar.Values
	faults map[string]faultOf  // by field
	alike  map[string][]string // names like the one that was not found, by field
	failed error               // of a look-up
	dated  bool
}

// one returns the value of an input.
func (w *writing) one(name string) string { return strings.TrimSpace(w.typed.Get(name)) }

// fault notes what is wrong with a field, unless something is already.
func (w *writing) fault(name, key string, args ...string) {
	if _, wrong := w.faults[name]; !wrong {
		w.faults[name] = faultOf{Key: key, Args: args}
	}
}

// values fills out with the fields that were changed, and reports whether nothing is wrong with them.
func (w *writing) values() bool {
	w.out, w.faults, w.alike, w.dated = calendar.Values{}, map[string]faultOf{}, map[string][]string{}, false
	for _, f := range w.kind.fields {
		if w.changed(f) || f.widget == "picture" && w.picture != nil || w.fresh && f.needed(w) {
			f.write(w)
		}
	}
	return len(w.faults) == 0 && w.failed == nil
}

// needed reports whether a new item is given a field of which nothing was typed: what it must have, and what was copied.
func (f *entry) needed(w *writing) bool {
	return f.name == w.kind.title || f.name == "when" || f.name == "description" && w.was.Get(storedText) != "" ||
		f.name == "image" && w.was.Get(shownImage) != ""
}

// changed reports whether the typed value of a field is another than the form was made with.
func (w *writing) changed(f *entry) bool { return !f.same(w.typed, w.was) }

// same reports whether two forms have the same value of a field.
func (f *entry) same(a, b url.Values) bool {
	for _, name := range f.inputs {
		if !slices.Equal(settled(a[name]), settled(b[name])) {
			return false
		}
	}
	return true
}

// settled returns the values of an input in one form: browsers end lines otherwise, and send nothing of a box that is not ticked.
func settled(list []string) (same []string) {
	for _, one := range list {
		one = strings.TrimSpace(strings.ReplaceAll(one, "\r\n", "\n"))
		same = append(same, one)
	}
	for len(same) > 0 && same[len(same)-1] == "" {
		same = same[:len(same)-1]
	}
	return same
}

// field returns a field of a kind by its name, nil for none.
func (k *kind) entry(name string) *entry {
	if i := slices.IndexFunc(k.fields, func(f *entry) bool { return f.name == name }); i >= 0 {
		return k.fields[i]
	}
	return nil
}

// read returns an item as a form has it.
func (k *kind) read(s stored, in reading) url.Values {
	v := url.Values{}
	for _, f := range k.fields {
		f.read(s, in, v)
	}
	return v
}

// refused notes at their fields what the API refuses. It returns what belongs to no field.
func (w *writing) refused(err *calendar.Error) (rest []string) {
	for _, name := range slices.Sorted(maps.Keys(err.Params)) {
		said := err.Params[name]
		i := slices.IndexFunc(w.kind.fields, func(f *entry) bool { return f.name == name || slices.Contains(f.params, name) })
		if i < 0 {
			rest = append(rest, name+": "+said)
			continue
		}
		if _, wrong := w.faults[w.kind.fields[i].name]; !wrong {
			w.faults[w.kind.fields[i].name] = faultOf{Said: said}
		}
	}
	if len(err.Params) == 0 {
		rest = append(rest, err.Message)
	}
	return rest
}

// conflicts returns the fields that somebody else has changed since the form was made, and that were changed in it to something else.
// Fields of one group are one.
func (w *writing) conflicts(now url.Values) (list []*entry) {
	changed := func(of, to url.Values, f *entry) bool {
		if f.group == "" {
			return !f.same(of, to)
		}
		return slices.ContainsFunc(w.kind.fields, func(other *entry) bool { return other.group == f.group && !other.same(of, to) })
	}
	for _, f := range w.kind.fields {
		if changed(w.was, now, f) && changed(w.was, w.typed, f) && !f.same(w.typed, now) {
			list = append(list, f)
		}
	}
	return list
}
