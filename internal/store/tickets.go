package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Tickets reads and writes the tickets of events, which are posts of Event Tickets.
type Tickets struct{ db *DB }

// OfferKeys are the meta keys of tickets from which offers are made.
var OfferKeys = []string{
	schema.MetaTicketPrice, schema.MetaTicketReduced, schema.MetaTicketSalePrice, schema.MetaTicketSaleStart, schema.MetaTicketSaleEnd,
	schema.MetaTicketLimited, schema.MetaTicketStock, schema.MetaTicketStart, schema.MetaTicketEnd, schema.MetaTicketStartClock,
	schema.MetaTicketEndClock,
}

// Ticket is a published ticket.
type Ticket struct {
	Kind  schema.TicketKind
	ID    int64
	Event int64
	Order int64 // menu_order
	Meta  Meta  // of the requested keys
}

// ticketRow is a ticket with one of its meta rows, if there is one.
type ticketRow struct {
	ID     int64          `bun:"ID"`
	Type   string         `bun:"post_type"`
	Order  int64          `bun:"menu_order"`
	Event  string         `bun:"event"`
	MetaID sql.NullInt64  `bun:"meta_id"`
	Key    sql.NullString `bun:"meta_key"`
	Value  sql.NullString `bun:"meta_value"`
}

// published selects the published tickets of some kinds.
func (s *Tickets) published(kinds []schema.TicketKind) *Query {
	keys, types := make([]string, len(kinds)), make([]string, len(kinds))
	for i, k := range kinds {
		keys[i], types[i] = k.EventKey, k.PostType
	}
	return s.db.Select().From(TablePostMeta, "l").Join("JOIN", TablePosts, "t", "t.ID = l.post_id").
		Where("l.meta_key IN (?)", bun.List(keys)).Where("t.post_type IN (?)", bun.List(types)).
		Where("t.post_status = ?", schema.StatusPublish)
}

// publishedWithMeta selects the published tickets of events, with their meta rows of the keys.
func (s *Tickets) publishedWithMeta(events []int64, kinds []schema.TicketKind, keys []string) *Query {
	q := s.published(kinds).Column("t.ID", "t.post_type", "t.menu_order").ColumnExpr("l.meta_value AS event").
		Where("l.meta_value IN (?)", bun.List(Decimals(events)))
	if len(keys) == 0 {
		return q
	}
	return q.Join("LEFT JOIN", TablePostMeta, "m", "m.post_id = t.ID AND m.meta_key IN (?)", bun.List(keys)).
		Column("m.meta_id", "m.meta_key", "m.meta_value").OrderExpr("m.meta_id")
}

// ForEvents returns the published tickets of events, with one statement: by event, in the order of the kinds and then in the
// tickets' own order. digest is a string made from everything that was read.
func (s *Tickets) ForEvents(ctx context.Context, events []int64, kinds []schema.TicketKind, keys ...string) (of map[int64][]*Ticket,
	digest string, err error) {
	if len(events) == 0 || len(kinds) == 0 {
		return nil, "", nil
	}
	of = map[int64][]*Ticket{}
	known := map[[2]int64]*Ticket{}
	err = Each(ctx, s.publishedWithMeta(Distinct(events), kinds, keys), func(r *ticketRow) error {
		digest += fmt.Sprintf("%+v", *r)
		event := phpval.Int(r.Event)
		t := known[[2]int64{r.ID, event}]
		if t == nil {
			kind := slices.IndexFunc(kinds, func(k schema.TicketKind) bool { return k.PostType == r.Type })
			t = &Ticket{Kind: kinds[kind], ID: r.ID, Event: event, Order: r.Order, Meta: Meta{}}
			known[[2]int64{r.ID, event}], of[event] = t, append(of[event], t)
		}
		if r.MetaID.Valid {
			t.Meta[r.Key.String] = append(t.Meta[r.Key.String], r.Value.String)
		}
		return nil
	})
	for _, list := range of {
		slices.SortFunc(list, func(a, b *Ticket) int {
			return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Order, b.Order),
				cmp.Compare(a.ID, b.ID))
		})
	}
	return of, digest, err
}

// Events returns the ids of the events that have published tickets of some kinds.
func (s *Tickets) Events(ctx context.Context, kinds []schema.TicketKind) ([]int64, error) {
	if len(kinds) == 0 {
		return nil, nil
	}
	return s.db.linkedIDs(ctx, s.published(kinds), "l.meta_value")
}

// Sale are the new sale dates of an event's tickets; "" leaves a date unchanged.
type Sale struct {
	End   string
	Start string // for tickets without a start
}

// Move writes the sale dates of an event's published tickets, except those that a user has entered. It must be called
// within a Write.
func (s *Tickets) Move(ctx context.Context, event int64, kinds []schema.TicketKind, sale Sale) error {
	if len(kinds) == 0 {
		return nil
	}
	keys := []string{schema.MetaTicketStart, schema.MetaTicketEnd, schema.MetaTicketManual}
	rows, err := All[ticketRow](ctx, s.db.Locked(s.publishedWithMeta([]int64{event}, kinds, keys)))
	if err != nil {
		return err
	}
	for _, to := range []struct {
		key, value string
		missing    bool // only if there is no date
	}{{schema.MetaTicketEnd, sale.End, false}, {schema.MetaTicketStart, sale.Start, true}} {
		if to.value == "" {
			continue
		}
		dated, manual := map[int64]bool{}, map[int64]bool{} // tickets that have the row, and those whose date a user has entered
		for _, r := range rows {
			dated[r.ID] = dated[r.ID] || r.Key.String == to.key
			manual[r.ID] = manual[r.ID] || r.Key.String == schema.MetaTicketManual && r.Value.String == to.key
		}
		var update []int64
		var insert []*schema.PostMeta
		for _, r := range rows {
			switch {
			case manual[r.ID]:
				continue
			case !dated[r.ID]:
				insert = append(insert, &schema.PostMeta{PostID: r.ID, Key: to.key, Value: to.value})
				dated[r.ID] = true
			case r.Key.String == to.key && r.Value.String != to.value && !(to.missing && r.Value.String != ""):
				update = append(update, r.MetaID.Int64)
			default:
				continue
			}
			s.db.writing(ctx).changed.Posts(r.ID)
		}
		if err := s.writeDates(ctx, to.value, update, insert); err != nil {
			return err
		}
	}
	return nil
}

// writeDates sets the value of meta rows, and adds others.
func (s *Tickets) writeDates(ctx context.Context, value string, update []int64, insert []*schema.PostMeta) error {
	if len(update) > 0 {
		_, err := s.db.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)postmeta").Set("meta_value = ?", value).
			Where("meta_id IN (?)", bun.List(update)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if len(insert) == 0 {
		return nil
	}
	_, err := s.db.withForeign(s.db.writing(ctx).conn().NewInsert().Model(&insert), "postmeta").Returning("NULL").Exec(ctx)
	return err
}
