package feed

import (
	"context"
	"io"
	"net/url"
	"strconv"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/sourcestore"
	"github.com/agendahq/agenda/schema"
)

// Export is an iCalendar object that is written event by event. Imported events keep the UID and the URL of the image
// that they were imported with.
type Export struct {
	To      io.Writer    // receives the events, which go between the parts that Frame returns
	Events  int64        // number of events so far
	Undated []*item.Item // events of the last Write that were left out because they have no date
	OwnDate bool         // recurring events are exported with their main occurrence only

	spans zoneSpans // zones of all events so far
}

// Write writes events to To.
func (x *Export) Write(ctx context.Context, k *event.UseCases, items []*item.Item) error {
	ids := make([]int64, len(items))
	for i, it := range items {
		ids[i] = it.Post.ID
	}
	uids, err := sourcestore.New(k.Service.Content.Store).UIDs(ctx, ids)
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
		several.setSeries(e)
		e.exported, e.imported = true, uids[it.Post.ID]
		x.spans.addEntries([]*entry{e})
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

// encoded returns a URL in a form that programs read back unchanged.
func encoded(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.String()
	}
	return address
}

// Frame returns the beginning of the object, with the zones that the events so far refer to, and its end. It does not
// contain the name of the site, so that another site with the same events exports the same.
func (x *Export) Frame() (begin, end []byte) {
	w := &ical.Writer{}
	beginCalendar(w, "Export")
	x.spans.writeAll(w, x.Events == 0)
	begin = w.Bytes()
	w = &ical.Writer{}
	w.End("VCALENDAR")
	return begin, w.Bytes()
}

// UID returns the UID of an item in an export: the one that it was imported with, or else one of this site.
func UID(ctx context.Context, k *event.UseCases, p *store.Post, m store.Meta) string {
	if imported := m.Text(schema.MetaSourceUID); imported != "" {
		return imported
	}
	host := site.From(ctx).Host()
	if p.Type != k.PostType {
		return k.Service.Content.Types.ForPostType(p.Type).Collection + "-" + format(p.ID) + "@" + host
	}
	if start, end, dated := walls(m); dated {
		return uidOf(p.ID, start, end) + "@" + host
	}
	return format(p.ID) + "@" + host
}
