package calendar

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
)

// Principal is the caller of a request: who it is and what it may do. The zero
// value is an anonymous caller.
type Principal struct {
	// UserID is the id in the site's user table, the author of what the caller
	// creates; 0 for callers that are no users, whose items have no author.
	UserID int64

	// Login is the caller's name, for logs.
	Login string

	// Capabilities are what the caller may do: those that are true, and no others. Each of "edit_", "publish_", "delete_",
	// "edit_others_", "delete_others_", "edit_published_", "delete_published_", "read_private_", "edit_private_" and
	// "delete_private_" comes with "tribe_events", "tribe_venues" and "tribe_organizers": to create and publish events a
	// program needs "edit_tribe_events" and "publish_tribe_events". Categories need these two as well, tags
	// "edit_tribe_events" and "manage_categories", and to be given to events "edit_posts"; images need "upload_files", HTML that
	// is not filtered "unfiltered_html". nil means what the site stores for the user; a caller that is no user then has none.
	// Where Site.FilterHTML holds nobody has "unfiltered_html"; on a network of sites nobody has it but the administrators of
	// the network, where they are users whose rights are the stored ones.
	Capabilities map[string]bool
}

// Anonymous reports whether nobody is logged in: neither a user of the site nor
// a caller with capabilities.
func (p Principal) Anonymous() bool { return caller.Principal(p).Anonymous() }

// LogValue returns the caller's id and name, without its capabilities.
func (p Principal) LogValue() slog.Value {
	return slog.GroupValue(slog.Int64("user_id", p.UserID), slog.String("login", p.Login))
}

// Can reports whether the caller has a capability.
func (p Principal) Can(capability string) bool { return p.Capabilities[capability] }

// Authenticator finds the caller of a request. It may name a user of the site
// and leave Capabilities nil, or give capabilities of its own.
//
// A request without credentials is anonymous and no error: the zero Principal.
// Wrong credentials are an *AuthError, answered with 401. Any other error means
// that it could not be found out who calls, such as a user directory that does
// not answer: it is logged, and answered with 503. No answer shows the error.
type Authenticator interface {
	Authenticate(r *http.Request) (Principal, error)
}

// AuthError is what an Authenticator returns to refuse a caller. Its zero value
// is complete:
//
//	return calendar.Principal{}, &calendar.AuthError{}
type AuthError struct {
	// Err is the reason, for errors.Is and errors.As of the host's own; it is
	// neither shown nor logged. Default none.
	Err error
}

// Error returns the reason.
func (e *AuthError) Error() string {
	if e.Err == nil {
		return "calendar: the credentials are not valid"
	}
	return "calendar: the credentials are not valid: " + e.Err.Error()
}

// Unwrap returns the reason, nil if none is given.
func (e *AuthError) Unwrap() error { return e.Err }

// Anonymous is the Authenticator of a calendar that lets nobody in: everybody
// reads what is public.
var Anonymous Authenticator = nobody{}

type nobody struct{}

func (nobody) Authenticate(*http.Request) (Principal, error) { return Principal{}, nil }

type authenticate = func(ctx context.Context, r *http.Request, form func(string) (string, bool)) (caller.Principal, []rest.Header, error)

// byHost makes a host's Authenticator the engine's.
func byHost(a Authenticator, users *auth.Users) authenticate {
	return func(ctx context.Context, r *http.Request, _ func(string) (string, bool)) (caller.Principal, []rest.Header, error) {
		given, err := a.Authenticate(r)
		p, err := hostCaller(ctx, users, given, err)
		return p, nil, err
	}
}

// hostCaller returns the caller that a host's Authenticator returned.
func hostCaller(ctx context.Context, users *auth.Users, p Principal, err error) (caller.Principal, error) {
	var refused *AuthError
	switch {
	case errors.As(err, &refused):
		return caller.Principal{}, rest.ErrNotAuthenticated
	case err != nil:
		return caller.Principal{}, rest.ErrLoginUnavailable.Because(err)
	}
	return withRights(ctx, users, caller.Principal(p))
}

// withRights gives a user whose capabilities the host leaves to the site those of the
// site's tables.
func withRights(ctx context.Context, users *auth.Users, p caller.Principal) (caller.Principal, error) {
	if p.UserID == 0 || p.Capabilities != nil {
		p.Capabilities = users.Limit(ctx, p.Capabilities)
		return p, nil
	}
	var err error
	if p.Capabilities, err = users.Capabilities(ctx, p.UserID); errors.Is(err, auth.ErrUnknownUser) {
		return caller.Principal{}, rest.ErrNotAuthenticated
	}
	return p, err
}
