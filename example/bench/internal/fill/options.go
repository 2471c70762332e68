package fill

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// readOption reads an option of the site.
func readOption(ctx context.Context, db bun.IDB, name string) (value string, found bool, err error) {
	err = db.NewSelect().Model((*schema.Option)(nil)).Column("option_value").Where("option_name = ?", name).Scan(ctx, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return value, err == nil, err
}

// setOption inserts an option, or updates it if found.
func setOption(ctx context.Context, tx bun.Tx, name, value, autoload string, found bool) error {
	if found {
		_, err := tx.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", value).Where("option_name = ?", name).Exec(ctx)
		return err
	}
	o := &schema.Option{Name: name, Value: value, Autoload: autoload}
	_, err := tx.NewInsert().Model(o).ExcludeColumn("option_id").Returning("NULL").Exec(ctx)
	return err
}

// replaceOption writes an option, which may exist.
func replaceOption(ctx context.Context, tx bun.Tx, name, value string) error {
	_, found, err := readOption(ctx, tx, name)
	if err != nil {
		return err
	}
	return setOption(ctx, tx, name, value, "on", found)
}

// edge is an event at an end of the calendar, with its date in UTC.
type edge struct {
	post int64
	date string
}

// edges are the first and the last event of a part of the calendar.
type edges struct{ first, last edge }

// widen widens the ends. Of two events with the same date the older one is used.
func (e *edges) widen(other edges) {
	if other.first.post != 0 && (e.first.post == 0 || other.first.date < e.first.date) {
		e.first = other.first
	}
	if other.last.post != 0 && (e.last.post == 0 || other.last.date > e.last.date) {
		e.last = other.last
	}
}

// saveRange widens the range of the calendar, which the site shows its visitors.
func saveRange(ctx context.Context, tx bun.Tx, e edges) error {
	stored, found, err := readOption(ctx, tx, schema.OptionCalendar)
	if err != nil {
		return err
	}
	list := &phpval.Array{}
	if v, err := phpval.Unserialize(stored); err == nil {
		if a, ok := v.(*phpval.Array); ok {
			list = a
		}
	}
	text := func(name string) string { v, _ := list.Get(name); return phpval.Text(v) }
	set := func(name string, to edge) {
		list.Set(phpval.StrKey(name), to.date)
		list.Set(phpval.StrKey(name+"_markers"), phpval.List(to.post))
	}
	if was := text("earliest_date"); e.first.post != 0 && (was == "" || e.first.date < was) {
		set("earliest_date", e.first)
	}
	if was := text("latest_date"); e.last.post != 0 && (was == "" || e.last.date > was) {
		set("latest_date", e.last)
	}
	if value := phpval.Serialize(list); value != stored {
		return setOption(ctx, tx, schema.OptionCalendar, value, "on", found)
	}
	return nil
}
