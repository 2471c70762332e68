package main

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/example/internal/sqlite"
	"github.com/agendahq/agenda/schema"
)

// readyTimeout bounds the answer of a readiness probe, whatever the database does.
const readyTimeout = 2 * time.Second

// readiness is what /readyz answers.
type readiness struct {
	Database string `json:"database"` // "ok", or "unavailable" where the site cannot be read
	Writable bool   `json:"writable"`
}

// ready reports whether the site can be read, 503 if not, and whether it can be
// written. It reads a row of the site's own: the node of a cluster that was cut
// off still answers questions about itself. A calendar that is readOnly writes nothing,
// whatever the database takes. Why it is not ready is for the log.
func ready(db *bun.DB, readOnly bool, log *slog.Logger) gin.HandlerFunc {
	var last atomic.Value // of readiness: what does not change is not logged again
	last.Store(readiness{Database: "ok", Writable: true})
	return func(c *gin.Context) {
		ctx, cancel := context.WithTimeout(c.Request.Context(), readyTimeout)
		defer cancel()
		c.Header("Cache-Control", "no-store")
		var id int64
		if err := db.NewSelect().Model((*schema.Option)(nil)).Column("option_id").Limit(1).Scan(ctx, &id); err != nil {
			is := readiness{Database: "unavailable"}
			if last.Swap(is) != is {
				log.Warn("not ready: the database cannot be read", "error", err)
			}
			c.JSON(http.StatusServiceUnavailable, is)
			return
		}
		var err error
		if !readOnly {
			err = writable(ctx, db)
		}
		is := readiness{Database: "ok", Writable: err == nil && !readOnly}
		switch changed := last.Swap(is) != is; {
		case changed && err != nil:
			log.Warn("the database cannot be written", "error", err)
		case changed && is.Writable:
			log.Info("the database can be read and written again")
		}
		c.JSON(http.StatusOK, is)
	}
}

// writable returns nil if the site can be written. A server refuses a statement
// that changes rows before it looks for any: one that is read-only, unless the
// user is exempt from that, and one where the user has not the right. This one
// has no row to change.
func writable(ctx context.Context, db *bun.DB) error {
	if db.Dialect().Name() == dialect.SQLite {
		return sqlite.Writable(ctx, db)
	}
	_, err := db.NewUpdate().Model((*schema.Option)(nil)).Set("autoload = autoload").Where("option_id = 0").Exec(ctx)
	return err
}
