package link

import (
	"strings"
	"unicode"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
)

// Routes returns the routes of the kind.
func (k *Kind) Routes() []*rest.Route {
	kind := k.Collection
	list := k.Page(kind)
	list = append(list,
		param.New("search", param.Doc("param_"+kind+"_search"), param.Type(param.String), param.Checked(param.Search)),
		param.New("event", param.Doc("param_"+kind+"_event"), param.Type(param.Integer), param.Checked(k.LinkingEvent(k.MetaKey))),
		param.New("has_events", param.Doc("param_"+kind+"_has_events"), param.Checked(param.Truthy)),
		param.New("only_with_upcoming", param.Doc("param_"+kind+"_only_with_upcoming"), param.Default(false), param.Checked(param.Truthy)),
		k.Status(kind, k.Type),
	)
	list = append(list, post.Order()...)
	list = append(list, post.Password(false), post.Context(), k.Language)
	name := strings.ToUpper(k.Name[:1]) + k.Name[1:]
	return []*rest.Route{
		{Path: "/" + kind, Operations: []*rest.Operation{{
			ID: "list" + name + "s", Methods: []string{"GET"}, Summary: "summary_" + kind + "_list", Tag: kind,
			Params: list, Handle: k.list, List: true}}},
		{Path: "/" + kind + "/{id}", Operations: []*rest.Operation{{
			ID: "get" + name, Methods: []string{"GET"}, Summary: "summary_" + kind + "_get", Tag: kind,
			Params: []*param.Param{post.ID(), post.Password(false), post.Context(), k.Language}, Handle: k.byID}}},
		{Path: "/" + kind + "/by-slug/{slug}", Operations: []*rest.Operation{{
			ID: "get" + name + "BySlug", Methods: []string{"GET"}, Summary: "summary_" + kind + "_get_by_slug", Tag: kind,
			Params: []*param.Param{post.Slug(), post.Password(false), post.Context(), k.Language}, Handle: k.bySlug}}},
	}
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
