package openapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

// answer is what requests are answered with under one status.
type answer struct {
	name    string // among the components, "" for an inline one
	status  int
	success *shape.Shape   // its body, nil for errors
	formats []*rest.Format // of a success, besides JSON
	special []*rest.Error  // with bodies of their own
	errors  []*rest.Error  // with the usual body
	headers []string
}

// add adds an error, once.
func (a *answer) add(e *rest.Error) {
	switch {
	case e.Shape != nil:
		a.special = append(a.special, e)
	case !slices.Contains(a.codes(), e.Code):
		a.errors = append(a.errors, e)
	}
}

func (a *answer) codes() (codes []string) {
	for _, e := range a.errors {
		codes = append(codes, e.Code)
	}
	return codes
}

// key is the same for equal answers.
func (a *answer) key() string {
	names := slices.Sorted(slices.Values(a.codes()))
	for _, e := range a.special {
		names = append(names, e.Shape.Name)
	}
	return fmt.Sprint(a.status, names)
}

// responses writes all answers to an operation.
func (d *document) responses(route *rest.Route, o *rest.Operation) {
	d.KeyObject("responses")
	ok := &answer{
		status: http.StatusOK, success: o.Answer, formats: o.Formats, headers: []string{"Allow", "Content-Language", "X-WP-Nonce"},
	}
	switch {
	case o.Creates:
		ok.status, ok.headers = http.StatusCreated, append(ok.headers, "Location")
	case o.List:
		ok.headers = append(ok.headers, "ETag-List", "X-TEC-Total", "X-TEC-TotalPages", "X-WP-Total", "X-WP-TotalPages", "Link")
	case o.Reads():
		ok.headers = append(ok.headers, "ETag")
	}
	if o.TakesKey() {
		ok.headers = append(ok.headers, "Idempotency-Replayed")
	}
	if len(o.Formats) > 0 {
		ok.headers = append(ok.headers, "Content-Disposition")
	}
	d.Key(strconv.Itoa(ok.status))
	d.answer(ok)
	if o.Reads() {
		d.Key(strconv.Itoa(http.StatusNotModified))
		d.shared(&answer{status: http.StatusNotModified, headers: headersOf(http.StatusNotModified)})
	}
	for _, a := range failures(route, o) {
		a.headers = headersOf(a.status)
		d.Key(strconv.Itoa(a.status))
		d.shared(a)
	}
	d.End()
}

// usual notes the answers that most operations have, under the plainest names.
func (d *document) usual() {
	plain := &rest.Operation{Methods: []string{http.MethodGet}}
	for _, a := range failures(&rest.Route{}, plain) {
		a.name, a.headers = nameOf(a.status), headersOf(a.status)
		d.answers = append(d.answers, a)
	}
}

func nameOf(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

// shared writes an answer: a reference if others have it too, or are likely to.
func (d *document) shared(a *answer) {
	a.name = nameOf(a.status)
	for _, other := range d.answers {
		if other.key() == a.key() {
			d.refer(other)
			return
		}
		if other.name == a.name {
			extra := slices.DeleteFunc(a.codes(), func(c string) bool { return slices.Contains(other.codes(), c) })
			switch {
			case len(a.codes()) < len(other.codes()):
				a.name += "OfWrites" // a read can be wrong in one more way
			case len(extra) == 1 && len(a.special) == len(other.special):
				a.name += "With" + camel(extra[0])
			default:
				d.answer(a)
				return
			}
		}
	}
	d.answers = append(d.answers, a)
	d.refer(a)
}

func (d *document) refer(a *answer) {
	d.Object()
	d.KeyString("$ref", "#/components/responses/"+a.name)
	d.End()
}

// camel makes a name of a code.
func camel(code string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(code, func(c rune) bool { return c == '_' || c == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func (d *document) answer(a *answer) {
	d.Object()
	d.describe("doc_status_" + strconv.Itoa(a.status))
	d.KeyObject("headers")
	for _, h := range a.headers {
		name := strings.TrimSuffix(strings.TrimSuffix(h, "-List"), "-Optional")
		d.KeyObject(name)
		d.KeyString("$ref", "#/components/headers/"+h)
		d.End()
	}
	d.End()
	if a.status != http.StatusNotModified {
		d.content(a)
	}
	d.End()
}

func (d *document) content(a *answer) {
	var bodies []*shape.Shape
	for _, e := range a.special {
		bodies = append(bodies, e.Shape)
	}
	if len(a.errors) > 0 {
		bodies = append(bodies, withCodes(a.codes()))
	}
	d.KeyObject("content")
	d.KeyObject("application/json")
	d.Key("schema")
	switch {
	case a.success != nil:
		d.schema(a.success, "")
		d.exampleOf(a.success)
	case len(bodies) == 1:
		d.schema(bodies[0], "")
		d.errorExamples(a)
	default:
		d.schema(shape.OneOf(bodies...), "")
		d.errorExamples(a)
	}
	d.End()
	for _, f := range a.formats {
		d.KeyObject(f.Media)
		d.Key("schema")
		d.schema(shape.Text().Doc(f.About), "")
		d.KeyString("example", f.Example)
		d.End()
	}
	d.End()
}

var plainError = rest.ErrorShape("Error", shape.Text()).Doc("doc_error")

// withCodes narrows the usual error to codes.
func withCodes(codes []string) *shape.Shape {
	narrow := shape.Object("", shape.Optional("code", shape.Words(codes...))).Opened().Undescribed()
	return &shape.Shape{AllOf: []*shape.Shape{plainError, narrow}}
}

// failures are the answers to an operation that did not succeed, by status.
func failures(route *rest.Route, o *rest.Operation) []*answer {
	byStatus := map[int]*answer{}
	for _, e := range route.AllErrors(o) {
		if byStatus[e.Status] == nil {
			byStatus[e.Status] = &answer{status: e.Status}
		}
		byStatus[e.Status].add(e)
	}
	return slices.SortedFunc(maps.Values(byStatus), func(a, b *answer) int { return a.status - b.status })
}
