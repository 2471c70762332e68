package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Parameters of The Events Calendar with which programs request the feed of a page.
const (
	paramICal     = "ical"
	paramPostType = "post_type"
	paramDisplay  = "eventDisplay"
)

// feedQuery returns the query of the feed with a state's filters. It omits the time that the page shows, since
// subscribers need the upcoming events.
func feedQuery(st state) string {
	q, _ := url.ParseQuery(strings.TrimPrefix(state{page: 1, query: st.query, near: st.near, own: st.own, slugs: st.slugs}.values(), "?"))
	q.Set(paramICal, "1")
	return "?" + q.Encode()
}

// showFeed answers with the feed of the events of a page.
func (s *Site) showFeed(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	q := r.URL.Query()
	st, known := readState(q, s.client.own)
	if !known || q.Get(paramICal) != "1" || !slices.Contains([]string{"", "tribe_events"}, q.Get(paramPostType)) ||
		!slices.Contains([]string{"", "default", "list", "month", "day"}, q.Get(paramDisplay)) || st.free {
		return notFound()
	}
	switch to.kind {
	case aboutPage, framed, builder, atomFeed, jsonFeed:
		return notFound()
	case oneEvent:
		e, _, err := s.client.event(r.Context(), v, to, nil)
		if err != nil {
			return err
		}
		return s.passFeed(w, r, v, "/events/"+decimal(e.ID), url.Values{})
	}
	if to.kind != home {
		st.slugs[filterOf(to.kind)] = unescaped(to.slug)
	}
	tree, err := s.client.tree(r.Context(), v)
	if err != nil {
		return err
	}
	filters, err := s.client.filters(r.Context(), v, st, tree)
	if err != nil {
		return err
	}
	asked := question(filters)
	switch {
	case st.view == dayView:
		asked = from(asked, st.day)
		asked.Set("starts_before", st.day.Format(time.DateOnly))
	case !st.month.IsZero():
		asked = from(asked, st.month)
		asked.Set("starts_before", st.month.AddDate(0, 1, -1).Format(time.DateOnly))
	default: // as in a list: events that have begun but not ended, too
		asked = from(asked, s.today())
	}
	return s.passFeed(w, r, v, "/events", asked)
}

// passFeed forwards the API's answer. Of the request, only conditional headers and the origin are passed to the API.
func (s *Site) passFeed(w http.ResponseWriter, r *http.Request, v *version, route string, q url.Values) error {
	q.Set("_format", "ics")
	header := http.Header{"Accept": {"text/calendar"}}
	for _, name := range []string{"If-None-Match", "If-Modified-Since", "Origin"} {
		if values := r.Header.Values(name); len(values) > 0 {
			header[name] = values
		}
	}
	target := s.client.address(v.lang, route) + "?" + q.Encode()
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	req.Header, req.RequestURI = header, target
	to := &feedWriter{to: w, header: http.Header{}}
	s.client.api.ServeHTTP(to, req)
	return to.err
}

// feedWriter forwards the calendar's answer if it is a feed. The calendar counts the memory of the answer until it is
// sent.
type feedWriter struct {
	to     http.ResponseWriter
	header http.Header
	wrote  bool
	err    error // the error of an answer that is not a feed
}

func (f *feedWriter) Header() http.Header { return f.header }

func (f *feedWriter) WriteHeader(status int) {
	if f.wrote {
		return
	}
	f.wrote = true
	kind := f.header.Get("Content-Type")
	switch {
	case status == http.StatusNotModified, strings.HasPrefix(kind, "text/calendar"):
		for name, values := range f.header {
			if name != "X-Request-Id" { // this request has its own id
				f.to.Header()[name] = values
			}
		}
		f.to.WriteHeader(status)
	case status == http.StatusOK:
		f.err = notFound() // an API without feeds
	default:
		f.to.Header().Set("Cache-Control", noStore) // the keys of the answer are not known
		f.err = &calendar.Error{Status: status}
	}
}

func (f *feedWriter) Write(p []byte) (int, error) {
	f.WriteHeader(http.StatusOK)
	if f.err != nil {
		return len(p), nil
	}
	return f.to.Write(p)
}

// FlushError sends what is buffered of a feed. The calendar calls it after each answer. If the answer is not a feed,
// nothing has been sent yet, and flushing would send the status 200 before the error page.
func (f *feedWriter) FlushError() error {
	if !f.wrote || f.err != nil {
		return nil
	}
	return http.NewResponseController(f.to).Flush()
}

// Unwrap returns the visitor's connection, for http.ResponseController.
func (f *feedWriter) Unwrap() http.ResponseWriter { return f.to }
