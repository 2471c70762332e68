package param

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// Index describes how the index of The Events Calendar presents the parameters of an operation: their order, and which
// members of each it shows.
type Index struct {
	places map[string]int
	shown  map[string][]string
}

// NewIndex parses lines such as "page per_page: default description type". Param.Shown documents the members after the
// colon.
func NewIndex(lines string) *Index {
	x := &Index{map[string]int{}, map[string][]string{}}
	for line := range strings.Lines(lines) {
		names, members, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(names) {
			x.places[name], x.shown[name] = len(x.places), strings.Fields(members)
		}
	}
	return x
}

// Has reports whether the index lists a parameter.
func (x *Index) Has(name string) bool { return x.shown[name] != nil }

// Arrange sorts parameters into the order of the index and records which members it shows of each. Parameters that the
// index lacks follow in the order of their declaration.
func (x *Index) Arrange(list []*Param) []*Param {
	place := func(p *Param) int {
		if at, ok := x.places[p.Name]; ok {
			return at
		}
		return math.MaxInt
	}
	slices.SortStableFunc(list, func(a, b *Param) int { return cmp.Compare(place(a), place(b)) })
	for _, p := range list {
		if p.shown = x.shown[p.Name]; p.shown == nil && p.def != nil {
			p.shown = []string{"type", "items", "default", "description"}
		} else if p.shown == nil {
			p.shown = []string{"type", "items", "description"}
		}
	}
	return list
}

// Shown returns the members that the index shows of the parameter, in order, except for the final "required". Each is a
// pair of name and value: "type", "items" (the type of a list's elements), "format", "description", and "default",
// whose value DefaultValue returns.
func (p *Param) Shown() (members [][2]string) {
	names, s := p.shown, mainSchema(p.Schema)
	if names == nil {
		names = []string{"description", "type", "items"}
		if p.def != nil {
			names = append(names, "default")
		}
	}
	for _, name := range names {
		name, value, given := strings.Cut(name, "=")
		switch {
		case given, name == "default":
		case name == "type" && s.Type != "" && s.Type != jsonschema.TypeList:
			value = s.Type
		case name == "items" && s.Type == jsonschema.TypeList:
			value = s.Items.Type
		case name == "description" && p.Doc != "":
			value = p.Doc
		default:
			continue
		}
		members = append(members, [2]string{name, value})
	}
	return members
}
