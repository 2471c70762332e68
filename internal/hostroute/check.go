package hostroute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
)

var (
	routeSegment = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)
	routeMethods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	paramTypes   = []string{item.OwnText, Integer, item.OwnNumber, item.OwnYesNo, item.OwnDate, item.OwnChoice, item.OwnList}
)

// Check returns the errors in the routes of Options.Routes, each with the name of its route. own are the API's routes.
func Check(routes []Route, own []*rest.Route, languageParam string) error {
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
		wrong(r.Wrong != nil, "%v", r.Wrong)
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
		nameA, nameB := rest.Variable(a[i]), rest.Variable(b[i])
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
		name := rest.Variable(s)
		if name == "" {
			wrong(!routeSegment.MatchString(s), "Path: %q: use letters, digits and ._~-, or a variable such as {id}", s)
			continue
		}
		i := slices.IndexFunc(r.Params, func(p Param) bool { return p.Name == name })
		wrong(i < 0, "Path: the variable {%s} is not in Params", name)
		wrong(i >= 0 && r.Params[i].Type != Integer && r.Params[i].Type != item.OwnText,
			"Path: the variable {%s} must be a %s or a %s", name, Integer, item.OwnText)
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
	counts := p.Type == item.OwnText || p.Type == item.OwnList
	number := p.Type == item.OwnNumber || p.Type == Integer
	wrong(!slices.Contains(paramTypes, p.Type), "Type %q: use one of %s", p.Type, strings.Join(paramTypes, ", "))
	wrong((p.Type == item.OwnChoice) != (len(p.Choices) > 0), "only a %s can have Choices, and it needs some", item.OwnChoice)
	wrong(p.Min != nil && !number, "only a %s or a %s can have Min", item.OwnNumber, Integer)
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
