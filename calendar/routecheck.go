package calendar

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
)

var (
	routeSegment = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)
	routeMethods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	paramTypes   = []string{FieldText, FieldInteger, FieldNumber, FieldYesNo, FieldDate, FieldChoice, FieldList}
)

// segments returns the segments of a path.
func segments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

// variable returns the name of a segment that is a variable, and "" for other segments.
func variable(segment string) string {
	if len(segment) > 2 && segment[0] == '{' && segment[len(segment)-1] == '}' {
		return segment[1 : len(segment)-1]
	}
	return ""
}

// inPath reports whether a parameter is a variable of the path.
func (r *Route) inPath(name string) bool { return slices.Contains(segments(r.Path), "{"+name+"}") }

// digits returns the variables of the path that match only digits.
func (r *Route) digits() map[string]bool {
	all := map[string]bool{}
	for _, p := range r.Params {
		if p.Type == FieldInteger && r.inPath(p.Name) {
			all[p.Name] = true
		}
	}
	return all
}

// id returns the operation id in the OpenAPI document: "ownPostEventsIdRsvp".
func (r *Route) id() string {
	name := "own" + r.Method[:1] + strings.ToLower(r.Method[1:])
	for _, word := range strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/{}._~-", c) }) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// textID returns the message id of the description.
func (r *Route) textID() string { return "route_" + r.Method + "_" + strings.TrimRight(r.Path, "/") }

// wrongRoutes returns the errors in Options.Routes, each with the name of its route. own are the API's routes.
func wrongRoutes(routes []Route, own []*rest.Route, languageParam string) error {
	var errs []error
	seen := map[string]bool{}
	for i := range routes {
		r := &routes[i]
		wrong := func(bad bool, format string, args ...any) {
			if bad {
				name := fmt.Sprintf("Routes[%d] %s %s", i, r.Method, r.Path)
				errs = append(errs, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...)))
			}
		}
		wrong(!slices.Contains(routeMethods, r.Method), "Method %q: use one of %s", r.Method, strings.Join(routeMethods, ", "))
		wrong(r.wrong != nil, "%v", r.wrong)
		wrong(r.Handle == nil, "Handle is missing")
		wrong(r.MaxBody < 0 || r.Timeout < 0, "MaxBody or Timeout is negative")
		registry.WrongTexts(wrong, r.Description, r.Texts)
		r.wrongPath(wrong)
		r.wrongParams(wrong, languageParam)
		for _, other := range own {
			taken := overlaps(segments(r.Path), segments(other.Path), r.digits(), map[string]bool{"id": true})
			wrong(taken, "the path belongs to the API: %s", other.Path)
		}
		for j := range routes[:i] {
			other := &routes[j]
			same := strings.EqualFold(strings.TrimRight(r.Path, "/"), strings.TrimRight(other.Path, "/"))
			wrong(!same && overlaps(segments(r.Path), segments(other.Path), r.digits(), other.digits()),
				"another route has the same path: %s", other.Path)
			wrong(same && r.Path != other.Path, "another route has the same path: write it like %s", other.Path)
		}
		wrong(seen[r.Method+" "+r.Path], "another route has this method and path")
		seen[r.Method+" "+r.Path] = true
	}
	if errs == nil {
		return nil
	}
	return fmt.Errorf("options: %w", errors.Join(errs...))
}

// overlaps reports whether an address can match both of two paths, of whose variables some match only digits.
func overlaps(a, b []string, digitsOfA, digitsOfB map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		nameA, nameB := variable(a[i]), variable(b[i])
		isNumber := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
		switch {
		case nameA == "" && nameB == "" && !strings.EqualFold(a[i], b[i]),
			nameA == "" && digitsOfB[nameB] && !isNumber(a[i]),
			nameB == "" && digitsOfA[nameA] && !isNumber(b[i]):
			return false
		}
	}
	return true
}

