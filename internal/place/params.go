package place

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
	name := strings.ToUpper(k.Name[:1]) + k.Name[1:]
	view := []*param.Param{post.Password(false), post.Context(), k.Language}
	one := func(read, written func() *param.Param, suffix string) []*rest.Operation {
		op := func(id, verb string, address *param.Param, params []*param.Param, methods ...string) *rest.Operation {
			return &rest.Operation{ID: id + name + suffix, Methods: methods, Tag: kind, Params: append([]*param.Param{address}, params...),
				Summary: "summary_" + kind + "_" + verb + map[string]string{"BySlug": "_by_slug"}[suffix]}
		}
		get := op("get", "get", read(), view, "GET")
		get.Handle = k.read
		remove := op("delete", "delete", written(), []*param.Param{force(), k.Language}, "DELETE")
		remove.Handle = k.delete
		k.RestrictDelete(remove, k.PostType)
		remove.Authorize = k.onExisting(remove.Authorize)
		update := op("update", "update", written(), append(k.writeParams(false), k.Language), "POST", "PUT", "PATCH")
		update.Handle = k.update
		k.RestrictUpdate(update, k.PostType)
		update.Authorize = k.onExisting(update.Authorize)
		return []*rest.Operation{get, remove, update}
	}
	return k.document([]*rest.Route{
		{Path: "/" + kind, Operations: []*rest.Operation{
			{ID: "list" + name + "s", Methods: []string{"GET"}, Summary: "summary_" + kind + "_list", Tag: kind,
				Params: k.listParams(), Handle: k.list, List: true},
			{ID: "create" + name, Methods: []string{"POST"}, Summary: "summary_" + kind + "_create", Tag: kind,
				Params: append(k.writeParams(true), k.Language), Handle: k.create, Permits: k.PermitsCreate(k.PostType)},
		}},
		{Path: "/" + kind + "/{id}", Operations: one(k.idParam, k.idParam, "")},
		{Path: "/" + kind + "/by-slug/{slug}", Operations: one(k.slugParam, k.slugToWrite, "BySlug")},
	})
}

func (k *Kind) listParams() []*param.Param {
	kind := k.Collection
	list := append(k.Page(kind),
		param.New("search", param.Doc("param_"+kind+"_search"), param.Type(param.String), param.Checked(param.Search), param.Sought()),
		param.New("event", param.Doc("param_"+kind+"_event"), param.Type(param.Integer), param.Checked(k.LinkingEvent(k.LinkKey))),
		param.New("has_events", param.Doc("param_"+kind+"_has_events"), param.Checked(param.Short(param.Truthy))),
		param.New("only_with_upcoming", param.Doc("param_"+kind+"_only_with_upcoming"), param.Default(false), param.Checked(param.Short(param.Truthy))),
		k.Status(kind, k.PostType),
	)
	list = append(list, post.Order()...)
	return append(list, post.Password(false), post.Context(), k.Language)
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
