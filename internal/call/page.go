package call

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Page is a page of a list.
type Page struct {
	Number, Size int64
	Total        int64 // of the items of all pages
	Filters      Query // the parameters that the list was made with, but the page
}

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

// Query builds an ordered query string.
type Query struct{ pairs [][2]string }

// Add appends a parameter.
func (q *Query) Add(name, value string) { q.pairs = append(q.pairs, [2]string{name, value}) }

// AddAll appends the parameters of another query.
func (q *Query) AddAll(other *Query) { q.pairs = append(q.pairs, other.pairs...) }

// Clone returns a copy.
func (q *Query) Clone() *Query { return &Query{slices.Clone(q.pairs)} }

// Empty reports whether there are no parameters.
func (q *Query) Empty() bool { return len(q.pairs) == 0 }

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
