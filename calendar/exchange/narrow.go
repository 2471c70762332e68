package exchange

import (
	"maps"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// encodedFields lists the fields, besides the title, in which emoji are stored as character references if the tables
// cannot store them.
var encodedFields = []string{fieldDescription, fieldExcerpt}

// narrow converts the strings of a record so that tables without characters of four bytes can store them (D93): emoji
// in titles and texts become character references, other such characters are removed. It returns a Problem per string
// that lost characters, those of linked records included.
func (rec *Record) narrow() (problems []*Problem) {
	ofPost := rec.Kind != Categories && rec.Kind != Tags
	for _, name := range slices.Sorted(maps.Keys(rec.Values)) {
		lost := false
		fit := func(text string) string {
			if ofPost && (name == rec.title || slices.Contains(encodedFields, name)) {
				text = wp.EncodeEmoji(text)
			}
			lost = lost || wp.FourBytes(text)
			return strings.Map(func(c rune) rune {
				if c > 0xffff {
					return -1
				}
				return c
			}, text)
		}
		switch value := rec.Values[name].(type) {
		case string:
			rec.Values[name] = fit(value)
		case []any:
			list := slices.Clone(value)
			for i, one := range list {
				if text, isText := one.(string); isText {
					list[i] = fit(text)
				}
			}
			rec.Values[name] = list
		}
		if lost {
			problems = append(problems, rec.refuse(name, "was imported without characters that the site's tables cannot store"))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(rec.Linked)) {
		for _, one := range rec.Linked[kind] {
			problems = append(problems, one.narrow()...)
		}
	}
	if rec.Parent != nil {
		problems = append(problems, rec.Parent.narrow()...)
	}
	return problems
}
