package term

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

// Operations returns the operations on the kind's terms.
func (k *Kind) Operations() rest.Operations {
	item, details, embedded, embeddedDetails := k.shapes()
	var flat []*apierror.Error
	if !k.Tree {
		flat = append(flat, errFlat)
	}
	op := func(verb string, handle rest.Handler, params ...*param.Param) *rest.Operation {
		return &rest.Operation{
			ID: verb + k.Singular, Summary: "summary_" + k.Collection + "_" + verb, Tag: k.Collection,
			Params: params, Handle: handle,
		}
	}

	list := op("list", k.list, k.listParams()...)
	list.ID, list.List = "list"+strings.ToUpper(k.Collection[:1])+k.Collection[1:], true
	list.Answer = k.pageShape(shape.OneOf(item, embedded))

	create := op("create", k.create, k.writeParams(param.Required())...)
	create.Permits, create.Creates = k.canEdit, true
	create.Answer, create.Errors = details, slices.Concat(flat, []*apierror.Error{errExists}, resource.WriteErrors)

	get := op("get", k.byID, k.id(), resource.Context("TermView", views...), k.Language)
	get.Answer = shape.OneOf(details, embeddedDetails)

	remove := op("delete", k.remove, k.id(), k.Language)
	remove.Permits, remove.Answer, remove.Errors = k.canEdit, item, resource.MatchErrors

	update := op("update", k.update, append([]*param.Param{k.id()}, k.writeParams()...)...)
	update.Permits, update.Answer, update.Errors = k.canEdit, details, slices.Concat(flat, []*apierror.Error{errSlugInUse},
		resource.MatchErrors)
	return rest.Operations{List: list, Create: create, Item: rest.ItemOperations{Get: get, Delete: remove, Update: update}}
}
