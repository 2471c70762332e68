package eventlist

import (
	"strconv"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Condition is one thing that a list asks for. Each kind is one type of this file. It
// has to implement general and no more; what else it implements are the strategies that
// can evaluate it (see as).
type Condition interface {
	// general keeps the events p, which the database may begin with or not.
	general(l *List, q *bun.SelectQuery) *bun.SelectQuery
}

// scannable is a condition that does not name its events one by one, and that a scan
// looks up for each event.
type scannable interface {
	Condition
	scan(l *List, q *bun.SelectQuery, at lookup) *bun.SelectQuery
}

// lookup is how a scan looks up what is stored of an event, so that the database does
// not begin with a list of all events that meet a condition.
type lookup struct {
	event  bun.Ident // the column with its id: alongStarts or afterSort
	inList bool      // links are looked for in a list of all, see manyLinked
}

const (
	alongStarts bun.Ident = "o.post_id" // of the first table of the query
	afterSort   bun.Ident = "p.ID"      // of the next, where the first is sorted before anything else is read
)

// indexed is a condition that indexes decide by the id of an occurrence's event.
type indexed interface {
	Condition
	index(l *List, q *bun.SelectQuery) *bun.SelectQuery
}

// nearlyAll is an indexed condition that leaves out few events.
type nearlyAll interface {
	indexed
	leavesOutFew()
}

// selective is a condition whose events may be few, to be read first and then sorted.
type selective interface {
	scannable
	// source reads from rows n that name events, and returns the column with their id.
	source(l *List, q *bun.SelectQuery) (from *bun.SelectQuery, event bun.Ident)
}

// sized is a selective condition of which the site itself keeps about how many events
// it selects; 0 if that is not known.
type sized interface {
	selective
	size() int64
}

// linking is a selective condition of which nothing says how many events it selects
// until they were counted, but for the number of ids that it names.
type linking interface {
	selective
	named() int
}

// matching is a condition with a text, which a column may be unable to hold.
type matching interface {
	Condition
	matchesText()
}

// Assigned asks for one of the terms, by their term_taxonomy_id.
type Assigned struct {
	Terms   []int64
	Members int64 // at most how many posts have one of them, 0 if that is not known
}

func (c Assigned) rows(l *List) *bun.SelectQuery {
	return l.store.Select().TableExpr("?(prefix)term_relationships AS r").Where("r.term_taxonomy_id IN (?)", bun.List(c.Terms))
}

func (c Assigned) general(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("EXISTS (?)", c.rows(l).ColumnExpr("1").Where("r.object_id = p.ID"))
}

func (c Assigned) scan(l *List, q *bun.SelectQuery, at lookup) *bun.SelectQuery {
	return q.Where("(?) IS NOT NULL", c.rows(l).ColumnExpr("1").Where("r.object_id = ?", at.event).Limit(1))
}

func (c Assigned) index(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id IN (?)", c.rows(l).Column("r.object_id"))
}

func (c Assigned) source(_ *List, q *bun.SelectQuery) (*bun.SelectQuery, bun.Ident) {
	return q.TableExpr("?(prefix)term_relationships AS n").Where("n.term_taxonomy_id IN (?)", bun.List(c.Terms)), "n.object_id"
}

func (c Assigned) size() int64 { return c.Members }

// Linking asks for a link to one of the posts by a meta key; an empty list matches
// nothing.
type Linking struct {
	Key string
	IDs []int64
}

// rows selects the links.
func (c Linking) rows(l *List) *bun.SelectQuery {
	return l.store.Select().TableExpr("?(prefix)postmeta AS m").
		Where("m.meta_key = ?", c.Key).Where("m.meta_value IN (?)", bun.List(texts(c.IDs)))
}

func (c Linking) general(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("EXISTS (?)", c.rows(l).ColumnExpr("1").Where("m.post_id = p.ID"))
}

func (c Linking) scan(l *List, q *bun.SelectQuery, at lookup) *bun.SelectQuery {
	if at.inList { // as a condition alone, the database would begin with the list
		return q.Where("(o.post_id IN (?)) IS TRUE", c.rows(l).Column("m.post_id"))
	}
	return q.Where("(?) IS NOT NULL", c.rows(l).ColumnExpr("1").Where("m.post_id = ?", at.event).Limit(1))
}

func (c Linking) index(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id IN (?)", c.rows(l).Column("m.post_id"))
}

func (c Linking) source(_ *List, q *bun.SelectQuery) (*bun.SelectQuery, bun.Ident) {
	return q.TableExpr("?(prefix)postmeta AS n").Where("n.meta_key = ?", c.Key).
		Where("n.meta_value IN (?)", bun.List(texts(c.IDs))), "n.post_id"
}

func (c Linking) named() int { return len(c.IDs) }

// NotLinking asks for events that link none of the posts by a meta key.
type NotLinking struct {
	Key string
	IDs []int64
}

func (c NotLinking) general(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("NOT EXISTS (?)", Linking(c).rows(l).ColumnExpr("1").Where("m.post_id = p.ID"))
}

func (c NotLinking) scan(l *List, q *bun.SelectQuery, _ lookup) *bun.SelectQuery {
	return c.general(l, q)
}

// featured selects the rows that mark posts as featured.
func featured(l *List) *bun.SelectQuery {
	return l.store.Select().TableExpr("?(prefix)postmeta AS m").Where("m.meta_key = ?", schema.MetaFeatured)
}

// Featured asks for events that are marked as featured.
type Featured struct{}

func (Featured) general(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("EXISTS (?)", featured(l).ColumnExpr("1").Where("m.post_id = p.ID"))
}

func (Featured) scan(l *List, q *bun.SelectQuery, _ lookup) *bun.SelectQuery {
	return q.Where("(?) IS NOT NULL", featured(l).ColumnExpr("1").Where("m.post_id = p.ID").Limit(1))
}

func (Featured) index(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id IN (?)", featured(l).Column("m.post_id"))
}

func (Featured) source(_ *List, q *bun.SelectQuery) (*bun.SelectQuery, bun.Ident) {
	return q.TableExpr("?(prefix)postmeta AS n").Where("n.meta_key = ?", schema.MetaFeatured), "n.post_id"
}

func (Featured) named() int { return 0 }

// NotFeatured asks for the other events.
type NotFeatured struct{}

func (NotFeatured) general(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("NOT EXISTS (?)", featured(l).ColumnExpr("1").Where("m.post_id = p.ID"))
}

func (NotFeatured) scan(l *List, q *bun.SelectQuery, _ lookup) *bun.SelectQuery {
	return q.Where("(?) IS NULL", featured(l).ColumnExpr("1").Where("m.post_id = p.ID").Limit(1))
}

func (NotFeatured) index(l *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id NOT IN (?)", featured(l).Column("m.post_id"))
}

func (NotFeatured) leavesOutFew() {}

// ChildOf asks for the events below a post.
type ChildOf int64

func (c ChildOf) general(_ *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("p.post_parent = ?", int64(c))
}

// Among asks for some of these events.
type Among []int64

func (c Among) general(_ *List, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("p.ID IN (?)", bun.List(c))
}

// NotAmong asks for none of these events.
type NotAmong []int64

func (c NotAmong) general(_ *List, q *bun.SelectQuery) *bun.SelectQuery {
	return c.except(q, "p.ID")
}

func (c NotAmong) scan(_ *List, q *bun.SelectQuery, _ lookup) *bun.SelectQuery {
	return c.except(q, "p.ID")
}

func (c NotAmong) index(_ *List, q *bun.SelectQuery) *bun.SelectQuery {
	return c.except(q, "o.post_id")
}

func (c NotAmong) except(q *bun.SelectQuery, event bun.Ident) *bun.SelectQuery {
	if len(c) == 0 {
		return q
	}
	return q.Where("? NOT IN (?)", event, bun.List(c))
}

// texts returns ids as meta rows store them.
func texts(ids []int64) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.FormatInt(id, 10)
	}
	return list
}
