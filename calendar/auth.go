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

// Principal is the caller of a request: who it is and what it may do. The zero value is an anonymous caller.
type Principal struct {
	// UserID is the id in the site's table of users. It becomes the author of what the caller creates. It is 0 for
	// callers that are not users of the site; what they create has no author.
	UserID int64

	// Login is the caller's name, for logs.
	Login string

	// Capabilities maps the caller's capabilities to true. It must contain nothing else. The capabilities for events,
	// venues and organizers consist of "edit_", "publish_", "delete_", "edit_others_", "delete_others_",
	// "edit_published_", "delete_published_", "read_private_", "edit_private_" or "delete_private_", followed by
	// "tribe_events", "tribe_venues" or "tribe_organizers". To create and publish events, a program needs
	// "edit_tribe_events" and "publish_tribe_events". Categories require the same two, tags "edit_tribe_events" and
	// "manage_categories". Assigning categories and tags to events requires "edit_posts", images "upload_files", and
	// unfiltered HTML "unfiltered_html".
	//
	// If Capabilities is nil, the caller has the capabilities that the site stores for the user, or none if it is not a
	// user. If Site.FilterHTML is set, no caller has "unfiltered_html". On a network of sites (WordPress multisite)
	// only administrators of the network have it, and only if Capabilities is nil.
	Capabilities map[string]bool
}

// Anonymous reports whether the caller is neither a user of the site nor has capabilities.
func (p Principal) Anonymous() bool { return caller.Principal(p).Anonymous() }

// LogValue returns the caller's id and name, without its capabilities.
func (p Principal) LogValue() slog.Value {
	return slog.GroupValue(slog.Int64("user_id", p.UserID), slog.String("login", p.Login))
}

// Can reports whether the caller has a capability.
func (p Principal) Can(capability string) bool { return p.Capabilities[capability] }

// Authenticator determines the caller of a request. It may return a user of the site with Capabilities nil, so that
// those stored by the site apply, or a Principal with the capabilities that the host chooses.
//
// For a request without credentials it returns the zero Principal, an anonymous caller, and no error. For invalid
// credentials it returns an *AuthError, which is answered with 401. Any other error means that the caller could not be
// determined, for example because a user directory does not respond. It is logged and answered with 503. Answers never
// contain the error.
type Authenticator interface {
	Authenticate(r *http.Request) (Principal, error)
}

// AuthError is the error of an Authenticator that rejects a caller. Its zero value can be used:
//
//	return calendar.Principal{}, &calendar.AuthError{}
type AuthError struct {
	// Err is the reason, for the host's use of errors.Is and errors.As. It is neither shown nor logged. Default: none.
	Err error
}

// Error returns the reason.
func (e *AuthError) Error() string {
	if e.Err == nil {
		return "calendar: the credentials are not valid"
	}
	return "calendar: the credentials are not valid: " + e.Err.Error()
}

// Unwrap returns the reason, or nil if there is none.
func (e *AuthError) Unwrap() error { return e.Err }

// Anonymous is an Authenticator for which every caller is anonymous: everybody reads what is public, and nobody writes.
var Anonymous Authenticator = nobody{}

type nobody struct{}

func (nobody) Authenticate(*http.Request) (Principal, error) { return Principal{}, nil }

type authenticate = func(ctx context.Context, r *http.Request, form func(string) (string, bool)) (caller.Principal, []rest.Header, error)

// byHost adapts a host's Authenticator to the engine.
func byHost(a Authenticator, users *auth.Users) authenticate {
	return func(ctx context.Context, r *http.Request, _ func(string) (string, bool)) (caller.Principal, []rest.Header, error) {
		given, err := a.Authenticate(r)
		p, err := hostCaller(ctx, users, given, err)
		return p, nil, err
	}
}

// hostCaller converts the result of a host's Authenticator.
func hostCaller(ctx context.Context, users *auth.Users, p Principal, err error) (caller.Principal, error) {
	var refused *AuthError
	switch {
	case errors.As(err, &refused):
		return caller.Principal{}, rest.ErrNotAuthenticated
	case err != nil:
		return caller.Principal{}, rest.ErrLoginUnavailable.Because(err)
	}
	return users.WithRights(ctx, caller.Principal(p))
}
