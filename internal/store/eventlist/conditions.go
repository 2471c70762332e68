package eventlist

import (
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// query is what strategies and conditions build.
type query = store.Query

// Condition is one thing that a list asks for. Each kind is one type of this file. It
// must implement general and no more; what else it implements are the strategies that
// can evaluate it (see as).
type Condition interface {
	// general keeps the events p that meet the condition, in whatever order the
	// database reads its tables.
	general(l *List, q *query) *query
}

// scannable is a condition that does not name its events one by one and that a scan
// can evaluate for each event.
type scannable interface {
	Condition
	scan(l *List, q *query, at lookup) *query
}

// lookup is how a scan evaluates a condition, so that the database does not begin
// with a list of all events that meet it.
type lookup struct {
	event  bun.Ident // the column with its id: scannedEvent or joinedEvent
	inList bool      // links are compared with a list of all, see manyLinked
}

const (
	scannedEvent bun.Ident = "o.post_id" // of the first table of the query
	joinedEvent  bun.Ident = "p.ID"      // of the next, where the first is sorted before anything else is read
)

// indexed is a condition that indexes decide by the event's id in an occurrence.
type indexed interface {
	Condition
	index(l *List, q *query) *query
}

// nearlyAll is an indexed condition that leaves out few events.
type nearlyAll interface {
	indexed
	leavesOutFew()
}

// selective is a condition that few events may meet, which are then read first and
// sorted.
type selective interface {
	scannable
	// source reads from rows that name events, and returns the column with their id.
	source(l *List, q *query) (from *query, event bun.Ident)
}

// sized is a selective condition for which the site keeps about how many events meet
// it; 0 if that is not known.
type sized interface {
	selective
	size() int64
}

// linking is a selective condition for which only a count shows how many events meet
// it. The number of ids that it names is a hint.
type linking interface {
	selective
	named() int
}

// matching is a condition with a text that a column may be unable to hold.
type matching interface {
	Condition
	matchesText()
}

// referencingRows are rows m of a table that name events: those events meet the condition.
type referencingRows struct {
	table store.Table
	event bun.Ident
	where string
	args  []any
}

func (m referencingRows) rows(q *query) *query { return q.From(m.table, "m").Where(m.where, m.args...) }
func (m referencingRows) events(l *List) *query {
	return m.rows(l.store.DB.Select()).ColumnExpr("?", m.event)
}

func (m referencingRows) of(l *List, event bun.Ident) *query {
	return m.rows(l.store.DB.Select()).ColumnExpr("1").Where("? = ?", m.event, event)
}

func (m referencingRows) general(l *List, q *query) *query {
	return q.Where("EXISTS (?)", m.of(l, "p.ID"))
}
func (m referencingRows) scan(l *List, q *query, at lookup) *query {
	return q.Where("(?) IS NOT NULL", m.of(l, at.event).Limit(1))
}
func (m referencingRows) index(l *List, q *query) *query {
	return q.Where("o.post_id IN (?)", m.events(l))
}
func (m referencingRows) source(_ *List, q *query) (*query, bun.Ident) { return m.rows(q), m.event }

// Assigned asks for one of some terms.
type Assigned struct {
	referencingRows
	members int64
}

// AssignedTo asks for one of the terms, by their term_taxonomy_id. members is the
// most posts that can have one of them, 0 if that is not known.
func AssignedTo(terms []int64, members int64) Assigned {
	return Assigned{
		referencingRows{store.TableTermRelationships, "m.object_id", "m.term_taxonomy_id IN (?)", []any{bun.List(terms)}}, members,
	}
}

func (c Assigned) size() int64 { return c.members }

// Linking asks for a link to one of some posts by a meta key.
type Linking struct {
	referencingRows
	Key string
	IDs []int64
}

// LinkingTo asks for a link to one of the posts; without posts nothing matches. inDigits is
// Links.InDigits of the store.
func LinkingTo(key string, ids []int64, inDigits bool) Linking {
	where, args := store.Naming(ids, inDigits)
	return Linking{referencingRows{store.TablePostMeta, "m.post_id", "m.meta_key = ? AND " + where, append([]any{key}, args...)}, key, ids}
}

func (c Linking) scan(l *List, q *query, at lookup) *query {
	if at.inList { // otherwise the database would begin with the list
		return q.Where("(o.post_id IN (?)) IS TRUE", c.events(l))
	}
	return c.referencingRows.scan(l, q, at)
}

func (c Linking) named() int { return len(c.IDs) }

// NotLinking asks for events that link none of the posts by a meta key.
type NotLinking struct {
	Key      string
	IDs      []int64
	InDigits bool // as for LinkingTo
}

func (c NotLinking) general(l *List, q *query) *query {
	return q.Where("NOT EXISTS (?)", LinkingTo(c.Key, c.IDs, c.InDigits).of(l, "p.ID"))
}
func (c NotLinking) scan(l *List, q *query, _ lookup) *query { return c.general(l, q) }

var featured = referencingRows{store.TablePostMeta, "m.post_id", "m.meta_key = ?", []any{schema.MetaFeatured}}

// Featured asks for events that are marked as featured, or for the others.
func Featured(yes bool) Condition {
	if yes {
		return marked{featured}
	}
	return unmarked{}
}

type marked struct{ referencingRows }

func (c marked) scan(l *List, q *query, _ lookup) *query {
	return c.referencingRows.scan(l, q, lookup{event: "p.ID"})
}
func (marked) named() int { return 0 }

type unmarked struct{}

func (unmarked) general(l *List, q *query) *query {
	return q.Where("NOT EXISTS (?)", featured.of(l, "p.ID"))
}
func (unmarked) scan(l *List, q *query, _ lookup) *query {
	return q.Where("(?) IS NULL", featured.of(l, "p.ID").Limit(1))
}
func (unmarked) index(l *List, q *query) *query {
	return q.Where("o.post_id NOT IN (?)", featured.events(l))
}
func (unmarked) leavesOutFew() {}

// ChildOf asks for the events below a post.
type ChildOf int64

func (c ChildOf) general(_ *List, q *query) *query { return q.Where("p.post_parent = ?", int64(c)) }

// Among asks for some of these events.
type Among []int64

func (c Among) general(_ *List, q *query) *query { return q.Where("p.ID IN (?)", bun.List(c)) }

// AmongDates asks for some of these events and dates, which are rows of occurrences.
type AmongDates struct{ Events, Dates []int64 }

func (c AmongDates) general(_ *List, q *query) *query {
	return q.Where("(p.ID IN (?) OR o.occurrence_id IN (?))", bun.List(c.Events), bun.List(c.Dates))
}

// NotAmong asks for none of these events.
type NotAmong []int64

func (c NotAmong) general(_ *List, q *query) *query        { return c.except(q, "p.ID") }
func (c NotAmong) scan(l *List, q *query, _ lookup) *query { return c.general(l, q) }
func (c NotAmong) index(_ *List, q *query) *query          { return c.except(q, "o.post_id") }

func (c NotAmong) except(q *query, event bun.Ident) *query {
	if len(c) == 0 {
		return q
	}
	return q.Where("? NOT IN (?)", event, bun.List(c))
}
