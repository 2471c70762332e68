package place

import (
	"strings"
	"unicode"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
)

func (k *Kind) listParams() []*param.Param {
	kind := k.Collection
	list := append(k.Page(kind),
		param.New("search", param.Doc("param_"+kind+"_search"), param.Type(param.String), param.Checked(param.Search), param.Sought()),
		param.New("event", param.Doc("param_"+kind+"_event"), param.Type(param.Integer), param.Checked(k.LinkingEvent(k.LinkKey))),
		param.New("has_events", param.Doc("param_"+kind+"_has_events"), param.Checked(param.Short(param.Truthy))),
		param.New("only_with_upcoming", param.Doc("param_"+kind+"_only_with_upcoming"), param.Default(false), param.Checked(param.Short(param.Truthy))),
		k.Status(kind, k.PostType),
	)
	list = append(list, resource.Order()...)
	return append(list, resource.Password(false), resource.Context(), k.Language)
}

// fragmentsOf splits a search text into what has to be found: runs of letters,
// digits and hyphens. "0" does not count.
func fragmentsOf(s string) []string {
	var list []string
	for f := range strings.FieldsFuncSeq(s, func(c rune) bool { return c != '-' && !unicode.In(c, unicode.L, unicode.M, unicode.Nd) }) {
		if f != "0" {
			list = append(list, f)
		}
	}
	return list
}

// searchable tells whether fragments hold a letter or digit: hyphens alone are
// nothing to look for.
func searchable(fragments []string) bool {
	return strings.Trim(strings.Join(fragments, ""), "-") != ""
}
