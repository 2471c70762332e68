package feed

import (
	"context"
	"io"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Export is an iCalendar object that is written event by event. An imported event has the UID
// and the address of the image that it came with.
type Export struct {
	To      io.Writer    // takes what events add to the object
	Events  int64        // so far
	Undated []*item.Item // those of the last Write that cannot be in the object
	OwnDate bool         // events with several dates have their own alone

	spans zoneSpans // of all events so far
}

// Write writes some events.
func (x *Export) Write(ctx context.Context, k *event.UseCases, items []*item.Item) error {
	ids := make([]int64, len(items))
	for i, it := range items {
		ids[i] = it.Post.ID
	}
	uids, err := k.Service.Content.Store.Sources.UIDs(ctx, ids)
	if err != nil {
		return err
	}
	var several Several
	if !x.OwnDate {
		if several, err = SeveralOf(ctx, k, items); err != nil {
			return err
		}
	}
	if x.spans == nil {
		x.spans = zoneSpans{}
	}
	w, host := &ical.Writer{}, site.From(ctx).Host()
	x.Events += int64(len(items))
	x.Undated = nil
	for _, it := range items {
		e, dated := entryOf(it)
		if !dated {
			x.Undated = append(x.Undated, it)
			continue
		}
		several.put(e)
		e.exported, e.imported = true, uids[it.Post.ID]
		x.spans.add([]*entry{e})
		w.Reset()
		for _, one := range e.components() {
			writeEntry(k, w, one, host)
		}
		if _, err := x.To.Write(w.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func format(n int64) string { return strconv.FormatInt(n, 10) }

// encoded returns an address in the form that programs read back unchanged.
func encoded(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.String()
	}
	return address
}

// Frame returns the beginning of the object that all events so far belong to, with the zones
// that they refer to, and its end. It does not name the site: another one that has the same
// events exports the same.
func (x *Export) Frame() (begin, end []byte) {
	w := &ical.Writer{}
	beginCalendar(w, "Export")
	if len(x.spans) == 0 && x.Events == 0 {
		w.Zone(time.UTC, time.Unix(0, 0), time.Unix(0, 0))
	}
	x.spans.write(w)
	begin = w.Bytes()
	w = &ical.Writer{}
	w.End("VCALENDAR")
	return begin, w.Bytes()
}

// UID returns what names an item in an export: the UID with which it came, else one of
// this site.
func UID(ctx context.Context, k *event.UseCases, p *store.Post, m store.Meta) string {
	if imported := m.Text(schema.MetaSourceUID); imported != "" {
		return imported
	}
	host := site.From(ctx).Host()
	if p.Type != k.Type.PostType {
		return k.Service.Content.Types.Of(p.Type).Collection + "-" + format(p.ID) + "@" + host
	}
	if start, end, dated := walls(m); dated {
		return uidOf(p.ID, start, end) + "@" + host
	}
	return format(p.ID) + "@" + host
}
