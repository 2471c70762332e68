package calendar_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
)

// failing is an Authenticator that ends in an error.
type failing struct{ err error }

func (f failing) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: 1, Capabilities: map[string]bool{"edit_tribe_events": true}}, f.err
}

// TestAuthenticatorErrors: a refusal is 401 and not logged; any other error says
// that nobody could find out who calls, which is 503 and logged.
func TestAuthenticatorErrors(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		code   string
		logged bool
	}{
		"refused": {&calendar.AuthError{}, http.StatusUnauthorized, "rest_not_authenticated", false},
		"refused for a cause": {&calendar.AuthError{Err: errors.New("s3cret cause")}, http.StatusUnauthorized, "rest_not_authenticated",
			false},
		"wrapped":        {fmt.Errorf("s3cret: %w", &calendar.AuthError{}), http.StatusUnauthorized, "rest_not_authenticated", false},
		"directory down": {errors.New("s3cret directory is down"), http.StatusServiceUnavailable, "rest_login_unavailable", true},
		"too slow":       {context.DeadlineExceeded, http.StatusServiceUnavailable, "rest_login_unavailable", true},
	} {
		log := &record{}
		h := siteHandler(t, func(o *calendar.Options) { o.Authenticator, o.Logger = failing{c.err}, log.logger() })
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			w := send(h, method, "/events", `{"title":"x"}`, asJSON)
			wantError(t, w, c.status, c.code)
			if strings.Contains(w.Body.String(), "s3cret") || (w.Header().Get("Retry-After") != "") != c.logged {
				t.Errorf("%s: %v %s", name, w.Header(), w.Body)
			}
		}
		if logged := log.take(); (len(logged) == 2) != c.logged || c.logged && !strings.Contains(logged[0], c.err.Error()) {
			t.Errorf("%s: logged %q", name, logged)
		}
	}
	h := siteHandler(t, func(o *calendar.Options) { o.Authenticator, o.Logger = failing{errors.New("down")}, quiet() })
	for tag, word := range map[string]string{"": "could not be checked", "/nl": "kon niet worden gecontroleerd", "/fr": "instant"} {
		if w := get(h, contract.Site+tag+"/wp-json/"+namespace+"/events"); !strings.Contains(w.Body.String(), word) {
			t.Errorf("%s: %s", tag, w.Body)
		}
	}
}
