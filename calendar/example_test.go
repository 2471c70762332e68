package calendar_test

import (
	"crypto/subtle"
	"database/sql"
	"errors"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

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
		return calendar.Principal{}, errors.New("wrong token") // wrong ones: 401
	}
	return calendar.Principal{
		Login:        "feed",
		Capabilities: map[string]bool{"edit_tribe_events": true, "publish_tribe_events": true},
	}, nil
}

// A host lets callers in its own way. An Authenticator that knows a user of
// the site may leave Capabilities nil: then they are the stored ones.
func ExampleAuthenticator() {
	pool, err := sql.Open("mysql", "user:password@tcp(127.0.0.1:3306)/site?readTimeout=30s")
	if err != nil {
		panic(err)
	}
	router := gin.New()
	err = calendar.Register(router, calendar.Options{
		DB:            bun.NewDB(pool, mysqldialect.New()),
		Authenticator: feed{token: os.Getenv("FEED_TOKEN")},
	})
	if err != nil {
		panic(err)
	}
	_ = http.ListenAndServe(":8080", router)
}
