package linked

import (
	"strings"
	"unicode"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Parameters of lists.
const (
	paramEvent    param.Key[item.Linking] = "event"
	paramHas      param.Key[bool]         = "has_events"
	paramUpcoming param.Key[bool]         = "only_with_upcoming"
)

func (k *Kind) ListParams() []*param.Param {
	doc, truthy := param.DocOf("param_"+k.Type.Collection+"_"), param.Checked(param.Short(param.Truthy))
	list := append(k.Service.PageParams(k.Type.Collection),
		item.SearchParam(k.Type.Collection),
		paramEvent.Param(jsonschema.Int().From(1).Example(123), k.Service.LinkingEvent(k.Type.LinkKey), doc, param.Typed()),
		paramHas.Param(jsonschema.Bool(), truthy, doc),
		paramUpcoming.Param(jsonschema.Bool().Default(false), truthy, doc, param.Default(false)),
		k.Service.StatusParam(k.Type.Collection, k.Type.PostType),
	)
	list = append(list, item.OrderParams("date", "title", "modified", "id")...)
	return append(list, item.Password(false), item.Context("View", "view", "edit"), k.Service.Language)
}

// fragmentsOf splits a search text into its runs of letters, digits and hyphens. "0"
// does not count.
func fragmentsOf(s string) []string {
	var list []string
	for f := range strings.FieldsFuncSeq(s, func(c rune) bool { return c != '-' && !unicode.In(c, unicode.L, unicode.M, unicode.Nd) }) {
		if f != "0" {
			list = append(list, f)
		}
	}
	return list
}

// searchable reports whether fragments have a letter or digit and not only hyphens.
func searchable(fragments []string) bool {
	return strings.Trim(strings.Join(fragments, ""), "-") != ""
}
