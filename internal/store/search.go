package store

import (
	"math"
	"strings"

	"github.com/uptrace/bun"
)

// A FULLTEXT index knows which posts hold a word, and spares reading the texts of
// all. It knows whole words only, and not all of them: what it may lack is looked
// for in the texts, as are the phrases and punctuation around its words. So a
// search by the index finds, of what it would find without, the posts that hold
// its words whole.
//
// The phrases of boolean mode are not used: where an index spans several columns,
// MariaDB loses posts that hold them.

// UseSearchIndex makes the searches of event lists look words up in the FULLTEXT
// index over the texts of posts, which schema.CheckSearchIndex has to have found.
func (s *Store) UseSearchIndex() { s.searchIndex = true }

// searching adds the terms of a search to a query of posts p.
func (s *Store) searching(q *bun.SelectQuery, terms []Term) *bun.SelectQuery {
	var found []string
	var exactly []Term
	for _, t := range terms {
		words := s.lookedUp(t)
		inTexts := len(words) != 1 || words[0] != t.Text
		switch {
		case len(words) == 0:
			q = s.searchIn(q, "p", t)
		case t.Not && inTexts:
			q = q.Where("p.ID NOT IN (?)", s.holding(words, Term{Text: t.Text}))
		case t.Not:
			q = q.Where("p.ID NOT IN (?)", s.holding(words))
		default:
			found = append(found, words...)
			if inTexts {
				exactly = append(exactly, t)
			}
		}
	}
	if found != nil {
		q = q.Where("p.ID IN (?)", s.holding(found, exactly...))
	}
	return q
}

// lookedUp are the words of a term that go by the index.
func (s *Store) lookedUp(t Term) []string {
	if !s.searchIndex {
		return nil
	}
	return indexWords(t.Text)
}

// holding selects the posts that hold all words, and the terms as they are. It
// stands apart from the rest of a statement: a MATCH on a table that the server
// reads by another index is run again for every row.
func (s *Store) holding(words []string, exactly ...Term) *bun.SelectQuery {
	columns := make([]bun.Ident, len(searchColumns))
	for i, c := range searchColumns {
		columns[i] = bun.Ident("f." + c)
	}
	q := s.db.NewSelect().TableExpr("?(prefix)posts AS f").Column("f.ID").
		Where("MATCH (?, ?, ?) AGAINST (? IN BOOLEAN MODE)", columns[0], columns[1], columns[2], `+"`+strings.Join(words, `" +"`)+`"`)
	for _, t := range exactly {
		q = s.searchIn(q, "f", t)
	}
	return s.once(q, "ID")
}

// once has a subquery of one column run one time, and not for every row. The limit
// keeps servers from merging it into what is around it.
func (s *Store) once(q *bun.SelectQuery, column bun.Ident) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("(?) AS once", q.Limit(math.MaxInt)).ColumnExpr("once.?", column)
}
