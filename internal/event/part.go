package event

import (
	"context"
	"io"
	"net/url"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Part is a page of a list that is written into a larger iCalendar object than a feed. An
// imported event has the UID and the address of the image that it came with.
type Part struct {
	Number, Size int64
	Total        int64     // of events in the list
	Events       int64     // in the page
	To           io.Writer // takes what the page adds to the object
	Undated      []string

	spans zoneSpans // of all parts so far
}

type partKey struct{}

// WithPart returns a context in which the iCalendar form of a list is written to p, from
// a page that p names.
func WithPart(ctx context.Context, p *Part) context.Context {
	return context.WithValue(budget.Counted(rest.Uncached(ctx)), partKey{}, p)
}

func partOf(ctx context.Context) *Part {
	p, _ := ctx.Value(partKey{}).(*Part)
	return p
}

// writePart writes a page of a list.
func (k *Kind) writePart(ctx context.Context, r *rest.Request, p *Part) (*rest.Response, error) {
	page := &rest.Page{Number: p.Number, Size: p.Size}
	if p.spans == nil {
		p.spans = zoneSpans{}
	}
	p.Events, p.Undated = 0, nil
	err := k.posts.Portions(ctx, r, page, func(items []*resource.Item) error { return k.writePortion(ctx, p, items) })
	p.Total = page.Total
	return page.Response(), err
}

// writePortion writes some events of a page.
func (k *Kind) writePortion(ctx context.Context, p *Part, items []*resource.Item) error {
	ids := make([]int64, len(items))
	for i, it := range items {
		ids[i] = it.Post.ID
	}
	uids, err := k.Store.Sources.UIDs(ctx, ids)
	if err != nil {
		return err
	}
	w, host := &ical.Writer{}, site.From(ctx).Host()
	p.Events += int64(len(items))
	for _, it := range items {
		e, dated := entryOf(it)
		if !dated {
			p.Undated = append(p.Undated, it.Post.Title)
			continue
		}
		e.imported = uids[it.Post.ID]
		p.spans.add([]*entry{e})
		w.Reset()
		k.writeEntry(w, e, host)
		if _, err := p.To.Write(w.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// encoded returns an address in the form that programs read back unchanged.
func encoded(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.String()
	}
	return address
}

// Frame returns the beginning of the object that all parts so far belong to, with the zones
// that they refer to, and its end. It does not name the site: another one that has the same
// events exports the same.
func (p *Part) Frame() (begin, end []byte) {
	w := &ical.Writer{}
	beginCalendar(w, "Export")
	if len(p.spans) == 0 && p.Total == 0 {
		w.Zone(time.UTC, time.Unix(0, 0), time.Unix(0, 0))
	}
	p.spans.write(w)
	begin = w.Bytes()
	w = &ical.Writer{}
	w.End("VCALENDAR")
	return begin, w.Bytes()
}

// UID returns what names an item in an export: the UID with which it came, else one of
// this site.
func (k *Kind) UID(ctx context.Context, p *store.Post, m store.Meta) string {
	if imported := m.Text(schema.MetaSourceUID); imported != "" {
		return imported
	}
	host := site.From(ctx).Host()
	if p.Type != k.PostType {
		return k.Types.Of(p.Type).Collection + "-" + itoa(p.ID) + "@" + host
	}
	if start, end, dated := walls(m); dated {
		return uidOf(p.ID, start, end) + "@" + host
	}
	return itoa(p.ID) + "@" + host
}
