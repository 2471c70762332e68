package linked

import (
	"errors"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/param"
)

// maxObjects is the greatest number of items that one request can write in addition to its event.
const maxObjects = 100

// errNoLinks means that a value does not name items.
var errNoLinks = errors.New("link: no venue or organizer")

// element is one item of a value, given by its id, its data, or both.
type element struct {
	id    int64
	data  *param.Map
	alone bool // the data is the whole value, not an element of a list
}

// readLinks parses a value that names items in any of its forms. isObject reports whether a map contains the data of
// one item, rather than being a list as forms send it.
func readLinks(v any, isObject func(*param.Map) bool) ([]element, error) {
	list, isList := param.Elements(v)
	if m, ok := v.(*param.Map); ok && isObject(m) {
		list, isList = []any{m}, true
	}
	if !isList {
		list = []any{v}
	}
	var items []any
	for _, x := range list {
		s, isText := x.(string)
		if len(items)+strings.Count(s, ",") >= param.MaxList {
			return nil, param.Invalid("fault_too_many", "Max", param.MaxList)
		}
		if !isText || !strings.Contains(s, ",") {
			items = append(items, x)
			continue
		}
		if strings.Trim(s, ", \t\n\r") == "" {
			return nil, errNoLinks
		}
		for item := range strings.SplitSeq(s, ",") {
			items = append(items, strings.TrimSpace(item))
		}
	}
	elements, err := readElements(items, isObject)
	if len(elements) == 1 {
		elements[0].alone = v == any(elements[0].data)
	}
	return elements, err
}

func readElements(list []any, isObject func(*param.Map) bool) (elements []element, err error) {
	if !slices.ContainsFunc(list, truthy) {
		return nil, nil
	}
	objects, linked := 0, map[int64]bool{} // linked are the ids given without data
	for _, x := range list {
		if x == nil || x == "" { // an empty form field
			continue
		}
		e, ok := readElement(x, isObject)
		switch {
		case !ok:
			return nil, errNoLinks
		case e.data != nil:
			objects++
		case linked[e.id]:
			continue
		default:
			linked[e.id] = true
		}
		elements = append(elements, e)
	}
	if objects > maxObjects {
		return nil, param.Invalid("fault_too_many", "Max", maxObjects)
	}
	return elements, nil
}

func readElement(x any, isObject func(*param.Map) bool) (e element, ok bool) {
	m, isMap := x.(*param.Map)
	if !isMap {
		e.id, ok = positive(x)
		return e, ok
	}
	if !isObject(m) {
		return e, false
	}
	e.data = m
	if id, given := m.Get(string(pathID)); given && truthy(id) {
		e.id, ok = positive(id)
		return e, ok
	}
	return e, true
}

// truthy reports whether a value means anything else than "none", as in PHP.
func truthy(x any) bool {
	switch x {
	case nil, "", "0", false, int64(0), float64(0):
		return false
	}
	return true
}

func positive(x any) (int64, bool) {
	id, ok := param.Integer(x)
	return id, ok && id > 0
}
