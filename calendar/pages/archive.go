package pages

import (
	"net/http"
	"strings"
	"time"
)

// archive is a form of the calendar as such sites name it below /events/, such as list/ or 2026-11/, as a parameter of our own address.
type archive struct {
	name, value string // "" for the calendar itself
	moves       bool   // it is another one tomorrow
}

// readArchive reads what follows "events" in a path.
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

// showArchive leads to our own address, with whatever else the query says.
func (s *Site) showArchive(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	a, ok := readArchive(to.path, s.today())
	if !ok {
		return notFound()
	}
	q, start := r.URL.Query(), route{kind: home}
	if a.name != "" {
		q.Add(a.name, a.value) // beside one of the query it has no meaning, as at our own address
	}
	if q.Has(paramICal) { // at every address that such sites answer, since programs may not follow redirects
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
