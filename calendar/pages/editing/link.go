package editing

import (
	"net/http"

	"github.com/agendahq/agenda/calendar"
)

// HasSession reports whether a request has the cookie of a session, which may have ended.
func HasSession(s *Site, r *http.Request) bool {
	_, ok := s.token(r)
	return ok
}

// Link returns the address of the form of an event in a language, for the visitors' page of it, "" for a request of nobody who may edit it.
// A page with such a link is for its reader alone. A request without a session costs nothing.
func Link(s *Site, r *http.Request, tag string, e calendar.Event) string {
	token, ok := s.token(r)
	if !ok {
		return ""
	}
	ctx := calendar.WithClient(calendar.WithLanguage(r.Context(), tag), r)
	session, err := s.accounts.Session(ctx, token)
	if err != nil || !s.forms.kinds[0].mayAny(session.Principal) || !s.forms.kinds[0].may(session.Principal, "edit", e.AuthorID, e.Status) {
		return "" // the visitors' page is that of everybody
	}
	for _, l := range s.languages {
		if l.Tag == tag {
			return l.link("/events/" + decimal(e.EventID) + "/")
		}
	}
	return ""
}
