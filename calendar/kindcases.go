package calendar

import (
	"context"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/term"
)

// written is an item that was read, with the fields that write it.
type written struct {
	fields item.Fields
	item   *item.Item
}

// cases are the use cases of a resource. list also returns the fingerprint of the page: see item.List.
type cases interface {
	list(ctx context.Context, c *call.Call) (page *call.Page, items []written, fingerprint string, err error)
	get(ctx context.Context, c *call.Call) (written, error)
	create(ctx context.Context, c *call.Call) (written, error)
	update(ctx context.Context, c *call.Call) (written, error)
	remove(ctx context.Context, c *call.Call) (written, error)
}

// posts implements cases for a resource stored as posts.
type posts struct {
	api    *api.Adapter
	cases  *item.Posts
	single func(context.Context, *call.Call) (*item.Single, error)
}

func (p posts) list(ctx context.Context, c *call.Call) (*call.Page, []written, string, error) {
	number, size := p.cases.Service.PageOf(c)
	l, err := p.cases.List(ctx, c, number, size)
	if err != nil {
		return nil, nil, "", err
	}
	items, err := l.Items(ctx)
	if err != nil {
		return nil, nil, "", err
	}
	list := make([]written, len(items))
	for i, it := range items {
		list[i] = written{p.cases.Fields, it}
	}
	return l.Page, list, l.Fingerprint(), nil
}

func (p posts) get(ctx context.Context, c *call.Call) (written, error) {
	s, err := p.single(ctx, c)
	if err != nil {
		return written{}, err
	}
	return written{p.cases.Fields, s.Item}, nil
}

func (p posts) create(ctx context.Context, c *call.Call) (written, error) {
	change, err := p.cases.Create(ctx, c)
	return p.writePost(ctx, change, err)
}

func (p posts) update(ctx context.Context, c *call.Call) (written, error) {
	change, err := p.cases.Update(ctx, c)
	return p.writePost(ctx, change, err)
}

func (p posts) remove(ctx context.Context, c *call.Call) (written, error) {
	change, err := p.cases.Delete(ctx, c)
	return p.writePost(ctx, change, err)
}

// writePost executes a write, unless there is an error.
func (p posts) writePost(ctx context.Context, change *item.Change, err error) (written, error) {
	if err != nil {
		return written{}, err
	}
	change.Shown = true
	done, err := p.api.Make(ctx, change.Work())
	if err != nil {
		return written{}, err
	}
	return written{p.cases.Fields, done.Items[0]}, nil
}

// terms implements cases for a resource stored as terms.
type terms struct {
	api  *api.Adapter
	kind *term.UseCases
}

func (t terms) list(ctx context.Context, c *call.Call) (*call.Page, []written, string, error) {
	number, size := t.api.Service.PageOf(c)
	l, err := t.kind.List(ctx, c, number, size)
	if err != nil {
		return nil, nil, "", err
	}
	list := make([]written, len(l.Items))
	for i, it := range l.Items {
		list[i] = written{t.kind.Fields, it}
	}
	return l.Page, list, "", nil
}

func (t terms) get(ctx context.Context, c *call.Call) (written, error) {
	it, _, err := t.kind.Get(ctx, c)
	if err != nil {
		return written{}, err
	}
	return written{t.kind.Fields, it}, nil
}

func (t terms) create(ctx context.Context, c *call.Call) (written, error) {
	change, err := t.kind.Create(ctx, c)
	return t.writeTerm(ctx, change, err)
}

func (t terms) update(ctx context.Context, c *call.Call) (written, error) {
	change, err := t.kind.Update(ctx, c)
	return t.writeTerm(ctx, change, err)
}

func (t terms) remove(ctx context.Context, c *call.Call) (written, error) {
	change, err := t.kind.Delete(ctx, c)
	return t.writeTerm(ctx, change, err)
}

// writeTerm executes a write, unless there is an error.
func (t terms) writeTerm(ctx context.Context, change *term.Change, err error) (written, error) {
	if err != nil {
		return written{}, err
	}
	done, err := t.api.Make(ctx, change.Work())
	if err != nil {
		return written{}, err
	}
	return written{t.kind.Fields, done.Items[0]}, nil
}
