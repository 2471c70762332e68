// Package api serves the use cases of the kinds over HTTP: it declares their operations, and
// turns items into JSON and iCalendar, and writes into answers.
package api

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
)

// Adapter serves the kinds of a site.
type Adapter struct {
	Service *item.Service
	// Comparison declares what the site's journal is about.
	Comparison func(context.Context) (*follow.Comparison, error)
	served     map[string]rest.Operations // by the collection of their kind
}

// New returns the adapter of a site's kinds.
func New(s *item.Service) *Adapter { return &Adapter{Service: s, served: map[string]rest.Operations{}} }

// Operations returns those on the items of a kind that is served.
func (a *Adapter) Operations(collection string) rest.Operations { return a.served[collection] }

// serve notes the operations of a kind, and returns them.
func (a *Adapter) serve(collection string, o rest.Operations) rest.Operations {
	a.served[collection] = o
	return o
}

// posts serve a kind of posts.
type posts struct {
	adapter *Adapter
	cases   *item.Posts
	synced  *synced // how the list serves sync
}

// list answers a page.
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

// writeItems begins the answer of a list with its items.
func writeItems(w *phpjson.Writer, p *item.Posts, items []*item.Item) {
	w.Object()
	w.KeyArray(p.Type.Collection)
	for _, it := range items {
		if p.Fields.Write(w, it); w.Full() {
			break
		}
	}
	w.End()
}

// collection returns the address of the list.
func (p *posts) collection(r *rest.Request) string {
	return r.Root.URL + "/" + p.cases.Type.Collection + "/"
}

// single answers an item, unless the client has the answer.
func (p *posts) single(r *rest.Request, s *item.Single) (*rest.Response, error) {
	if r.Revision = s.Revision; !r.NotModified(s.Fingerprint) {
		p.cases.Fields.Write(r.Out, s.Item)
	}
	return nil, nil
}

// create answers POST.
func (p *posts) create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := p.cases.Create(ctx, &r.Call)
	return p.write(ctx, r, change, err, true)
}

// update answers POST, PUT and PATCH on an item.
func (p *posts) update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := p.cases.Update(ctx, &r.Call)
	return p.write(ctx, r, change, err, false)
}

// remove answers DELETE.
func (p *posts) remove(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	change, err := p.cases.Delete(ctx, &r.Call)
	return p.write(ctx, r, change, err, false)
}

// write makes a change, unless there is an error, and answers with the item.
func (p *posts) write(ctx context.Context, r *rest.Request, change *item.Change, err error, created bool) (*rest.Response, error) {
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
