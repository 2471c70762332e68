package floor

import (
	"cmp"
	"database/sql"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// show writes what the answers of events contain besides the events' own rows.
func (a *answer) show() error {
	if len(a.ids) == 0 {
		return nil
	}
	if err := a.meta("meta", a.ids, eventKeys); err != nil {
		return err
	}
	if err := a.rows("terms", a.withIDs(termsByPost, a.ids), nil, 10, nil, nil); err != nil {
		return err
	}
	if err := a.posts("linked", a.linked); err != nil {
		return err
	}
	if err := a.meta("linked_meta", a.linked, linkedKeys); err != nil {
		return err
	}
	return a.images()
}

func (a *answer) images() error {
	if err := a.posts("files", a.files); err != nil {
		return err
	}
	return a.meta("files_meta", a.files, fileKeys)
}

// event answers a single event, by id or by slug.
func (a *answer) event(q url.Values) error {
	statement, args := "", []any(nil)
	if slug := q.Get("slug"); slug != "" {
		statement, args = a.f.statement(postsBySlug), []any{slug}
	} else {
		id, err := strconv.ParseInt(q.Get("id"), 10, 64)
		if err != nil {
			return err
		}
		statement = a.withIDs(postsByID, []int64{id})
	}
	err := a.rows("posts", statement, args, 17, nil, func(row []sql.RawBytes) { a.ids = appendID(a.ids, row[0]) })
	if err != nil {
		return err
	}
	if len(a.ids) == 0 {
		return errNotFound
	}
	a.listed()
	return a.show()
}

// events answers a page of events.
func (a *answer) events(q url.Values) error {
	limit, offset, err := window(q)
	if err != nil {
		return err
	}
	f, err := filters(q)
	if err != nil {
		return err
	}
	page := eventColumns + f.page + eventOrder
	if f.late && offset > manySkipped {
		page = lateBegin + f.count + eventOrder + lateEnd
	}
	if err := a.page(a.f.statement(page), f.args, limit, offset); err != nil {
		return err
	}
	n, err := a.f.total(a.ctx, f.count+fmt.Sprint(f.args), a.f.statement("SELECT COUNT(*)"+f.count), f.args)
	if err != nil {
		return err
	}
	if err := a.total(n); err != nil {
		return err
	}
	return a.show()
}

// total writes the total of a list and the posts of the page.
func (a *answer) total(n int64) error {
	a.listed()
	a.number("total", n)
	return a.posts("posts", a.ids)
}

// manySkipped is the offset up to which the rows before a page are read rather than skipped in the index.
const manySkipped = 200

// filter selects the items of a list.
type filter struct {
	page, count string // the statements from their FROM clause on
	late        bool   // the count reads only the index that the page is read from
	args        []any
}

// filters returns the filter of a query.
func filters(q url.Values) (f filter, err error) {
	f = filter{dateFrom + dateWhere, countFrom + countWhere, true, []any{q.Get("start"), q.Get("end")}}
	if venue := q.Get("venue"); venue != "" {
		f.page = venueLink + dateWhere + andVenue
		f.count, f.late, f.args = f.page, false, append(f.args, venue)
	}
	if word := q.Get("search"); word != "" {
		pattern := "%" + word + "%"
		f.page += andSearch
		f.count, f.late, f.args = f.page, false, append(f.args, pattern, pattern, pattern)
	}
	if terms := q.Get("terms"); terms != "" {
		if strings.Trim(terms, "0123456789,") != "" {
			return f, errNotFound
		}
		and := strings.Replace(andTerm, "{terms}", terms, 1)
		f.page, f.count = f.page+and, f.count+and
	}
	return f, nil
}

type place struct {
	id            int64
	start, posted string
}

// page reads a page of ids in the order of an index that only contains the start. To sort occurrences with the same
// start, it reads some more rows before and after the page; ties is the number that was sufficient so far.
func (a *answer) page(statement string, args []any, limit, offset int) error {
	for more := int(a.f.ties.Load()); ; more *= 4 {
		before := min(more, offset)
		var rows []place
		err := a.f.query(a.ctx, statement, append(slices.Clip(args), before+limit+more, offset-before), func(r *sql.Rows) error {
			var p place
			err := r.Scan(&p.id, &p.start, &p.posted)
			rows = append(rows, p)
			return err
		})
		if err != nil {
			return err
		}
		last := min(before+limit, len(rows))
		if before >= last {
			return nil
		}
		cutBefore := offset > before && rows[0].start == rows[before].start
		cutAfter := len(rows) == before+limit+more && rows[len(rows)-1].start == rows[last-1].start
		if cutBefore || cutAfter {
			continue
		}
		a.f.ties.Store(int64(more))
		slices.SortFunc(rows, func(x, y place) int {
			return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.posted, y.posted), cmp.Compare(x.id, y.id))
		})
		for _, p := range rows[before:last] {
			a.ids = append(a.ids, p.id)
		}
		return nil
	}
}

func window(q url.Values) (limit, offset int, err error) {
	if limit, err = strconv.Atoi(q.Get("limit")); err != nil {
		return 0, 0, err
	}
	offset, err = strconv.Atoi(q.Get("offset"))
	return limit, offset, err
}

// venues answers a page of the venues that have events.
func (a *answer) venues(q url.Values) error {
	limit, offset, err := window(q)
	if err != nil {
		return err
	}
	err = a.f.query(a.ctx, a.f.statement(venuePage), []any{limit, offset}, func(r *sql.Rows) error {
		var id int64
		err := r.Scan(&id)
		a.ids = append(a.ids, id)
		return err
	})
	if err != nil {
		return err
	}
	n, err := a.f.total(a.ctx, venueAll, a.f.statement(venueAll), nil)
	if err != nil {
		return err
	}
	if err := a.total(n); err != nil {
		return err
	}
	if err := a.meta("meta", a.ids, linkedKeys); err != nil {
		return err
	}
	return a.images()
}

// categories answers a page of categories.
func (a *answer) categories(q url.Values) error {
	limit, offset, err := window(q)
	if err != nil {
		return err
	}
	statement := a.f.statement(categoryPage)
	err = a.rows("terms", statement, []any{limit, offset}, 9, nil, func(row []sql.RawBytes) { a.ids = appendID(a.ids, row[0]) })
	if err != nil {
		return err
	}
	n, err := a.f.total(a.ctx, categoryAll, a.f.statement(categoryAll), nil)
	a.listed()
	a.number("total", n)
	return err
}
