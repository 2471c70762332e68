package calendar_test

import (
	"context"
	"database/sql"
	"log"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/calendar"
)

// replica is a server with a copy of the database. As bun's connection resolver
// it answers the selects of requests that atReplica lets it have; the primary
// answers everything else. What the calendar does in a transaction never gets
// here: it is bound to its connection. (The resolver in bun's bunexp sends each
// select to a replica, even one that locks rows.)
type replica struct{ *sql.DB }

func (r replica) ResolveConn(ctx context.Context, q bun.Query) bun.IConn {
	s, ok := q.(*bun.SelectQuery)
	if !ok || ctx.Value(replica{}) == nil || !bun.IsReadOnlyQuery(q) || strings.Contains(s.String(), " FOR UPDATE") {
		return nil // the primary
	}
	return r.DB
}

// atReplica is for requests of anonymous callers that only read. A logged-in caller
// may have changed something a moment ago, which a replica does not have yet.
func atReplica(g *gin.Context) {
	r := g.Request
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if reads && r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == "" {
		g.Request = r.WithContext(context.WithValue(r.Context(), replica{}, true))
	}
}

// A read replica takes the reads of anonymous callers: replica is bun's connection
// resolver, atReplica a handler. Register checks the primary only: the replica needs the same
// tables, and its DSN the same parameters.
func ExampleOptions_readReplica() {
	primary, err := sql.Open("mysql", "user:password@tcp(10.0.0.1:3306)/site?readTimeout=30s")
	if err != nil {
		log.Fatal(err)
	}
	copied, err := sql.Open("mysql", "user:password@tcp(10.0.0.2:3306)/site?readTimeout=30s")
	if err != nil {
		log.Fatal(err)
	}
	db := bun.NewDB(primary, mysqldialect.New(), bun.WithConnResolver(replica{copied}))

	router := gin.New()
	router.Use(atReplica)
	if err := calendar.Register(router, calendar.Options{DB: db, RoutedReads: true}); err != nil {
		log.Fatal(err)
	}
}
