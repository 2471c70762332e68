package api

import (
	"context"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
)

// terms serve a kind of terms.
type terms struct {
	adapter *Adapter
	kind    *term.Kind
}

// list answers a page of terms.
func (t *terms) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	number, size := t.adapter.Service.PageOf(&r.Call)
	l, err := t.kind.List(ctx, &r.Call, number, size)
	if err != nil {
		return nil, err
	}
	page, w := &rest.Page{Page: *l.Page, Base: r.Root.URL + "/" + t.kind.Collection + "/", LenientPast: true}, r.Out
	w.Object()
	page.WriteOwn(w)
	page.WriteTotals(w)
	w.KeyArray(t.kind.Collection)
	for _, one := range l.Terms {
		if l.Write(ctx, w, one, false); w.Full() {
			break
		}
	}
	w.End()
	page.WriteNeighbours(w)
	w.End()
	return page.Response(), nil
}

// get answers one term.
func (t *terms) get(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	shown, revision, err := t.kind.Get(ctx, &r.Call)
	if err != nil {
		return nil, err
	}
	r.Revision = revision
	shown.Write(ctx, r.Out, shown.Terms[0], true)
	return nil, nil
}

// create answers POST.
func (t *terms) create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := t.kind.Create(ctx, &r.Call)
	return t.write(ctx, r, change, err, true, func(one *store.TaxonomyTerm) *rest.Response {
		return rest.Created(t.kind.Address(&r.Call, one.ID))
	})
}

// update answers POST, PUT and PATCH on a term.
func (t *terms) update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := t.kind.Update(ctx, &r.Call)
	return t.write(ctx, r, change, err, true, nil)
}

// remove answers DELETE.
func (t *terms) remove(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := t.kind.Delete(ctx, &r.Call)
	return t.write(ctx, r, change, err, false, nil)
}

// write makes a change, unless there is an error, and answers with the term, as one that is
// read alone or as one in a list. resp is the rest of the answer, nil for the usual one.
func (t *terms) write(ctx context.Context, r *rest.Request, change term.Change, err error, single bool,
	resp func(*store.TaxonomyTerm) *rest.Response) (*rest.Response, error) {
	if err != nil {
		return nil, err
	}
	return t.adapter.Write(ctx, func(ctx context.Context) (Answer, error) {
		shown, err := change(ctx)
		if err != nil {
			return nil, err
		}
		return func() *rest.Response {
			one := shown.Terms[0]
			shown.Write(ctx, r.Out, one, single)
			if resp == nil {
				return nil
			}
			return resp(one)
		}, nil
	})
}

// Terms returns the operations on the terms of a kind.
func (a *Adapter) Terms(k *term.Kind) rest.Operations {
	t := &terms{a, k}
	whole, details, embedded, embeddedDetails := termShapes(k)
	var flat []*apierror.Error
	if !k.Tree {
		flat = append(flat, term.ErrFlat)
	}
	op := func(verb string, handle rest.Handler, params ...*param.Param) *rest.Operation {
		return &rest.Operation{
			ID: verb + k.Singular, Summary: "summary_" + k.Collection + "_" + verb, Tag: k.Collection,
			Params: params, Handle: handle,
		}
	}

	list := op("list", t.list, k.ListParams()...)
	list.ID, list.List = "list"+strings.ToUpper(k.Collection[:1])+k.Collection[1:], true
	list.Answer = termPageShape(k, jsonschema.OneOf(whole, embedded))

	create := op("create", t.create, k.WriteParams(param.Required())...)
	create.Permits, create.Creates = k.CanEdit, true
	create.Answer, create.Errors = details, slices.Concat(flat, []*apierror.Error{term.ErrExists}, writeErrors)

	get := op("get", t.get, k.ID(), item.Context("TermView", term.Views...), k.Service.Language)
	get.Answer = jsonschema.OneOf(details, embeddedDetails)

	remove := op("delete", t.remove, k.ID(), k.Service.Language)
	remove.Permits, remove.Answer, remove.Errors = k.CanEdit, whole, matchErrors

	update := op("update", t.update, append([]*param.Param{k.ID()}, k.WriteParams()...)...)
	update.Permits, update.Answer, update.Errors = k.CanEdit, details, slices.Concat(flat, []*apierror.Error{term.ErrSlugInUse},
		matchErrors)
	return a.serve(k.Collection,
		rest.Operations{List: list, Create: create, Item: rest.ItemOperations{Get: get, Delete: remove, Update: update}})
}
