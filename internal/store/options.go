package store

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Options reads and writes the options of a site.
type Options struct{ db *DB }

// Values returns the stored values of the named options that exist, and that of
// schema.NetworkPlugins if it is named and the site belongs to a network of sites.
func (s *Options) Values(ctx context.Context, names []string) (map[string]string, error) {
	return s.values(ctx, s.db.Select, names)
}

// values is Values by queries that begin as those of query.
func (s *Options) values(ctx context.Context, query func() *Query, names []string) (map[string]string, error) {
	found := make(map[string]string, len(names))
	q := query().From(TableOptions, "").
		Column("option_name", "option_value").Where("option_name IN (?)", bun.List(names))
	err := each(ctx, q, func(r *schema.Option) error {
		found[r.Name] = r.Value
		return nil
	})
	if err == nil && s.db.network.Table != "" && slices.Contains(names, schema.NetworkPlugins) {
		found[schema.NetworkPlugins], err = s.db.network.Plugins(ctx, query().sql)
	}
	return found, err
}

// Lock returns the value of an option, locked until the Write ends, and
// whether it exists.
func (s *Options) Lock(ctx context.Context, name string) (value string, found bool, err error) {
	q := s.db.Select().From(TableOptions, "").Column("option_value").Where("option_name = ?", name)
	err = eachValue(ctx, s.db.locked(q), func(stored string) { value, found = stored, true })
	return value, found, err
}

// Set writes an option that Lock has found, or adds it.
func (s *Options) Set(ctx context.Context, name, value string, found bool) error {
	if !found {
		_, err := s.db.writing(ctx).conn().NewInsert().Model(&schema.Option{Name: name, Value: value, Autoload: "on"}).Exec(ctx)
		return err
	}
	return s.set(ctx, name, value)
}

func (s *Options) set(ctx context.Context, name, value string) error {
	_, err := s.db.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)options").Set("option_value = ?", value).
		Where("option_name = ?", name).Exec(ctx)
	return err
}
