package store

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/schema"
)

// Options reads and writes the options of a site.
type Options struct{ db *DB }

// Values returns the stored values of the named options that exist. If the site belongs to a multisite network, names
// may also be those of schema.NetworkKeys. Of the options that contain the release of WordPress, it returns only what
// they say about it.
func (s *Options) Values(ctx context.Context, names []string) (map[string]string, error) {
	return s.ValuesBy(ctx, s.db.Select, names)
}

// ValuesBy is Values with a function that begins its queries.
func (s *Options) ValuesBy(ctx context.Context, query func() *Query, names []string) (map[string]string, error) {
	found := make(map[string]string, len(names))
	q := query().From(TableOptions, "").
		Column("option_name", "option_value").Where("option_name IN (?)", bun.List(names))
	err := Each(ctx, q, func(r *schema.Option) error {
		found[r.Name] = release.StoredVersion(r.Name, r.Value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, s.db.network.Override(ctx, func() *bun.SelectQuery { return query().sql }, found, names)
}

// UserStyles returns as JSON what users changed about the styles of the site's theme, given its name; "" if nothing.
// The result is cached until a post changes.
func (s *Options) UserStyles(ctx context.Context, theme string) (string, error) {
	q := s.db.Select().From(TablePosts, "").Column("post_content").Where("post_name = ?", "wp-global-styles-"+theme).
		Where("post_type = ?", schema.TypeUserStyles).Where("post_status = ?", schema.StatusPublish).OrderExpr("ID DESC").Limit(1)
	return Cached(ctx, s.db, q, func() (styles string, err error) {
		err = eachValue(ctx, q, func(stored string) { styles = stored })
		return styles, err
	})
}

// Lock returns the value of an option and whether it exists. The option is locked until the Write ends.
func (s *Options) Lock(ctx context.Context, name string) (value string, found bool, err error) {
	q := s.db.Select().From(TableOptions, "").Column("option_value").Where("option_name = ?", name)
	err = eachValue(ctx, s.db.Locked(q), func(stored string) { value, found = stored, true })
	return value, found, err
}

// Set writes an option that Lock has found, or adds it.
func (s *Options) Set(ctx context.Context, name, value string, found bool) error {
	s.db.writing(ctx).changed.Options(name)
	if !found {
		row := &schema.Option{Name: name, Value: value, Autoload: "on"}
		_, err := s.db.withForeign(s.db.writing(ctx).conn().NewInsert().Model(row), "options").Exec(ctx)
		return err
	}
	return s.set(ctx, name, value)
}

func (s *Options) set(ctx context.Context, name, value string) error {
	s.db.writing(ctx).changed.Options(name)
	_, err := s.db.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)options").Set("option_value = ?", value).
		Where("option_name = ?", name).Exec(ctx)
	return err
}
