// Package api serves the use cases of the resources over HTTP: it declares their operations, renders items as JSON and
// iCalendar, and executes writes and answers them.
package api

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
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

// posts serves a resource of posts.
type posts struct {
	adapter *Adapter
	cases   *item.Posts
	synced  *synced // how its list serves sync
}

// list answers a request for a page of the list.
func (p *posts) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	if item.Syncing(&r.Call) != "" {
		return p.synced.answer(ctx, r)
	}
	number, size := p.cases.Service.PageOf(&r.Call)
	l, err := p.cases.List(ctx, &r.Call, number, size)
	if err != nil {
		return nil, err
	}
	page := &rest.Page{Page: *l.Page, Base: p.collection(r)}
	items, err := l.Items(ctx)
	if err != nil {
		return nil, err
	}
	if r.NotModified(l.Fingerprint()) {
		return page.Response(), nil
	}
	item.WriteList(ctx, r.Out, items, func() {
		writeItems(r.Out, p.cases, items)
		page.WriteLinks(r.Out)
		page.WriteTotals(r.Out)
		r.Out.End()
	})
	return page.Response(), nil
}

// writeItems writes the items of a list, at the beginning of the response.
func writeItems(w *phpjson.Writer, p *item.Posts, items []*item.Item) {
	w.Object()
	w.KeyArray(p.Collection)
	for _, it := range items {
		if p.Fields.Write(w, it); w.Full() {
			break
		}
	}
	w.End()
}

// collection returns the URL of the list.
func (p *posts) collection(r *rest.Request) string {
	return r.Root.URL + "/" + p.cases.Collection + "/"
}

// single answers a request for one item, unless the client has the current response already.
func (p *posts) single(r *rest.Request, s *item.Single) (*rest.Response, error) {
	if r.Revision = s.Revision; !r.NotModified(s.Fingerprint) {
		p.cases.Fields.Write(r.Out, s.Item)
	}
	return nil, nil
}

// create handles POST on the list.
func (p *posts) create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := p.cases.Create(ctx, &r.Call)
	return p.answerWrite(ctx, r, change, err, true)
}

// update handles POST, PUT and PATCH on an item.
func (p *posts) update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := p.cases.Update(ctx, &r.Call)
	return p.answerWrite(ctx, r, change, err, false)
}

// remove handles DELETE on an item.
func (p *posts) remove(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := p.cases.Delete(ctx, &r.Call)
	return p.answerWrite(ctx, r, change, err, false)
}

// answerWrite executes a change and answers with the item. If err is not nil, it returns err instead.
func (p *posts) answerWrite(ctx context.Context, r *rest.Request, change *item.Change, err error, created bool) (*rest.Response, error) {
	if err != nil {
		return nil, err
	}
	change.Shown = true
	return p.adapter.Write(ctx, Write{change.Work(), func(done item.Result) *rest.Response {
		for _, it := range done.Items {
			p.cases.Fields.Write(r.Out, it)
		}
		if !created {
			return nil
		}
		return rest.Created(p.collection(r) + strconv.FormatInt(done.ID, 10))
	}})
}
