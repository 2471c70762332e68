// Package api serves the use cases of the resources over HTTP: it declares their operations, renders items as JSON and
// iCalendar, and executes writes and answers them.
package api

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
)

// Adapter serves the resources of a site.
type Adapter struct {
	Service *item.Service
	// Comparison returns which tables and columns the site's journal compares.
	Comparison func(context.Context) (*follow.Comparison, error)
	served     map[string]rest.Operations // by collection
}

// New returns the adapter for a site's resources.
func New(s *item.Service) *Adapter { return &Adapter{Service: s, served: map[string]rest.Operations{}} }

// Operations returns the operations on the items of a served resource.
func (a *Adapter) Operations(collection string) rest.Operations { return a.served[collection] }

// serve registers the operations of a resource and returns them.
func (a *Adapter) serve(collection string, o rest.Operations) rest.Operations {
	a.served[collection] = o
	return o
}

// operations returns the function that declares operations of a resource. Their parameters end with those that choose
// languages.
func (a *Adapter) operations(k *item.Resource) func(id, summary string, handle rest.Handler, params ...*param.Param) *rest.Operation {
	return func(id, summary string, handle rest.Handler, params ...*param.Param) *rest.Operation {
		return &rest.Operation{
			ID: id, Summary: summary, Tag: k.Collection, About: k.Texts.Tag,
			Params: append(params, a.Service.LanguageParams()...), Handle: handle,
		}
	}
}

// resource serves a resource.
type resource struct {
	adapter *Adapter
	cases   item.UseCases
	synced  *synced // how its list serves sync
}

// list answers a request for a page of the list.
func (s *resource) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	if item.Syncing(&r.Call) != "" {
		return s.synced.answer(ctx, r)
	}
	number, size := s.adapter.Service.PageOf(&r.Call)
	l, err := s.cases.List(ctx, &r.Call, number, size)
	if err != nil {
		return nil, err
	}
	items, err := l.Items(ctx)
	if err != nil {
		return nil, err
	}
	page := &rest.Page{Page: *l.Page, Base: s.collection(r), LenientPast: s.cases.Declaration().Taxonomy != ""}
	if r.NotModified(l.Fingerprint()) {
		return page.Response(), nil
	}
	item.WriteList(ctx, r.Out, items, func() { writePage(r.Out, page, s.cases, items) })
	return page.Response(), nil
}

// writePage writes a page of a list. The order of its members is that of The Events Calendar: a page of terms begins
// with its own URL and the totals.
func writePage(w *phpjson.Writer, page *rest.Page, cases item.UseCases, items []*item.Item) {
	terms := cases.Declaration().Taxonomy != ""
	w.Object()
	if terms {
		page.WriteOwn(w)
		page.WriteTotals(w)
	}
	w.KeyArray(cases.Declaration().Collection)
	for _, it := range items {
		if cases.Write(w, it); w.Full() {
			break
		}
	}
	w.End()
	if terms {
		page.WriteNeighbours(w)
	} else {
		page.WriteLinks(w)
		page.WriteTotals(w)
	}
	w.End()
}

// collection returns the URL of the list.
func (s *resource) collection(r *rest.Request) string {
	return r.Root.URL + "/" + s.cases.Declaration().Collection + "/"
}

// get answers a request for one item, unless the client has the current response already.
func (s *resource) get(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	one, err := s.cases.Get(ctx, &r.Call)
	if err != nil {
		return nil, err
	}
	if r.Revision = one.Revision; !r.NotModified(one.Fingerprint) {
		s.cases.Write(r.Out, one.Item)
	}
	return nil, nil
}

// create handles POST on the list.
func (s *resource) create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := s.cases.Create(ctx, &r.Call)
	return s.answerWrite(ctx, r, change, err, true)
}

// update handles POST, PUT and PATCH on an item.
func (s *resource) update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := s.cases.Update(ctx, &r.Call)
	return s.answerWrite(ctx, r, change, err, false)
}

// remove handles DELETE on an item.
func (s *resource) remove(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := s.cases.Delete(ctx, &r.Call)
	return s.answerWrite(ctx, r, change, err, false)
}

// answerWrite executes a change and answers with the item. If err is not nil, it returns err instead.
func (s *resource) answerWrite(ctx context.Context, r *rest.Request, change *item.Change, err error, created bool) (*rest.Response,
	error) {
	if err != nil {
		return nil, err
	}
	change.Shown = true
	return s.adapter.Write(ctx, Write{change.Work(), func(done item.Result) *rest.Response {
		for _, it := range done.Items {
			s.cases.Write(r.Out, it)
		}
		if !created {
			return nil
		}
		return rest.Created(s.collection(r) + strconv.FormatInt(done.ID, 10))
	}})
}
