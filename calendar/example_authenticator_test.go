package calendar_test

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/agendahq/agenda/calendar"
)

// feed lets one program in, by a token of its own, and leaves everybody else
// anonymous. What the program may do is said here and not in the site's tables.
type feed struct{ token string }

func (f feed) Authenticate(r *http.Request) (calendar.Principal, error) {
	given := r.Header.Get("X-Feed-Token")
	if given == "" {
		return calendar.Principal{}, nil // no credentials: anonymous
	}
	if subtle.ConstantTimeCompare([]byte(given), []byte(f.token)) != 1 {
		return calendar.Principal{}, &calendar.AuthError{Err: errors.New("wrong token")} // wrong ones: 401
	}
	return calendar.Principal{
		Login:        "feed",
		Capabilities: map[string]bool{"edit_tribe_events": true, "publish_tribe_events": true},
	}, nil
}

// A host lets callers in its own way. An Authenticator that knows a user of the site may leave
// Capabilities nil: then they are the stored ones.
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
