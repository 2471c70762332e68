package calendar

import (
	"net/http"

	"github.com/agendahq/agenda/internal/rest"
)

// Principal is the caller of a request: who it is and what it may do. The zero
// value is an anonymous caller.
type Principal = rest.Principal

// Authenticator finds the caller of a request. A request without credentials
// is anonymous and no error; wrong credentials are an error, and answered with
// 401, never treated as anonymous.
type Authenticator interface {
	Authenticate(r *http.Request) (Principal, error)
}

var errNotAuthenticated = rest.NewError(http.StatusUnauthorized, "rest_not_authenticated", "error_not_authenticated")

// authenticate makes an Authenticator the engine's, nil for none.
func authenticate(a Authenticator) func(*http.Request) (rest.Principal, error) {
	if a == nil {
		return nil
	}
	return func(r *http.Request) (rest.Principal, error) {
		p, err := a.Authenticate(r)
		if err != nil {
			return Principal{}, errNotAuthenticated
		}
		return p, nil
	}
}
