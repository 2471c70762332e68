package call

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Page is a page of a list: which one it is, and what is known of the whole list.
type Page struct {
	Number, Size int64
	Total        int64 // number of items on all pages
	Filters      Query // parameters of the list, without the page number
}

// Count sets Total, given the number of items found on this page. It calls count only if the total does not follow from
// that number, as it does on the last page.
func (p *Page) Count(found int, count func() (int64, error)) (err error) {
	n := int64(found)
	if n < p.Size && (n > 0 || p.Number == 1) {
		p.Total = (p.Number-1)*p.Size + n
		return nil
	}
	p.Total, err = count()
	return err
}

// Query builds a query string in which parameters keep their order.
type Query struct{ pairs [][2]string }

// Add appends a parameter.
func (q *Query) Add(name, value string) { q.pairs = append(q.pairs, [2]string{name, value}) }

// AddAll appends the parameters of another query.
func (q *Query) AddAll(other *Query) { q.pairs = append(q.pairs, other.pairs...) }

// Clone returns a copy.
func (q *Query) Clone() *Query { return &Query{slices.Clone(q.pairs)} }

// Empty reports whether there are no parameters.
func (q *Query) Empty() bool { return len(q.pairs) == 0 }

// AddList appends a list parameter in a form that is parsed back to the same list: separated by commas, or as one
// parameter for each element if an element contains a comma. Parsing unescapes lists once more than other values, so
// "%" and "+" are escaped twice.
func (q *Query) AddList(name string, items []string) {
	if slices.ContainsFunc(items, func(item string) bool { return strings.Contains(item, ",") }) {
		for _, item := range items {
			q.Add(name+"[]", item)
		}
		return
	}
	list := strings.Join(items, ",")
	if strings.ContainsAny(list, "%+") {
		list = strings.ReplaceAll(wp.FormEncode(list), "%2C", ",")
	}
	q.Add(name, list)
}

// String returns the encoded query string, without "?".
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

// RouteParam is the parameter that contains the route on WordPress sites with plain permalinks.
const RouteParam = "rest_route"

// WithQuery appends a query string to an address of the API. With plain permalinks the address already has a query, the
// route; it is then escaped, as WordPress does.
func WithQuery(address, query string) string {
	site, route, plain := strings.Cut(address, "?"+RouteParam+"=")
	if !plain {
		return address + "?" + query
	}
	return site + "?" + RouteParam + "=" + wp.FormEncode(route) + "&" + query
}
