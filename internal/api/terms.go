package api

import (
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/term"
)

// Terms returns the operations on the terms of a taxonomy.
func (a *Adapter) Terms(k *term.UseCases) rest.Operations {
	t := &resource{adapter: a, cases: k}
	shape := k.Shape()
	var flat []*apierror.Error
	if k.Errors.Flat != nil {
		flat = append(flat, k.Errors.Flat)
	}
	texts, op := k.Texts.Summaries, a.operations(k.Resource)

	list := op("list"+k.Plural, texts.List, t.list, k.Service.ListParams(k.Resource)...)
	list.List = true
	list.Answer = rest.PageShape(k.Plural, k.Collection, shape).Doc(k.Texts.Page)
	t.synced = a.sync(list, k)

	create := op("create"+k.Singular, texts.Create, t.create, k.WriteParams(true, false)...)
	create.Permits, create.Creates = k.CanEdit, true
	create.Answer, create.Errors = shape, slices.Concat(flat, []*apierror.Error{k.Errors.Exists}, writeErrors)

	get := op("get"+k.Singular, texts.Get, t.get, k.ID(), k.Context())
	get.Answer = shape

	remove := op("delete"+k.Singular, texts.Delete, t.remove, k.ID())
	remove.Permits, remove.Answer, remove.Errors = k.CanEdit, shape, matchErrors

	update := op("update"+k.Singular, texts.Update, t.update, append([]*param.Param{k.ID()}, k.WriteParams(false, false)...)...)
	update.Permits, update.Answer, update.Errors = k.CanEdit, shape, slices.Concat(flat, []*apierror.Error{k.Errors.Slug},
		matchErrors)
	return a.serve(k.Collection, rest.Operations{
		List: list, Sync: t.synced.operation, Create: create, Item: rest.ItemOperations{Get: get, Delete: remove, Update: update},
	})
}
