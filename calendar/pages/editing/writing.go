package editing

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// defaults contains the site's values for what an event does not contain.
type defaults struct{ zone *time.Location }

// writing converts the values of a form to values for the API.
type writing struct {
	editor   *editor
	language string
	typed    url.Values // entered values; a valid day is converted to the format of its input
	fresh    bool       // the item is new
	was      url.Values // values from which the form was made; for a copy, those of the original that the form does not show
	picture  *calendar.File
	// find returns the id of the item with a name, or "" if there is none, and similar names.
	find func(collection, name string) (id string, like []string, err error)
	// versions returns the items of the resource in other languages that contain a text.
	versions func(text string) ([]namedItem, error)

	out    calendar.Values
	faults map[string]faultOf  // errors by field
	alike  map[string][]string // names similar to the one that was not found, by field
	failed error               // error of a look-up
	dated  bool
}

// one returns the value of an input.
func (w *writing) one(name string) string { return strings.TrimSpace(w.typed.Get(name)) }

// fault records the error of a field, unless the field already has one.
func (w *writing) fault(name, key string, args ...string) {
	if _, wrong := w.faults[name]; !wrong {
		if w.faults == nil {
			w.faults = map[string]faultOf{}
		}
		w.faults[name] = faultOf{Key: key, Args: args}
	}
}

// values sets out to the values of the fields that were changed, and reports whether there were no errors.
func (w *writing) values() bool {
	w.out, w.faults, w.alike, w.dated = calendar.Values{}, map[string]faultOf{}, map[string][]string{}, false
	for _, f := range w.editor.fields {
		if w.changed(f) || f.widget == "picture" && w.picture != nil || w.fresh && f.needed(w) {
			f.write(w)
		}
	}
	return len(w.faults) == 0 && w.failed == nil
}

// needed reports whether a field of a new item is written although it was not changed: required fields, and copied
// values.
func (f *entry) needed(w *writing) bool {
	return f.name == w.editor.title || f.name == "when" || f.name == "description" && w.was.Get(storedText) != "" ||
		f.name == "image" && w.was.Get(shownImage) != ""
}

// changed reports whether the value of a field differs from the one from which the form was made.
func (w *writing) changed(f *entry) bool { return !f.same(w.typed, w.was) }

// same reports whether a field has the same value in two forms.
func (f *entry) same(a, b url.Values) bool {
	for _, name := range f.inputs {
		if !slices.Equal(settled(a[name]), settled(b[name])) {
			return false
		}
	}
	return true
}

// settled returns the values of an input in a canonical form: browsers use other line breaks, and send nothing for an
// unchecked checkbox.
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

// entry returns the field with a name, or nil if there is none.
func (k *editor) entry(name string) *entry {
	if i := slices.IndexFunc(k.fields, func(f *entry) bool { return f.name == name }); i >= 0 {
		return k.fields[i]
	}
	return nil
}

// formValues returns the values of an item for its form.
func (k *editor) formValues(s stored, in reading) url.Values {
	v := url.Values{}
	for _, f := range k.fields {
		f.read(s, in, v)
	}
	return v
}

// refused records the errors of the API at their fields. It returns those that belong to no field.
func (w *writing) refused(err *calendar.Error) (rest []string) {
	for _, name := range slices.Sorted(maps.Keys(err.Params)) {
		said := err.Params[name]
		i := slices.IndexFunc(w.editor.fields, func(f *entry) bool { return f.name == name || slices.Contains(f.params, name) })
		if i < 0 {
			rest = append(rest, name+": "+said)
			continue
		}
		if _, wrong := w.faults[w.editor.fields[i].name]; !wrong {
			w.faults[w.editor.fields[i].name] = faultOf{Said: said}
		}
	}
	if len(err.Params) == 0 {
		rest = append(rest, err.Message)
	}
	return rest
}

// conflicts returns the fields that somebody else has changed since the form was made, and that the form changes to
// another value. The fields of a group count as one. What a field's inputs do not show, such as the blocks of a
// description that are preserved or which image it is, counts as well: it would be replaced with them.
func (w *writing) conflicts(now url.Values) (list []*entry) {
	changed := func(of, to url.Values, f *entry) bool {
		if f.group == "" {
			return !f.same(of, to)
		}
		return slices.ContainsFunc(w.editor.fields, func(other *entry) bool { return other.group == f.group && !other.same(of, to) })
	}
	for _, f := range w.editor.fields {
		theirs, same := changed(w.was, now, f), f.same(w.typed, now)
		if f.hidden != "" {
			theirs = theirs || w.was.Get(f.hidden) != now.Get(f.hidden)
			same = w.out[f.name] == now.Get(f.hidden) || same && w.was.Get(f.hidden) == now.Get(f.hidden)
		}
		if theirs && changed(w.was, w.typed, f) && !same {
			list = append(list, f)
		}
	}
	return list
}
