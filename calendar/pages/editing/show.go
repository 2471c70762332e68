package editing

import "strings"

// showNew shows the form of a new item. The form of a copy contains the values of another item, with a later day.
func (k *editor) showNew(s *Site, r *request) (answer, error) {
	f := k.sheet(s, r, 0)
	if of := r.URL.Query().Get("copy"); of != "" {
		id, err := parseID(of)
		if err != nil {
			return answer{}, err
		}
		from, _, err := k.whole(r.Context(), s.Calendar, id)
		if err != nil {
			return answer{}, err
		}
		read := k.formValues(from, k.reading(r.Context(), s.forms))
		f.w.typed, f.w.was = copied(read, s.Now().In(from.zone(s.Zone)))
	}
	return f.page(0)
}

// showItem shows the form of an item.
func (k *editor) showItem(s *Site, r *request) (answer, error) {
	found, id, err := k.whole(r.Context(), s.Calendar, r.id)
	if err != nil {
		return answer{}, err
	}
	if id != r.id {
		return seeOther(r.link("/" + k.name + "/" + decimal(id) + "/")), nil
	}
	f := k.sheet(s, r, id)
	f.w.was = k.formValues(found, k.reading(r.Context(), s.forms))
	f.w.typed = k.formValues(found, k.reading(r.Context(), s.forms))
	f.about(found)
	return f.page(0)
}

// showNames answers with the names of venues that match a text, one per line, for the script of the form.
func (fs *forms) showNames(_ *Site, r *request) (answer, error) {
	q := strings.TrimSpace(r.URL.Query().Get("q"))
	if q == "" || len(q) > 200 {
		return answer{kind: "text/plain; charset=utf-8"}, nil
	}
	found, err := fs.named(r.Context(), "venues", q)
	var names []string
	for _, one := range found[:min(len(found), 10)] {
		names = append(names, one.name)
	}
	return answer{kind: "text/plain; charset=utf-8", raw: []byte(strings.Join(names, "\n"))}, err
}
