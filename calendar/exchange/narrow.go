package exchange

import (
	"maps"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// encodedFields are the fields, besides the title, in which emoji are stored as references where the tables cannot hold them.
var encodedFields = []string{fieldDescription, fieldExcerpt}

// narrow makes the texts of a record such that tables hold them that lack characters of four bytes (D93): emoji of titles and
// texts become references, other characters are left out. It returns what lost some, of what the record links too.
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
			problems = append(problems, rec.refuse(name, "was taken without characters that the site's tables cannot hold"))
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
