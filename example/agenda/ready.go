package main

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// readyTimeout is the maximum duration of a readiness probe, whatever the database does.
const readyTimeout = 2 * time.Second

// readiness is the answer of /readyz.
type readiness struct {
	Database string `json:"database"` // "ok", or "unavailable" if the site cannot be read
	Writable bool   `json:"writable"`
}

// readyHandler reports whether the site can be read (if not, with status 503) and written. It reads rows of the site, because
// a cluster node that was cut off still answers statements without tables. occurrences reports whether answers need the
// table of that name. A readOnly calendar counts as not writable, whatever the database allows. The reason for not
// being ready is only logged.
func readyHandler(db *bun.DB, readOnly, occurrences bool, log *slog.Logger) gin.HandlerFunc {
	var last atomic.Value // contains a readiness; only changes are logged
	last.Store(readiness{Database: "ok", Writable: true})
	return func(c *gin.Context) {
		ctx, cancel := context.WithTimeout(c.Request.Context(), readyTimeout)
		defer cancel()
		c.Header("Cache-Control", "no-store")
		if err := readable(ctx, db, occurrences); err != nil {
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

// readable returns nil if every table that answers need can be read. One statement reads at most one row of each table
// by its primary key, so that it reads the table itself rather than a secondary index. A database without the site's
// settings is an error.
func readable(ctx context.Context, db *bun.DB, occurrences bool) error {
	tables := []struct {
		model any
		key   string
	}{
		{(*schema.Option)(nil), "option_id"}, {(*schema.Post)(nil), "ID"}, {(*schema.PostMeta)(nil), "meta_id"},
		{(*schema.Term)(nil), "term_id"},
		{(*schema.TermTaxonomy)(nil), "term_taxonomy_id"}, {(*schema.TermRelationship)(nil), "object_id"},
		{(*schema.Occurrence)(nil), "occurrence_id"},
	}
	if !occurrences {
		tables = tables[:len(tables)-1]
	}
	query := db.NewSelect()
	rows := make([]any, len(tables))
	for i, t := range tables {
		query = query.ColumnExpr("(?)", db.NewSelect().Model(t.model).Column(t.key).Order(t.key).Limit(1))
		rows[i] = new(sql.NullInt64)
	}
	if err := query.Scan(ctx, rows...); err != nil {
		return err
	}
	if !rows[0].(*sql.NullInt64).Valid {
		return errors.New("the site has no settings")
	}
	return nil
}

// writable returns nil if the site can be written. The statement changes no row. The server rejects it before it looks
// for rows if the server is read-only, unless the user is exempt from that, or if the user lacks the privilege.
func writable(ctx context.Context, db *bun.DB) error {
	if db.Dialect().Name() == dialect.SQLite {
		return embedded.Writable(ctx, db)
	}
	_, err := db.NewUpdate().Model((*schema.Option)(nil)).Set("autoload = autoload").Where("option_id = 0").Exec(ctx)
	return err
}
