package measure

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/example/bench/internal/fill"
	"github.com/agendahq/agenda/example/bench/internal/floor"
	"github.com/agendahq/agenda/schema"
)

// slugPrefix is the prefix of the slugs of the events that the benchmark creates.
const slugPrefix = "agenda-bench-"

// subject is the database of a server that is measured.
type subject struct {
	db         *bun.DB // bound to the prefix
	prefix     string
	statements func() int64
	off        func() string // why a calendar caches nothing, "" if it caches
}

func (s *subject) isMySQL() bool { return s.db.Dialect().Name() == dialect.MySQL }

// administrator returns the id of the user who writes, or 0 if there is none.
func (s *subject) administrator(ctx context.Context) (id int64, err error) {
	err = s.db.NewSelect().Model((*schema.UserMeta)(nil)).Column("user_id").
		Where("meta_key = ?", schema.UserMetaCapabilities(s.prefix)).Where("meta_value LIKE ?", `%"administrator";b:1%`).
		OrderExpr("user_id").Limit(1).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// floorSite returns what the floor's statements depend on.
func (s *subject) floorSite(ctx context.Context) (site floor.Site, err error) {
	site = floor.Site{Prefix: s.prefix, SQLite: !s.isMySQL()}
	if site.SQLite {
		return site, nil
	}
	site.Indexed, err = s.db.NewSelect().TableExpr("information_schema.statistics").Where("table_schema = DATABASE()").
		Where("table_name = ?", s.prefix+"tec_occurrences").Where("index_name = 'agenda_start'").Exists(ctx)
	if err != nil {
		return site, err
	}
	err = s.db.NewSelect().TableExpr("information_schema.columns").ColumnExpr("collation_name").Where("table_schema = DATABASE()").
		Where("table_name = ?", s.prefix+"postmeta").Where("column_name = 'meta_value'").Scan(ctx, &site.Collation)
	return site, err
}

// filled reports whether "agenda-bench fill" filled the database. The benchmark writes to no other one.
func (s *subject) filled(ctx context.Context) (bool, error) {
	return s.db.NewSelect().Model((*schema.Option)(nil)).Where("option_name = ?", fill.StateOption).Exists(ctx)
}

func (s *subject) engine(ctx context.Context) (string, error) {
	var version string
	if !s.isMySQL() {
		err := s.db.NewSelect().ColumnExpr("sqlite_version()").Scan(ctx, &version)
		return "SQLite " + version, err
	}
	err := s.db.NewSelect().ColumnExpr("VERSION()").Scan(ctx, &version)
	if strings.Contains(version, "MariaDB") {
		number, _, _ := strings.Cut(version, "-")
		return "MariaDB " + number, err
	}
	return "MySQL " + version, err
}

// left returns events that the benchmark created and did not delete: some of them if there are many.
func (s *subject) left(ctx context.Context) (ids []int64, err error) {
	err = s.db.NewSelect().Model((*schema.Post)(nil)).Column("ID").Where("post_name LIKE ?", slugPrefix+"%").
		Where("post_type = ?", schema.DefaultNames().Event).Limit(1000).Scan(ctx, &ids)
	return ids, err
}
