package pages

import (
	"net/http"
	"strings"
	"time"
)

// archive is a view in The Events Calendar's addresses below /events/, such as list/ or 2026-11/. It is converted to a
// parameter of the address that these pages use.
type archive struct {
	name, value string // parameter; "" for the calendar's own page
	moves       bool   // the view depends on the current day
}

// readArchive parses the part of a path after "events".
func readArchive(path string, today time.Time) (a archive, ok bool) {
	parts := strings.Split(path, "/")
	last, alone := parts[len(parts)-1], len(parts) == 1
	switch {
	case alone && is(parts[0], listWord):
		return archive{name: paramView, value: "list"}, true
	case alone && is(parts[0], todayWord):
		return archive{name: paramDay, value: today.Format(time.DateOnly), moves: true}, true
	case alone && is(parts[0], monthWord):
		return archive{}, true
	case alone || len(parts) == 2 && is(parts[0], monthWord):
		if _, err := time.Parse("2006-01", last); err == nil {
			return archive{name: paramMonth, value: last}, true
		}
	}
	_, err := time.Parse(time.DateOnly, last)
	return archive{name: paramDay, value: last}, err == nil && (alone || len(parts) == 2 && is(parts[0], dayWord))
}

// showArchive redirects to the address of these pages, keeping the other parameters.
func (s *Site) showArchive(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	a, ok := readArchive(to.path, s.today())
	if !ok {
		return notFound()
	}
	q, start := r.URL.Query(), route{kind: home}
	if a.name != "" {
		q.Add(a.name, a.value) // if the query already has this parameter, there are two, which is rejected as usual
	}
	if q.Has(paramICal) { // answered without a redirect, since feed readers may not follow one
		r = r.Clone(r.Context())
		r.URL.RawQuery = q.Encode()
		return s.showFeed(w, r, v, start)
	}
	if a.moves {
		http.Redirect(w, r, v.link(start)+"?"+q.Encode(), http.StatusFound)
		return nil
	}
	redirect(w, r, v.link(start), q.Encode())
	return nil
}
