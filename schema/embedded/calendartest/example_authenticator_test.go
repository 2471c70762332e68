package calendartest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// tokens authenticates callers by the host's tokens, each for a user of the site, who has the rights that the site
// grants.
type tokens map[string]int64

func (t tokens) Authenticate(r *http.Request) (calendar.Principal, error) {
	token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !given {
		return calendar.Principal{}, nil // no credentials: anonymous
	}
	user, known := t[token]
	if !known {
		return calendar.Principal{}, &calendar.AuthError{Err: errors.New("unknown token")} // invalid credentials: 401
	}
	return calendar.Principal{UserID: user}, nil // Capabilities are nil: those of the site's user apply
}

// This example has the host's own authenticator. A draft is shown to users who may edit it.
func Example_authenticator() {
	site, err := calendartest.Open(context.Background(), func(o *calendar.Options) {
		o.Authenticator = tokens{"e-token": calendartest.EditorID, "s-token": calendartest.SubscriberID}
	})
	if err != nil {
		log.Fatal(err)
	}
	defer site.Close()
	for _, token := range []string{"", "e-token", "s-token", "guessed"} {
		path := fmt.Sprintf("/wp-json/vendor/events/v1/events/%d?_fields=title", calendartest.EventWalk)
		r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		site.Handler.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 403 {"code":"event-not-accessible","message":"You do not have access to this event.","data":{"status":403}}
	// 200 {"title":"Autumn Walk"}
	// 403 {"code":"event-not-accessible","message":"You do not have access to this event.","data":{"status":403}}
	// 401 {"code":"rest_not_authenticated","message":"The credentials are not valid.","data":{"status":401}}
}
