package fill

import (
	"context"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// siteZone is the time zone of a site that this package creates.
const siteZone = "Europe/Brussels"

// begin reads how far the database was filled. In an empty one it creates the calendar: everything but the events.
func (f *filler) begin(ctx context.Context) error {
	s, stored, found, err := loadState(ctx, f.session.conn)
	if err != nil {
		return err
	}
	if !found {
		return f.found(ctx)
	}
	if err := s.fits(f.Options); err != nil {
		return err
	}
	f.state, f.stored = s, stored
	if f.place, err = newPlace(ctx, f.session.conn, f.Prefix, s); err != nil {
		return err
	}
	return f.passOthers(ctx)
}

// passOthers moves the next ids beyond those that others have used since, such as events created through the service.
func (f *filler) passOthers(ctx context.Context) error {
	for _, id := range []struct {
		next   *int64
		model  any
		column string
	}{
		{&f.state.Post, (*schema.Post)(nil), "ID"}, {&f.state.Meta, (*schema.PostMeta)(nil), "meta_id"},
		{&f.state.Date, (*schema.EventRow)(nil), "event_id"}, {&f.state.Date, (*schema.Occurrence)(nil), "occurrence_id"},
	} {
		var last int64
		err := f.session.conn.NewSelect().Model(id.model).ColumnExpr("COALESCE(MAX(?), 0)", bun.Ident(id.column)).Scan(ctx, &last)
		if err != nil {
			return err
		}
		*id.next = max(*id.next, last+1)
	}
	return nil
}

// found creates the calendar.
func (f *filler) found(ctx context.Context) error {
	f.state = state{Version: version, Seed: f.Seed}
	if err := f.passOthers(ctx); err != nil {
		return err
	}
	var done part
	err := f.session.conn.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := settle(ctx, tx); err != nil {
			return err
		}
		settings, err := settings(ctx, tx, f.Prefix)
		if err != nil {
			return err
		}
		f.state.Zone = settings.Location.String()
		f.state.Day = f.Now().In(settings.Location).Format(time.DateOnly)
		if f.place, err = newPlace(ctx, tx, f.Prefix, f.state); err != nil {
			return err
		}
		g := &ground{place: f.place, prefix: f.Prefix, state: f.state}
		if err := g.compose(ctx, tx); err != nil {
			return err
		}
		done = part{g.state, int64(len(g.posts)), g.rows.count()}
		if err := g.insert(ctx, tx); err != nil {
			return err
		}
		return setOption(ctx, tx, StateOption, g.state.encode(), "off", false)
	})
	if err != nil {
		return err
	}
	f.took(done)
	f.place.state = f.state
	return nil
}

// settle stores the settings of a new site, which has no users yet.
func settle(ctx context.Context, tx bun.Tx) error {
	used, err := tx.NewSelect().Model((*schema.User)(nil)).Exists(ctx)
	if err != nil || used {
		return err
	}
	currency := &phpval.Array{}
	currency.Set(phpval.StrKey("defaultCurrencySymbol"), "€")
	currency.Set(phpval.StrKey("defaultCurrencyCode"), "EUR")
	for _, o := range [][2]string{
		{schema.OptionTimezone, siteZone}, {schema.OptionBlogName, "Twenty Years of Events"},
		{schema.OptionCalendar, phpval.Serialize(currency)},
	} {
		if err := replaceOption(ctx, tx, o[0], o[1]); err != nil {
			return err
		}
	}
	return nil
}

// settings returns the settings of the site, read by the same code as in the service.
func settings(ctx context.Context, db bun.IDB, prefix string) (*site.Settings, error) {
	cache := &site.Cache{Prefix: prefix, Options: func(ctx context.Context, names []string) (map[string]string, error) {
		var options []schema.Option
		err := db.NewSelect().Model(&options).Where("option_name IN (?)", bun.List(names)).Scan(ctx)
		values := make(map[string]string, len(options))
		for _, o := range options {
			values[o.Name] = o.Value
		}
		return values, err
	}}
	return cache.Settings(ctx)
}

// place contains what the rows of the site depend on.
type place struct {
	names    schema.Names
	settings *site.Settings
	linker   *permalink.Linker
	state    state
	day      time.Time // the start of the day on which the filling was started
	prices   []price
}

func newPlace(ctx context.Context, db bun.IDB, prefix string, s state) (*place, error) {
	settings, err := settings(ctx, db, prefix)
	if err != nil {
		return nil, err
	}
	if zone, ok := strtotime.Zone(s.Zone); ok {
		settings.Location = zone
	}
	p := &place{names: schema.DefaultNames(), settings: settings, state: s, prices: prices()}
	p.linker = registry.Types(p.names, registry.More{}).Linker(settings.Links, registry.Taxonomies(p.names))
	p.day, _ = strtotime.ParseWall(s.Day+" 00:00:00", settings.Location)
	return p, nil
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }
