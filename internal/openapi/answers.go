package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/rest"
)

// Names of the responses that all operations share.
const (
	nameError       = "Error"
	nameNotModified = "NotModified"
)

// responses writes the responses of an operation. All errors share one body, so that a client generated from the
// document has one type for them. The codes that an operation can return are in the description and, for programs, in
// x-errors.
func (d *document) responses(route *rest.Route, o *rest.Operation) {
	status, about, headers := http.StatusOK, "doc_status_200", []string{}
	switch {
	case o.Batch:
		status, about = http.StatusMultiStatus, "doc_status_207"
	case o.Host && o.Creates:
		status = http.StatusCreated
	case o.Creates:
		status, about, headers = http.StatusCreated, "doc_status_201", append(headers, "Location")
	case o.List && o.Only == nil:
		headers = append(headers, "ETag-List", "X-WP-Total", "X-WP-TotalPages", "Link")
	case o.List:
		headers = append(headers, "ETag-List")
	case o.Reads() && !o.Sync:
		headers = append(headers, "ETag")
	}
	if o.Only != nil {
		headers = append(headers, "Content-Disposition")
	}
	failures := failuresOf(route, o)
	d.KeyObject("responses")
	d.KeyObject(strconv.Itoa(status))
	d.describe(about)
	d.headersOf(headers)
	d.success(o)
	d.End()
	if o.Reads() && !o.Sync {
		d.refer(strconv.Itoa(http.StatusNotModified), "responses", nameNotModified, "")
	}
	d.refer("default", "responses", nameError, d.message("doc_status_default")+" "+failures.listCodes())
	d.End()
	d.KeyObject("x-errors")
	for _, f := range failures {
		d.KeyStrings(strconv.Itoa(f.status), f.codes...)
	}
	d.End()
}

// success writes the body of a success: JSON, or the only format that the operation has.
func (d *document) success(o *rest.Operation) {
	d.KeyObject("content")
	if f := o.Only; f != nil {
		d.KeyObject(f.Media)
		d.Key("schema")
		d.schema(jsonschema.Text().Doc(f.About), "")
		d.KeyString("example", f.Example)
	} else {
		d.KeyObject("application/json")
		d.Key("schema")
		d.schema(o.Answer, "")
		d.exampleOf(o.Answer)
	}
	d.End()
	d.End()
}

// refer writes a reference to a component, with its own description unless that is "".
func (d *document) refer(key, kind, name, about string) {
	d.KeyObject(key)
	d.KeyString("$ref", "#/components/"+kind+"/"+name)
	if about != "" {
		d.KeyString("description", about)
	}
	d.End()
}

func (d *document) headersOf(names []string) {
	if len(names) == 0 {
		return
	}
	d.KeyObject("headers")
	for _, name := range names {
		d.refer(strings.TrimSuffix(name, "-List"), "headers", name, "")
	}
	d.End()
}

// answers writes the responses that operations refer to.
func (d *document) answers(routes []*rest.Route) {
	errors := allErrors(routes)
	d.KeyObject("responses")
	d.KeyObject(nameNotModified)
	d.describe("doc_status_304")
	d.End()
	d.KeyObject(nameError)
	d.describe("doc_status_default")
	d.KeyObject("content")
	d.KeyObject("application/json")
	d.Key("schema")
	d.schema(errorShape(errors), "")
	d.errorExamples(errors)
	d.End()
	d.End()
	d.End()
	d.End()
}

// errorShape returns the schema of the body of all errors. Members that only some errors have are optional.
func errorShape(errors []*apierror.Error) *jsonschema.Schema {
	code := jsonschema.Text().Example("rest_invalid_param")
	data, more := jsonschema.Object(""), jsonschema.Object("")
	for _, e := range errors {
		if e.Shape == nil {
			continue
		}
		for _, m := range e.Shape.Members {
			switch m.Name {
			case "code", "message":
			case "data":
				for _, inner := range m.Shape.Members {
					if inner.Name != "status" {
						addOptional(data, inner)
					}
				}
			default:
				addOptional(more, m)
			}
		}
	}
	return apierror.Shape(nameError, apierror.BadRequest, code, data.Members...).With("", more.Members...).Doc("doc_error")
}

// addOptional adds an optional member to an object. If the object has a member of this name, the schema becomes an
// alternative of it.
func addOptional(o *jsonschema.Schema, m jsonschema.Member) {
	m.Optional = true
	i := slices.IndexFunc(o.Members, func(other jsonschema.Member) bool { return other.Name == m.Name })
	if i < 0 {
		o.Members = append(o.Members, m)
		return
	}
	o.Members[i].Shape = jsonschema.OneOf(o.Members[i].Shape, m.Shape)
}

// failure is a status with the error codes that an operation returns with it.
type failure struct {
	status int
	codes  []string
}

type failures []failure

// failuresOf returns the failures of an operation, sorted by status.
func failuresOf(route *rest.Route, o *rest.Operation) (all failures) {
	for _, e := range route.AllErrors(o) {
		i, found := slices.BinarySearchFunc(all, e.Status, func(f failure, status int) int { return f.status - status })
		if !found {
			all = slices.Insert(all, i, failure{status: e.Status})
		}
		if f := &all[i]; !slices.Contains(f.codes, e.Code) {
			f.codes = append(f.codes, e.Code)
		}
	}
	return all
}

// listCodes lists the codes for people.
func (all failures) listCodes() string {
	var lines []string
	for _, f := range all {
		lines = append(lines, strconv.Itoa(f.status)+" `"+strings.Join(f.codes, "`, `")+"`")
	}
	return strings.Join(lines, "; ")
}

// allErrors returns the errors of all operations, one for each code and body.
func allErrors(routes []*rest.Route) (all []*apierror.Error) {
	seen := map[string]bool{}
	for _, route := range routes {
		for _, o := range route.Operations {
			for _, e := range route.AllErrors(o) {
				key := e.Code
				if e.Shape != nil {
					key += " " + e.Shape.Name
				}
				if !seen[key] {
					seen[key] = true
					all = append(all, e)
				}
			}
		}
	}
	return all
}
