package rest

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/internal/wp"
)

// Query builds an ordered query string.
type Query struct{ pairs [][2]string }

// Add appends a parameter.
func (q *Query) Add(name, value string) { q.pairs = append(q.pairs, [2]string{name, value}) }

// AddList appends a list parameter in a form that is read back unchanged: separated
// by commas, or item by item if an item has a comma. Lists are unescaped once more
// than other values, so escapes are doubled.
func (q *Query) AddList(name string, items []string) {
	for _, item := range items {
		if strings.Contains(item, ",") {
			for _, item := range items {
				q.Add(name+"[]", item)
			}
			return
		}
	}
	list := strings.Join(items, ",")
	if strings.ContainsAny(list, "%+") {
		list = strings.ReplaceAll(wp.FormEncode(list), "%2C", ",")
	}
	q.Add(name, list)
}

// String returns the escaped query, without "?".
func (q *Query) String() string {
	var b strings.Builder
	for i, p := range q.pairs {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(wp.FormEncode(p[0]) + "=" + wp.FormEncode(p[1]))
	}
	return b.String()
}

// RouteParam is the parameter by which sites with plain permalinks name a route.
const RouteParam = "rest_route"

// WithQuery adds a query to an address of the API. With plain permalinks the address has
// one already, whose route is then escaped, as the site's own software does.
func WithQuery(address, query string) string {
	site, route, plain := strings.Cut(address, "?"+RouteParam+"=")
	if !plain {
		return address + "?" + query
	}
	return site + "?" + RouteParam + "=" + wp.FormEncode(route) + "&" + query
}

// Page is a page of a list.
type Page struct {
	Number, Size int64
	Total        int64
	Filters      Query  // all parameters but the page
	Base         string // address of the list
	// LenientPast links a page beyond the last to the one before it, even if that is
	// beyond the last too.
	LenientPast bool
}

// pages returns the number of pages.
func (p *Page) pages() int64 { return (p.Total + p.Size - 1) / p.Size }

// Count sets the total of a page on which a number of items was found: without a call
// of count if they show that they are the last ones.
func (p *Page) Count(found int, count func() (int64, error)) (err error) {
	n := int64(found)
	if n < p.Size && (n > 0 || p.Number == 1) {
		p.Total = (p.Number-1)*p.Size + n
		return nil
	}
	p.Total, err = count()
	return err
}

// hasNext reports whether the following page has items.
func (p *Page) hasNext() bool { return p.Number < p.pages() }

// hasPrevious reports whether the preceding page is linked.
func (p *Page) hasPrevious() bool {
	return p.Number > 1 && (p.LenientPast || p.Number-1 <= p.pages())
}

// address returns the list's address with its parameters and, if not 0, a page number
// at the end.
func (p *Page) address(number int64) string {
	q := Query{pairs: p.Filters.pairs[:len(p.Filters.pairs):len(p.Filters.pairs)]}
	if number > 1 {
		q.Add("page", strconv.FormatInt(number, 10))
	}
	if len(q.pairs) == 0 {
		return p.Base
	}
	return WithQuery(p.Base, q.String())
}

// WriteNeighbours writes the addresses of the next and the previous page, if any.
func (p *Page) WriteNeighbours(w *phpjson.Writer) {
	if p.hasNext() {
		w.KeyString("next_rest_url", p.address(p.Number+1))
	}
	if p.hasPrevious() {
		w.KeyString("previous_rest_url", p.address(p.Number-1))
	}
}

// WriteOwn writes the page's own address as in lists of terms.
func (p *Page) WriteOwn(w *phpjson.Writer) { w.KeyString("rest_url", p.address(p.Number)) }

// WriteLinks writes the page's own address and its neighbours, as in lists of posts.
func (p *Page) WriteLinks(w *phpjson.Writer) {
	own := Query{}
	own.Add("page", strconv.FormatInt(p.Number, 10))
	own.pairs = append(own.pairs, p.Filters.pairs...)
	w.KeyString("rest_url", WithQuery(p.Base, own.String()))
	p.WriteNeighbours(w)
}

// WriteTotals writes the number of items and pages.
func (p *Page) WriteTotals(w *phpjson.Writer) {
	w.KeyInt("total", p.Total)
	w.KeyInt("total_pages", p.pages())
}

// Response returns the answer that is the page.
func (p *Page) Response() *Response { return &Response{Page: p} }

// totals returns the number of items and pages as headers.
func (p *Page) totals(items, pages string) []Header {
	return []Header{{items, p.Total}, {pages, p.pages()}}
}

// withPage returns a raw query with a number of the page in place of any that it has.
func withPage(raw string, number int64) string {
	var q Query
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, value = param.Unescape(name), param.Unescape(value)
		form := param.NewForm()
		if err := form.Add(name, value); err != nil || form.Len() == 0 {
			continue // it names nothing
		}
		if _, ok := form.Get("page"); !ok {
			q.Add(name, value)
		}
	}
	q.Add("page", strconv.FormatInt(number, 10))
	return q.String()
}

// PageShape is a page of a collection.
func PageShape(name, collection string, item *shape.Shape) *shape.Shape {
	address := shape.Text().Example("https://example.org/wp-json/vendor/events/v1/" + collection + "/?page=2&per_page=10")
	return shape.Object(name,
		shape.Member{Name: collection, Shape: shape.List(item), About: "doc_field_items"},
		shape.Has("rest_url", address).Doc("doc_field_page_url"),
		shape.Optional("next_rest_url", address), shape.Optional("previous_rest_url", address),
		shape.Has("total", shape.Int().From(0).Example(12)), shape.Has("total_pages", shape.Int().From(0).Example(2)),
	)
}
