package api

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// places serves a resource of posts that events link.
type places struct {
	resource
	kind *linked.UseCases
}

// gone is the target of a request that has deleted its item.
type gone struct{}

// remove handles DELETE on an item. After a permanent deletion, the headers of the response list no allowed methods.
func (p *places) remove(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	resp, err := p.resource.remove(ctx, r)
	if err == nil && item.Force.Value(r.Values) {
		r.Target = gone{}
	}
	return resp, err
}

// onExisting returns an authorize function that denies everything on items that do not exist. It only looks the item up
// if the parameters of the request were invalid, because a missing item may have been the reason.
func (p *places) onExisting(may authorize) authorize {
	return func(ctx context.Context, r *rest.Request) (bool, error) {
		if _, deleted := r.Target.(gone); deleted {
			return false, nil
		}
		allowed, err := may(ctx, r)
		if err != nil || !allowed || r.Values != nil {
			return allowed, err
		}
		return p.kind.Exists(ctx, r.Path)
	}
}

// Places returns the operations on the items of a resource that events link.
func (a *Adapter) Places(k *linked.UseCases) rest.Operations {
	p := &places{resource{adapter: a, cases: k.Posts}, k}
	shape, name := k.Shape(), k.Singular
	texts, op := k.Texts.Summaries, a.operations(k.Resource)

	list := op("list"+k.Plural, texts.List, p.list, k.Service.ListParams(k.Resource)...)
	list.List, list.Errors = true, []*apierror.Error{k.Errors.Page}
	list.Answer = rest.PageShape(k.Plural, k.Collection, shape).Doc(k.Texts.Page)
	p.synced = a.sync(list, k.Posts)

	create := op("create"+name, texts.Create, p.create, k.WriteParams(true, false)...)
	create.Permits, create.Creates = permitsCreate(k.PostType), true
	create.Answer, create.Errors = shape, slices.Concat(k.WriteErrors(), writeErrors)

	one := func(id, get, update, remove string, read, write func() *param.Param, unknown []*apierror.Error) (o rest.ItemOperations) {
		o.Get = op("get"+id, get, p.get, read(), item.Password(false), k.Context())
		o.Get.Answer = shape
		o.Get.Errors = append([]*apierror.Error{k.Errors.NotAccessible}, item.ErrContext)

		o.Delete = op("delete"+id, remove, p.remove, write(), item.ForceParam())
		a.restrictDelete(o.Delete, k.PostType)
		o.Delete.Authorize = p.onExisting(o.Delete.Authorize)
		o.Delete.Answer, o.Delete.Errors = shape, slices.Concat([]*apierror.Error{k.Errors.InTrash}, matchErrors, unknown)

		o.Update = op("update"+id, update, p.update,
			append([]*param.Param{write()}, k.WriteParams(false, false)...)...)
		a.restrictUpdate(o.Update, k.PostType)
		o.Update.Authorize = p.onExisting(o.Update.Authorize)
		o.Update.Answer, o.Update.Errors = shape, slices.Concat(matchErrors, unknown)
		return o
	}
	return a.serve(k.Collection, rest.Operations{
		List: list, Sync: p.synced.operation, Create: create,
		Item:   one(name, texts.Get, texts.Update, texts.Delete, k.IDParam, k.IDParam, nil),
		BySlug: one(name+"BySlug", texts.GetBySlug, texts.UpdateBySlug, texts.DeleteBySlug, k.SlugParam, k.SlugToWrite, slugErrors),
	})
}
