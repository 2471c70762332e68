package store

import (
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Condition is one thing that a list of events asks for besides its bounds. Each kind
// of condition is one type of this file, with all that strategies know of it. It has
// to implement general and no more: a strategy is taken only where every condition of
// a filter implements what the strategy needs (see as), and the general one is right
// for all.
type Condition interface {
	// general keeps the events p, which the database may begin with or not.
	general(s *Store, q *bun.SelectQuery) *bun.SelectQuery
}

// scannable is a condition that does not name its events one by one: lists in the
// order of starts are read in this order, and the condition is looked up for each.
type scannable interface {
	Condition
	scan(s *Store, q *bun.SelectQuery, at oneByOne) *bun.SelectQuery
}

// oneByOne is how a scan looks up what is stored of an event, so that the database does
// not begin with a list of all events that a condition selects.
type oneByOne struct {
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
	index(s *Store, q *bun.SelectQuery) *bun.SelectQuery
}

// nearlyAll is an indexed condition that leaves out few events.
type nearlyAll interface {
	indexed
	leavesOutFew()
}

// selective is a condition whose events, where they are few, are read first and then
// sorted.
type selective interface {
	scannable
	// source reads from rows n that name events, and returns the column with their id.
	source(s *Store, q *bun.SelectQuery) (from *bun.SelectQuery, event bun.Ident)
}

// sized is a selective condition of which the site itself keeps about how many events
// it selects; 0 if that is not known.
type sized interface {
	selective
	size() int64
}

// linking is a selective condition of which nothing tells how many events it selects
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

// Searching returns the condition that the texts of events hold all terms.
func (s *Store) Searching(terms []Term) Condition {
	for _, t := range terms {
		if !t.Not && len(s.lookedUp(t)) > 0 {
			return wordSearch(terms)
		}
	}
	return textSearch(terms)
}

// textSearch is a search that reads texts.
type textSearch []Term

func (c textSearch) general(s *Store, q *bun.SelectQuery) *bun.SelectQuery { return s.searching(q, c) }

func (c textSearch) scan(s *Store, q *bun.SelectQuery, _ oneByOne) *bun.SelectQuery {
	return s.searching(q, c)
}

func (textSearch) matchesText() {}

// wordSearch is a search that is best begun with the posts that the FULLTEXT index
// finds.
type wordSearch []Term

func (c wordSearch) general(s *Store, q *bun.SelectQuery) *bun.SelectQuery { return s.searching(q, c) }

func (wordSearch) matchesText() {}

// Assigned asks for one of the terms, by their term_taxonomy_id.
type Assigned struct {
	Terms   []int64
	Members int64 // at most how many posts have one of them, 0 if that is not known
}

func (c Assigned) rows(s *Store) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)term_relationships AS r").Where("r.term_taxonomy_id IN (?)", bun.List(c.Terms))
}

func (c Assigned) general(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("EXISTS (?)", c.rows(s).ColumnExpr("1").Where("r.object_id = p.ID"))
}

func (c Assigned) scan(s *Store, q *bun.SelectQuery, at oneByOne) *bun.SelectQuery {
	return q.Where("(?) IS NOT NULL", c.rows(s).ColumnExpr("1").Where("r.object_id = ?", at.event).Limit(1))
}

func (c Assigned) index(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id IN (?)", c.rows(s).Column("r.object_id"))
}

func (c Assigned) source(_ *Store, q *bun.SelectQuery) (*bun.SelectQuery, bun.Ident) {
	return q.TableExpr("?(prefix)term_relationships AS n").Where("n.term_taxonomy_id IN (?)", bun.List(c.Terms)), "n.object_id"
}

func (c Assigned) size() int64 { return c.Members }

// Linking asks for a link to one of the posts by a meta key; an empty list matches
// nothing.
type Linking struct {
	Key string
	IDs []int64
}

func (c Linking) general(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("EXISTS (?)", c.ofEvent(s, "p.ID"))
}

