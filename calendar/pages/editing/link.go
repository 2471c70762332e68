package editing

import (
	"net/http"

	"github.com/agendahq/agenda/calendar"
)

// HasSession reports whether a request has a session cookie. The session may have ended.
func HasSession(s *Site, r *http.Request) bool {
	_, ok := s.token(r)
	return ok
}

// Link returns the address of the form of an event in a language, for the public page of the event. It returns "" if
// the request's user may not edit the event. A page with such a link must not be cached for others. For a request
// without a session cookie, Link reads nothing.
func Link(s *Site, r *http.Request, tag string, e calendar.Event) string {
	token, ok := s.token(r)
	if !ok {
		return ""
	}
	ctx := calendar.WithClient(calendar.WithLanguage(r.Context(), tag), r)
	session, err := s.accounts.Session(ctx, token)
	if err != nil || !s.forms.editors[0].mayAny(session.Principal) ||
		!s.forms.editors[0].hasRight(session.Principal, "edit", e.AuthorID, e.Status) {
		return "" // the public page is shown without the link
	}
	for _, l := range s.languages {
		if l.Tag == tag {
			return l.link("/events/" + decimal(e.EventID) + "/")
		}
	}
	return ""
}
