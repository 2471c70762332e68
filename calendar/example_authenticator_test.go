package calendar_test

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/agendahq/agenda/calendar"
)

// feed is an Authenticator that accepts one program by a secret token; all other callers are anonymous. It declares the
// capabilities of the program, which is not a user in the site's tables.
type feed struct{ token string }

func (f feed) Authenticate(r *http.Request) (calendar.Principal, error) {
	given := r.Header.Get("X-Feed-Token")
	if given == "" {
		return calendar.Principal{}, nil // no credentials: anonymous
	}
	if subtle.ConstantTimeCompare([]byte(given), []byte(f.token)) != 1 {
		return calendar.Principal{}, &calendar.AuthError{Err: errors.New("wrong token")} // wrong credentials: 401
	}
	return calendar.Principal{
		Login:        "feed",
		Capabilities: map[string]bool{"edit_tribe_events": true, "publish_tribe_events": true},
	}, nil
}

// A host identifies callers with an Authenticator. If it returns a user of the site, it may leave Capabilities nil:
// then the user has the capabilities that the site stores.
func ExampleAuthenticator() {
	opts := calendar.Options{Authenticator: feed{token: "s3cret"}}

	for _, token := range []string{"", "s3cret", "guessed"} {
		r := httptest.NewRequest(http.MethodGet, "https://example.org/wp-json/vendor/events/v1/events", nil)
		r.Header.Set("X-Feed-Token", token)
		p, err := opts.Authenticator.Authenticate(r)
		fmt.Println(p.Anonymous(), p.Can("publish_tribe_events"), err)
	}
	// Output:
	// true false <nil>
	// false true <nil>
	// true false calendar: the credentials are not valid: wrong token
}
