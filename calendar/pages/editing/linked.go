package editing

import (
	"net/url"
	"slices"
	"strings"
)

// linkedField returns the field for the venues or organizers of an event, one name per line. An existing item with a
// name is used; a new one is only created if the user asks for it.
func linkedField(name, collection, widget string) *entry {
	known := name + ".known" // ids and names from which the form was made
	return &entry{
		name: name, widget: widget, inputs: []string{name, name + "_address", name + "_zip", name + "_city", name + "_new"},
		read: func(s stored, _ reading, v url.Values) {
			var names []string
			for _, one := range s.items(name) {
				title := unescaped(one.plain(name))
				names = append(names, title)
				v.Add(known, one.id()+" "+title)
			}
			v.Set(name, strings.Join(names, "\n"))
		},
		write: func(w *writing) {
			ids, free := map[string]string{}, map[string]int{}
			for _, one := range w.was[known] {
				id, title, _ := strings.Cut(one, " ")
				ids[title] = id
				free[title]++
			}
			list := []any{}
			for _, title := range linesOf(w.one(name)) {
				if free[title] == 1 {
					list = append(list, ids[title])
					continue
				}
				if one := w.linked(name, collection, title); one != nil {
					list = append(list, one)
				}
			}
			w.out[name] = list
		},
	}
}

// linked returns the id of the item with a name, or the values of a new one if the user asked for it. Otherwise it
// returns nil and reports an error.
func (w *writing) linked(name, collection, title string) any {
	id, like, err := w.find(collection, title)
	made := map[string]any{name: title}
	for _, part := range []string{"address", "zip", "city"} {
		if text := w.one(name + "_" + part); text != "" {
			made[part] = text
		}
	}
	switch {
	case err != nil:
		w.failed = err
	case id != "":
		return id
	case len(made) > 1 || slices.Contains(linesOf(w.one(name+"_new")), title):
		return made
	default:
		if _, asked := w.faults[name]; asked {
			return nil // names are asked about one by one
		}
		w.fault(name, name+".unknown", title)
		w.alike[name] = like
		w.typed.Set(name+"_new", strings.Join(append(linesOf(w.one(name+"_new")), title), "\n"))
	}
	return nil
}