func (c Linking) ofEvent(s *Store, event bun.Ident) *bun.SelectQuery {
	return s.metaOf(c.Key, event).Where("m.meta_value IN (?)", bun.List(texts(c.IDs)))
}

func (c Linking) events(s *Store) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").Column("m.post_id").
		Where("m.meta_key = ?", c.Key).Where("m.meta_value IN (?)", bun.List(texts(c.IDs)))
}

func (c Linking) scan(s *Store, q *bun.SelectQuery, at oneByOne) *bun.SelectQuery {
	if at.inList { // as a condition alone, the database would begin with the list
		return q.Where("(o.post_id IN (?)) IS TRUE", c.events(s))
	}
	return q.Where("(?) IS NOT NULL", c.ofEvent(s, at.event).Limit(1))
}

func (c Linking) index(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id IN (?)", c.events(s))
}

func (c Linking) source(_ *Store, q *bun.SelectQuery) (*bun.SelectQuery, bun.Ident) {
	return q.TableExpr("?(prefix)postmeta AS n").Where("n.meta_key = ?", c.Key).
		Where("n.meta_value IN (?)", bun.List(texts(c.IDs))), "n.post_id"
}

func (c Linking) named() int { return len(c.IDs) }

// NotLinking asks for events that link none of the posts by a meta key.
type NotLinking struct {
	Key string
	IDs []int64
}

func (c NotLinking) general(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("NOT EXISTS (?)", Linking(c).ofEvent(s, "p.ID"))
}

func (c NotLinking) scan(s *Store, q *bun.SelectQuery, _ oneByOne) *bun.SelectQuery {
	return c.general(s, q)
}

// Featured asks for events that are marked as featured.
type Featured struct{}

func (c Featured) general(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("EXISTS (?)", s.metaOf(schema.MetaFeatured, "p.ID"))
}

func (c Featured) scan(s *Store, q *bun.SelectQuery, _ oneByOne) *bun.SelectQuery {
	return q.Where("(?) IS NOT NULL", s.metaOf(schema.MetaFeatured, "p.ID").Limit(1))
}

func (c Featured) index(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id IN (?)", s.withMeta(schema.MetaFeatured))
}

func (c Featured) source(_ *Store, q *bun.SelectQuery) (*bun.SelectQuery, bun.Ident) {
	return q.TableExpr("?(prefix)postmeta AS n").Where("n.meta_key = ?", schema.MetaFeatured), "n.post_id"
}

func (Featured) named() int { return 0 }

// NotFeatured asks for the other events.
type NotFeatured struct{}

func (c NotFeatured) general(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("NOT EXISTS (?)", s.metaOf(schema.MetaFeatured, "p.ID"))
}

func (c NotFeatured) scan(s *Store, q *bun.SelectQuery, _ oneByOne) *bun.SelectQuery {
	return q.Where("(?) IS NULL", s.metaOf(schema.MetaFeatured, "p.ID").Limit(1))
}

func (c NotFeatured) index(s *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("o.post_id NOT IN (?)", s.withMeta(schema.MetaFeatured))
}

func (NotFeatured) leavesOutFew() {}

// ChildOf asks for the events below a post.
type ChildOf int64

func (c ChildOf) general(_ *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("p.post_parent = ?", int64(c))
}

// Among asks for some of these events.
type Among []int64

func (c Among) general(_ *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("p.ID IN (?)", bun.List(c))
}

// NotAmong asks for none of these events.
type NotAmong []int64

func (c NotAmong) general(_ *Store, q *bun.SelectQuery) *bun.SelectQuery {
	if len(c) == 0 {
		return q
	}
	return q.Where("p.ID NOT IN (?)", bun.List(c))
}

func (c NotAmong) scan(s *Store, q *bun.SelectQuery, _ oneByOne) *bun.SelectQuery {
	return c.general(s, q)
}

func (c NotAmong) index(_ *Store, q *bun.SelectQuery) *bun.SelectQuery {
	if len(c) == 0 {
		return q
	}
	return q.Where("o.post_id NOT IN (?)", bun.List(c))
}
