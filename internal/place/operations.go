package place

import (
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
)

// Operations returns the operations on the kind's items.
func (k *Kind) Operations() rest.Operations {
	s, name := k.Shapes(), k.capital()
	op := func(id, summary string, handle rest.Handler, params ...*param.Param) *rest.Operation {
		return &rest.Operation{ID: id, Summary: "summary_" + k.Collection + "_" + summary, Tag: k.Collection, Params: params,
			Handle: handle}
	}

	list := op("list"+name+"s", "list", k.posts.List, k.listParams()...)
	list.List, list.Errors = true, []*apierror.Error{k.Errors.Page}
	list.Answer = rest.PageShape(name+"s", k.Collection, s.Listed).Doc("doc_" + k.Collection)

	create := op("create"+name, "create", k.posts.Create, append(k.writeParams(true, false), k.Language)...)
	create.Permits, create.Creates = k.PermitsCreate(k.PostType), true
	create.Answer, create.Errors = s.Item, slices.Concat(k.WriteErrors(), resource.WriteErrors)

	item := func(id, summary string, read, write func() *param.Param, unknown []*apierror.Error) (o rest.ItemOperations) {
		o.Get = op("get"+id, "get"+summary, k.read, read(), resource.Password(false), resource.Context("View", "view", "edit"), k.Language)
		o.Get.Answer = s.Single
		o.Get.Errors = append([]*apierror.Error{k.Errors.NotAccessible}, resource.ContextErrors...)

		o.Delete = op("delete"+id, "delete"+summary, k.delete, write(), resource.ForceParam(), k.Language)
		k.RestrictDelete(o.Delete, k.PostType)
		o.Delete.Authorize = k.onExisting(o.Delete.Authorize)
		o.Delete.Answer, o.Delete.Errors = s.Item, slices.Concat([]*apierror.Error{k.Errors.InTrash}, resource.MatchErrors, unknown)

		o.Update = op("update"+id, "update"+summary, k.posts.Update,
			append(append([]*param.Param{write()}, k.writeParams(false, false)...), k.Language)...)
		k.RestrictUpdate(o.Update, k.PostType)
		o.Update.Authorize = k.onExisting(o.Update.Authorize)
		o.Update.Answer, o.Update.Errors = s.Item, slices.Concat(resource.MatchErrors, unknown)
		return o
	}
	return rest.Operations{
		List: list, Create: create,
		Item:   item(name, "", k.idParam, k.idParam, nil),
		BySlug: item(name+"BySlug", "_by_slug", k.slugParam, k.slugToWrite, resource.SlugErrors),
	}
}