func (r *Route) wrongPath(wrong func(bad bool, format string, args ...any)) {
	if !strings.HasPrefix(r.Path, "/") || r.Path == "/" {
		wrong(true, "Path: use one such as /events/{id}/rsvp")
		return
	}
	names := map[string]bool{}
	for _, s := range segments(r.Path) {
		name := variable(s)
		if name == "" {
			wrong(!routeSegment.MatchString(s), "Path: %q: use letters, digits and ._~-, or a variable such as {id}", s)
			continue
		}
		i := slices.IndexFunc(r.Params, func(p Param) bool { return p.Name == name })
		wrong(i < 0, "Path: the variable {%s} is not in Params", name)
		wrong(i >= 0 && r.Params[i].Type != FieldInteger && r.Params[i].Type != FieldText,
			"Path: the variable {%s} must be a %s or a %s", name, FieldInteger, FieldText)
		wrong(names[name], "Path: the variable {%s} occurs twice", name)
		names[name] = true
	}
}

func (r *Route) wrongParams(wrong func(bad bool, format string, args ...any), languageParam string) {
	for _, list := range [][]Param{r.Params, r.Answer} {
		names := map[string]bool{}
		for _, p := range list {
			of := func(bad bool, format string, args ...any) {
				wrong(bad, "the parameter %q: %s", p.Name, fmt.Sprintf(format, args...))
			}
			of(!registry.DeclaredName.MatchString(p.Name), "use lower-case letters, digits and underscores for its name")
			of(p.Name == languageParam || p.Name == "rest_route", "the name belongs to the API")
			of(names[p.Name], "another one already has this name")
			names[p.Name] = true
			p.wrong(of, r)
		}
	}
}

// wrong reports the errors in the declaration of a parameter.
func (p Param) wrong(wrong func(bad bool, format string, args ...any), r *Route) {
	counts := p.Type == FieldText || p.Type == FieldList
	number := p.Type == FieldNumber || p.Type == FieldInteger
	wrong(!slices.Contains(paramTypes, p.Type), "Type %q: use one of %s", p.Type, strings.Join(paramTypes, ", "))
	wrong((p.Type == FieldChoice) != (len(p.Choices) > 0), "only a %s can have Choices, and it needs some", FieldChoice)
	wrong(p.Min != nil && !number, "only a %s or a %s can have Min", FieldNumber, FieldInteger)
	wrong(p.Max != nil && !number && !counts, "Max cannot be a bound of a %s", p.Type)
	wrong(p.Max != nil && counts && (*p.Max < 1 || *p.Max != math.Trunc(*p.Max) || *p.Max > math.MaxInt32),
		"Max: use a whole number above 0")
	wrong(p.Min != nil && p.Max != nil && *p.Min > *p.Max, "Min is greater than Max")
	wrong(p.Required && p.Default != nil, "it is required and has a default")
	registry.WrongTexts(wrong, p.Description, p.Texts)
	for of, v := range map[string]any{"Default": p.Default, "Example": p.Example} {
		wrong(v != nil && !p.takes(r, v), "%s %v: it is not a value of the parameter", of, v)
	}
}

// takes reports whether a value is valid for the parameter.
func (p Param) takes(r *Route, v any) bool {
	p.Default, p.Required = nil, false
	given, err := param.MapOf(map[string]any{p.Name: v})
	if err != nil || !slices.Contains(paramTypes, p.Type) {
		return false
	}
	_, err = param.Read(context.Background(), []*param.Param{p.declare(r)}, param.Sources{JSON: given})
	return err == nil
}

// answerOfRoute returns the schema of the answers of a route.
func answerOfRoute(r *Route) *jsonschema.Schema {
	if r.Answer == nil {
		return jsonschema.Any()
	}
	o := jsonschema.Object("")
	for _, p := range r.Answer {
		m := jsonschema.Member{Name: p.Name, Shape: p.shape(), Optional: !p.Required, About: r.textID() + "_answer_" + p.Name}
		o.Members = append(o.Members, m)
	}
	return o
}
