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

// replica is a server with a copy of the database. As bun's connection resolver it executes the SELECT statements of
// requests that atReplica marked; the primary executes everything else. The resolver is not asked about the statements
// of transactions, which are bound to their connection. (The resolver in bun's bunexp sends each SELECT to a replica,
// even one that locks rows.)
type replica struct{ *sql.DB }

func (r replica) ResolveConn(ctx context.Context, q bun.Query) bun.IConn {
	s, ok := q.(*bun.SelectQuery)
	if !ok || ctx.Value(replica{}) == nil || !bun.IsReadOnlyQuery(q) || strings.Contains(s.String(), " FOR UPDATE") {
		return nil // bun uses the primary
	}
	return r.DB
}

// atReplica is middleware that marks requests of anonymous callers that only read. A caller with credentials may have
// changed something just before, which the replica does not contain yet.
func atReplica(g *gin.Context) {
	r := g.Request
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if reads && r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == "" {
		g.Request = r.WithContext(context.WithValue(r.Context(), replica{}, true))
	}
}

// A read replica answers the reads of anonymous callers: replica is bun's connection resolver, and atReplica is
// middleware. Register checks only the primary: the replica needs the same tables, and its DSN the same parameters.
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
