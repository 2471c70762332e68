package api

import (
	"context"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/term"
)

// terms serves a taxonomy.
type terms struct {
	adapter *Adapter
	kind    *term.UseCases
	synced  *synced // how its list serves sync
}

// list answers a request for a page of terms.
func (t *terms) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	if item.Syncing(&r.Call) != "" {
		return t.synced.answer(ctx, r)
	}
	number, size := t.adapter.Service.PageOf(&r.Call)
	l, err := t.kind.List(ctx, &r.Call, number, size)
	if err != nil {
		return nil, err
	}
	page, w := &rest.Page{Page: *l.Page, Base: r.Root.URL + "/" + t.kind.Collection + "/", LenientPast: true}, r.Out
	item.WriteList(ctx, w, l.Items, func() {
		w.Object()
		page.WriteOwn(w)
		page.WriteTotals(w)
		w.KeyArray(t.kind.Collection)
		for _, one := range l.Items {
			if t.kind.Write(w, one); w.Full() {
				break
			}
		}
		w.End()
		page.WriteNeighbours(w)
		w.End()
	})
	return page.Response(), nil
}

// get answers a request for one term.
func (t *terms) get(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	one, revision, err := t.kind.Get(ctx, &r.Call)
	if err != nil {
		return nil, err
	}
	r.Revision = revision
	t.kind.Write(r.Out, one)
	return nil, nil
}

// create handles POST on the list.
func (t *terms) create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := t.kind.Create(ctx, &r.Call)
	return t.answerWrite(ctx, r, change, err, true)
}

// update handles POST, PUT and PATCH on a term.
func (t *terms) update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := t.kind.Update(ctx, &r.Call)
	return t.answerWrite(ctx, r, change, err, false)
}

// remove handles DELETE on a term.
func (t *terms) remove(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := t.kind.Delete(ctx, &r.Call)
	return t.answerWrite(ctx, r, change, err, false)
}

// answerWrite executes a change and answers with the term. If err is not nil, it returns err instead.
func (t *terms) answerWrite(ctx context.Context, r *rest.Request, change *term.Change, err error, created bool) (*rest.Response, error) {
	if err != nil {
		return nil, err
	}
	return t.adapter.Write(ctx, Write{change.Work(), func(done item.Result) *rest.Response {
		t.kind.Write(r.Out, done.Items[0])
		if !created {
			return nil
		}
		return rest.Created(r.Root.URL + "/" + t.kind.Collection + "/" + strconv.FormatInt(done.ID, 10))
	}})
}

// Terms returns the operations on the terms of a taxonomy.
func (a *Adapter) Terms(k *term.UseCases) rest.Operations {
	t := &terms{adapter: a, kind: k}
	shape := k.Shape()
	var flat []*apierror.Error
	if k.Errors.Flat != nil {
		flat = append(flat, k.Errors.Flat)
	}
	texts := k.Texts.Summaries
	op := func(verb, summary string, handle rest.Handler, params ...*param.Param) *rest.Operation {
		return &rest.Operation{
			ID: verb + k.Singular, Summary: summary, Tag: k.Collection, About: k.Texts.Tag,
			Params: append(params, k.Service.LanguageParams()...), Handle: handle,
		}
	}

	list := op("list", texts.List, t.list, k.Service.ListParams(k.Resource)...)
	list.ID, list.List = "list"+k.Plural, true
	list.Answer = rest.PageShape(k.Plural, k.Collection, shape).Doc(k.Texts.Page)
	t.synced = a.syncTerms(list, k)

	create := op("create", texts.Create, t.create, k.WriteParams(true, false)...)
	create.Permits, create.Creates = k.CanEdit, true
	create.Answer, create.Errors = shape, slices.Concat(flat, []*apierror.Error{k.Errors.Exists}, writeErrors)

	get := op("get", texts.Get, t.get, k.ID(), k.Context())
	get.Answer = shape

	remove := op("delete", texts.Delete, t.remove, k.ID())
	remove.Permits, remove.Answer, remove.Errors = k.CanEdit, shape, matchErrors

	update := op("update", texts.Update, t.update, append([]*param.Param{k.ID()}, k.WriteParams(false, false)...)...)
	update.Permits, update.Answer, update.Errors = k.CanEdit, shape, slices.Concat(flat, []*apierror.Error{k.Errors.Slug},
		matchErrors)
	return a.serve(k.Collection, rest.Operations{
		List: list, Sync: t.synced.operation, Create: create, Item: rest.ItemOperations{Get: get, Delete: remove, Update: update},
	})
}
