package eventlist

import (
	"math"
	"strings"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/store"
)

// With a FULLTEXT index a search does not have to read all texts. The index contains only whole words, and not all of
// them: other words, phrases and punctuation are searched in the texts of the posts that the index finds. So a search
// with the index finds those posts that a search without it would find and that contain the words as whole words.
//
// The phrases of boolean mode are not used: in an index over several columns, MariaDB misses posts that contain them.

// Term is one word or phrase of a search.
type Term struct {
	Text string
	Not  bool
}

// Searching returns the condition that an event's texts contain all terms.
func (l *List) Searching(terms []Term) Condition {
	for _, t := range terms {
		if !t.Not && len(l.lookedUp(t)) > 0 {
			return wordSearch(terms)
		}
	}
	return textSearch(terms)
}

// textSearch is a search without the index.
type textSearch []Term

func (c textSearch) general(l *List, q *query) *query        { return l.searching(q, c) }
func (c textSearch) scan(l *List, q *query, _ lookup) *query { return l.searching(q, c) }
func (textSearch) matchesText()                              {}

// wordSearch is a search that begins with the posts that the FULLTEXT index finds.
type wordSearch []Term

func (c wordSearch) general(l *List, q *query) *query { return l.searching(q, c) }
func (wordSearch) matchesText()                       {}

// searching adds the terms of a search to a query of posts p.
func (l *List) searching(q *query, terms []Term) *query {
	var found []string
	var exactly []Term
	for _, t := range terms {
		words := l.lookedUp(t)
		inTexts := len(words) != 1 || words[0] != t.Text
		switch {
		case len(words) == 0:
			q = l.searchIn(q, "p", t)
		case t.Not && inTexts:
			q = q.Where("p.ID NOT IN (?)", l.holding(words, Term{Text: t.Text}))
		case t.Not:
			q = q.Where("p.ID NOT IN (?)", l.holding(words))
		default:
			found = append(found, words...)
			if inTexts {
				exactly = append(exactly, t)
			}
		}
	}
	if found != nil {
		q = q.Where("p.ID IN (?)", l.holding(found, exactly...))
	}
	return q
}

// lookedUp returns the words of a term that are searched in the index.
func (l *List) lookedUp(t Term) []string {
	if !l.store.Config.SearchIndex {
		return nil
	}
	return indexWords(t.Text)
}

// holding selects the posts that contain all words, and exactly the terms. It must be a separate query: if the server
// reads the table by another index, it evaluates a MATCH again for every row.
func (l *List) holding(words []string, exactly ...Term) *query {
	columns := make([]bun.Ident, len(searchColumns))
	for i, c := range searchColumns {
		columns[i] = bun.Ident("f." + c)
	}
	q := l.store.DB.Select().From(store.TablePosts, "f").Column("f.ID").
		Where("MATCH (?, ?, ?) AGAINST (? IN BOOLEAN MODE)", columns[0], columns[1], columns[2], `+"`+strings.Join(words, `" +"`)+`"`)
	for _, t := range exactly {
		q = l.searchIn(q, "f", t)
	}
	return l.once(q, "ID")
}

// once makes a subquery of one column be evaluated once and not for every row. The limit keeps servers from merging it
// into the enclosing query.
func (l *List) once(q *query, column bun.Ident) *query {
	return l.store.DB.Select().FromQuery(q.Limit(math.MaxInt), "once").ColumnExpr("once.?", column)
}

// searchColumns are the columns that contain a post's texts.
var searchColumns = []string{"post_title", "post_excerpt", "post_content"}

// searchIn adds the condition that any of a post's texts contains a term or, with Not, that none does.
func (l *List) searchIn(q *query, posts string, t Term) *query {
	column := func(name string) bunschema.QueryAppender { return l.store.DB.TextColumn(posts+"."+name, t.Text) }
	if t.Not {
		for _, c := range searchColumns {
			q = q.Where("? NOT LIKE ? ESCAPE '|'", column(c), store.Contains(t.Text))
		}
		return q
	}
	return q.WhereGroup(" AND ", func(q *query) *query {
		for _, c := range searchColumns {
			q = q.WhereOr("? LIKE ? ESCAPE '|'", column(c), store.Contains(t.Text))
		}
		return q
	})
}
