package eventlist

import (
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// query is what strategies and conditions build.
type query = store.Query

// Condition is one condition of a list. Each kind is a type in this file. It must implement general; the other
// interfaces that it implements determine which strategies can evaluate it (see as).
type Condition interface {
	// general restricts a query to the events p that satisfy the condition, in whatever order the database reads its
	// tables.
	general(l *List, q *query) *query
}

// scannable is a condition that does not list its events by id and that a scan can evaluate for each event.
type scannable interface {
	Condition
	scan(l *List, q *query, at lookup) *query
}

// lookup says how a scan evaluates a condition, so that the database does not begin with a list of all events that
// satisfy it.
type lookup struct {
	event  bun.Ident // the column with the event's id: scannedEvent or joinedEvent
	inList bool      // links are compared with a list of all, see manyLinked
}

const (
	scannedEvent bun.Ident = "o.post_id" // of the first table of the query
	joinedEvent  bun.Ident = "p.ID"      // of the next table, if the first one is sorted before anything else is read
)

// indexed is a condition that can be evaluated by indexes, from the event's id in an occurrence.
type indexed interface {
	Condition
	index(l *List, q *query) *query
}

// nearlyAll is an indexed condition that excludes few events.
type nearlyAll interface {
	indexed
	leavesOutFew()
}

// selective is a condition that few events may satisfy, which are then read first and sorted.
type selective interface {
	scannable
	// source reads from rows that refer to events, and returns the column with their id.
	source(l *List, q *query) (from *query, event bun.Ident)
}

// sized is a selective condition for which the site stores the approximate number of events that satisfy it; 0 if that
// is not known.
type sized interface {
	selective
	size() int64
}

// linking is a selective condition for which only a count shows how many events satisfy it. The number of ids in it is
// a hint.
type linking interface {
	selective
	named() int
}

// matching is a condition with a text that a column may be unable to store.
type matching interface {
	Condition
	matchesText()
}

// referencingRows are rows m of a table that refer to events: those events satisfy the condition.
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

func (m referencingRows) whereEvent(l *List, event bun.Ident) *query {
	return m.rows(l.store.DB.Select()).ColumnExpr("1").Where("? = ?", m.event, event)
}

func (m referencingRows) general(l *List, q *query) *query {
	return q.Where("EXISTS (?)", m.whereEvent(l, "p.ID"))
}
func (m referencingRows) scan(l *List, q *query, at lookup) *query {
	return q.Where("(?) IS NOT NULL", m.whereEvent(l, at.event).Limit(1))
}
func (m referencingRows) index(l *List, q *query) *query {
	return q.Where("o.post_id IN (?)", m.events(l))
}
func (m referencingRows) source(_ *List, q *query) (*query, bun.Ident) { return m.rows(q), m.event }

// Assigned selects events with one of some terms.
type Assigned struct {
	referencingRows
	members int64
}

// AssignedTo selects events with one of the terms, by their term_taxonomy_id. members is the maximum number of posts
// that can have one of them, 0 if that is not known.
func AssignedTo(terms []int64, members int64) Assigned {
	return Assigned{
		referencingRows{store.TableTermRelationships, "m.object_id", "m.term_taxonomy_id IN (?)", []any{bun.List(terms)}}, members,
	}
}

func (c Assigned) size() int64 { return c.members }

// Linking selects events that link one of some posts by a meta key.
type Linking struct {
	referencingRows
	Key string
	IDs []int64
}

// LinkingTo selects events that link one of the posts; without posts none. inDigits is Links.InDigits of the store.
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

// NotLinking selects events that link none of the posts by a meta key.
type NotLinking struct {
	Key      string
	IDs      []int64
	InDigits bool // as for LinkingTo
}

func (c NotLinking) general(l *List, q *query) *query {
	return q.Where("NOT EXISTS (?)", LinkingTo(c.Key, c.IDs, c.InDigits).whereEvent(l, "p.ID"))
}
func (c NotLinking) scan(l *List, q *query, _ lookup) *query { return c.general(l, q) }

var featured = referencingRows{store.TablePostMeta, "m.post_id", "m.meta_key = ?", []any{schema.MetaFeatured}}

// Featured selects events that are marked as featured, or the others.
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
	return q.Where("NOT EXISTS (?)", featured.whereEvent(l, "p.ID"))
}
func (unmarked) scan(l *List, q *query, _ lookup) *query {
	return q.Where("(?) IS NULL", featured.whereEvent(l, "p.ID").Limit(1))
}
func (unmarked) index(l *List, q *query) *query {
	return q.Where("o.post_id NOT IN (?)", featured.events(l))
}
func (unmarked) leavesOutFew() {}

// ChildOf selects the events below a post.
type ChildOf int64

func (c ChildOf) general(_ *List, q *query) *query { return q.Where("p.post_parent = ?", int64(c)) }

// Among selects these events.
type Among []int64

func (c Among) general(_ *List, q *query) *query { return q.Where("p.ID IN (?)", bun.List(c)) }

// AmongDates selects these events and occurrences; Dates are occurrence_ids.
type AmongDates struct{ Events, Dates []int64 }

func (c AmongDates) general(_ *List, q *query) *query {
	return q.Where("(p.ID IN (?) OR o.occurrence_id IN (?))", bun.List(c.Events), bun.List(c.Dates))
}

// NotAmong excludes these events.
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
