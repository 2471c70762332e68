package rest

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// Page is a page of a list with the addresses of other pages.
type Page struct {
	call.Page
	Base string // address of the list
	// LenientPast makes a page beyond the last one link the page before it, even if that is beyond the last one too.
	LenientPast bool
}

// pages returns the number of pages.
func (p *Page) pages() int64 { return (p.Total + p.Size - 1) / p.Size }

// hasNext reports whether the following page has items.
func (p *Page) hasNext() bool { return p.Number < p.pages() }

// hasPrevious reports whether the preceding page is linked.
func (p *Page) hasPrevious() bool {
	return p.Number > 1 && (p.LenientPast || p.Number-1 <= p.pages())
}

// address returns the list's address with its parameters and, if not 0, a page number at the end.
func (p *Page) address(number int64) string {
	q := p.Filters.Clone()
	if number > 1 {
		q.Add("page", strconv.FormatInt(number, 10))
	}
	if q.Empty() {
		return p.Base
	}
	return call.WithQuery(p.Base, q.String())
}

// WriteNeighbours writes the addresses of the next and the previous page, if there are any.
func (p *Page) WriteNeighbours(w *phpjson.Writer) {
	if p.hasNext() {
		w.KeyString("next_rest_url", p.address(p.Number+1))
	}
	if p.hasPrevious() {
		w.KeyString("previous_rest_url", p.address(p.Number-1))
	}
}

// WriteOwn writes the page's own address in the form of lists of terms.
func (p *Page) WriteOwn(w *phpjson.Writer) { w.KeyString("rest_url", p.address(p.Number)) }

// WriteLinks writes the addresses of the page and its neighbours in the form of lists of posts.
func (p *Page) WriteLinks(w *phpjson.Writer) {
	var own call.Query
	own.Add("page", strconv.FormatInt(p.Number, 10))
	own.AddAll(&p.Filters)
	w.KeyString("rest_url", call.WithQuery(p.Base, own.String()))
	p.WriteNeighbours(w)
}

// WriteTotals writes the number of items and pages.
func (p *Page) WriteTotals(w *phpjson.Writer) {
	w.KeyInt("total", p.Total)
	w.KeyInt("total_pages", p.pages())
}

// Response returns the answer that consists of the page.
func (p *Page) Response() *Response { return &Response{Page: p} }

// totals returns the number of items and pages as headers.
func (p *Page) totals(items, pages string) []Header {
	return []Header{{items, p.Total}, {pages, p.pages()}}
}

// maxLinked is the maximum length of an address in a Link header: proxies reject answers with headers of more than 4 or
// 8 KiB.
const maxLinked = 1500

// links returns the Link header of an answer to a raw query: the REST root, and the next and the previous page of a
// list; page is nil for other answers and for an envelope, which links only the REST root, as in the recorded answers.
// bodied says whether the body contained some of the parameters.
func links(root *call.Root, page *Page, query string, bodied bool) string {
	header := "<" + root.BaseURL + `/>; rel="https://api.w.org/"`
	if page == nil {
		return header
	}
	add := func(number int64, rel string) {
		address := call.WithQuery(page.Base, withPage(query, number))
		if bodied {
			address = page.address(number)
		}
		if len(address) <= maxLinked {
			header += ", <" + address + `>; rel="` + rel + `"`
		}
	}
	if page.hasNext() {
		add(page.Number+1, "next")
	}
	if page.hasPrevious() {
		add(page.Number-1, "prev")
	}
	return header
}

// withPage returns a raw query in which a page number replaces any that it contains.
func withPage(raw string, number int64) string {
	var q call.Query
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, value = param.Unescape(name), param.Unescape(value)
		form := param.NewForm()
		if err := form.Add(name, value); err != nil || form.Len() == 0 {
			continue // not a parameter
		}
		if _, ok := form.Get("page"); !ok {
			q.Add(name, value)
		}
	}
	q.Add("page", strconv.FormatInt(number, 10))
	return q.String()
}

// PageShape is the shape of a page of a collection.
func PageShape(name, collection string, item *jsonschema.Schema) *jsonschema.Schema {
	address := jsonschema.Text().Example("https://example.org/wp-json/vendor/events/v1/" + collection + "/?page=2&per_page=10")
	return jsonschema.Object(name,
		jsonschema.Member{Name: collection, Shape: jsonschema.List(item), About: "doc_field_items"},
		jsonschema.Has("rest_url", address).Doc("doc_field_page_url"),
		jsonschema.Optional("next_rest_url", address), jsonschema.Optional("previous_rest_url", address),
		jsonschema.Has("total", jsonschema.Int().From(0).Example(12)), jsonschema.Has("total_pages", jsonschema.Int().From(0).Example(2)),
	)
}
