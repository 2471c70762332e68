package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/charset"
	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wholefile"
)

// Format is the format of an export.
type Format string

// These are the formats.
const (
	FormatICalendar Format = "ics"
	FormatCSV       Format = "csv"
	FormatJSON      Format = "jsonl" // this project's format, which contains everything that is stored
)

// Exporter writes a list of events in one of the formats, as a user may read it.
type Exporter struct {
	Calendar  *calendar.Calendar
	Principal calendar.Principal
	Format    Format

	// Query contains parameters of the event list, such as "categories" or "search", except those of paging. Without
	// "start_date" and "end_date", past and future events are exported.
	Query url.Values

	// Language is the code of the language to export. If it is empty, JSON lines contain all languages, and other
	// formats the site's default language.
	Language string

	// LeaveOut names what is left out on purpose: fields and resources that the format cannot represent, and
	// LeaveOutDates. Exported items that have something that is not named here make the export fail with an UnheldError
	// or a SeveralDatesError.
	LeaveOut []string

	// BOM writes a byte order mark before CSV. Without it, Excel on Windows does not recognize UTF-8.
	BOM bool

	// Progress, if not nil, is called with the numbers of events that are done and of all events.
	Progress func(done, total int64)

	// Left, if not nil, is called for what is not in the export: an event, or a part of all events if the Problem has
	// no Item.
	Left func(*Problem)
}

// recordWriter writes records in a format.
type recordWriter interface{ Write(*Record) error }

// exporting is an export in progress.
type exporting struct {
	exporter    *Exporter
	parts       *registry.Calendar
	resources   *resources
	ctx         context.Context
	done, total int64           // events that were processed, and all events of the list
	wrote       int64           // events that the export contains
	told        map[string]bool // parts of all events that were reported as left out

	unwritten map[string]bool // names of the fields and resources that the format cannot represent
	sought    []*unplaced     // those of them that must not occur in any exported item
	waiting   bool            // output is still buffered and may be discarded, so problems are held back
	problems  []*Problem
}

// Export writes the list and returns the number of events that were written. After an error, w may have received part
// of the export; after an UnheldError it has received nothing.
func (e *Exporter) Export(ctx context.Context, w io.Writer) (n int64, err error) {
	if n, err = e.export(ctx, w); err != nil {
		return n, fmt.Errorf("export: %w", err)
	}
	return n, nil
}

// ExportFile writes the list to a file. An existing file is replaced when the export is complete, and keeps its mode. A
// new file is readable by the user of the process only.
func (e *Exporter) ExportFile(ctx context.Context, name string) (n int64, err error) {
	err = wholefile.Write(name, func(w io.Writer) error {
		n, err = e.export(ctx, w)
		return err
	})
	if err != nil {
		return n, fmt.Errorf("export: %w", err)
	}
	return n, nil
}

func (e *Exporter) export(ctx context.Context, w io.Writer) (n int64, err error) {
	x := &exporting{exporter: e, parts: registry.Of(e.Calendar), resources: resourcesOf(e.Calendar), told: map[string]bool{}}
	if x.ctx, err = x.parts.Prepare(calendar.WithPrincipal(ctx, e.Principal)); err != nil {
		return 0, err
	}
	if !slices.Contains([]Format{FormatICalendar, FormatCSV, FormatJSON}, e.Format) {
		return 0, fmt.Errorf("there is no format %q", e.Format)
	}
	if err := x.seek(); err != nil {
		return 0, err
	}
	if err := x.holdsDates(); err != nil {
		return 0, err
	}
	if err := x.lacksHidden(); err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if len(x.sought) > 0 {
		err = x.writeChecked(out)
	} else {
		err = x.writeList(out)
	}
	if err == nil {
		err = out.Flush()
	}
	return x.wrote, err
}

// writeList writes the list in its format.
func (x *exporting) writeList(w io.Writer) error {
	switch x.exporter.Format {
	case FormatICalendar:
		return x.iCalendar(w)
	case FormatCSV:
		return x.csv(w)
	}
	to, err := newJSONWriter(w, site.From(x.ctx).Home, x.resources)
	if err != nil {
		return err
	}
	return x.records(to, true)
}

// writeChecked writes the list once it is certain that no item has anything that the format cannot represent. Only a
// complete export shows that, so it is buffered in a temporary file.
func (x *exporting) writeChecked(w io.Writer) error {
	x.waiting = true
	err := bufferInFile(func(file io.Writer) error {
		if err := x.writeList(file); err != nil {
			return err
		}
		return x.unheld(true)
	}, func(file io.Reader) error {
		x.waiting = false
		for _, p := range x.problems {
			x.left(p)
		}
		_, err := io.Copy(w, file)
		return err
	})
	if x.waiting { // nothing was written
		x.wrote = 0
	}
	return err
}

// exportPage is the number of events that are read at a time, unless the calendar's page size is smaller.
const exportPage = 100

// These are the bounds of a list of all events.
const (
	firstDay = "0001-01-01 00:00:00"
	lastDay  = "9999-12-31 23:59:59"
)

// list returns the query of a page. Events are sorted by their dates, other items by id.
func (x *exporting) list(number int64, events bool) url.Values {
	q := url.Values{}
	if events {
		for name, values := range x.exporter.Query {
			q[name] = values
		}
		if !q.Has("start_date") {
			q.Set("start_date", firstDay)
		}
		if !q.Has("end_date") {
			q.Set("end_date", lastDay)
		}
	} else {
		q.Set("orderby", "id")
		q.Set("order", "asc")
	}
	q.Set("page", strconv.FormatInt(number, 10))
	q.Set("per_page", strconv.FormatInt(x.size(), 10))
	return q
}

// size returns the number of items per page.
func (x *exporting) size() int64 { return min(exportPage, x.parts.Events.Service.MaxPageSize) }

// languages returns the codes of the languages to export, or a single "" if the site has no languages.
func (x *exporting) languages(all bool) ([]string, error) {
	l := x.parts.Events.Service.Content.Languages
	if l == nil {
		return []string{""}, nil
	}
	if x.exporter.Language != "" || !all {
		code := x.exporter.Language
		if code == "" {
			code = l.Default
		}
		v := l.Coded(code)
		if v == nil {
			return nil, fmt.Errorf("%w: %q", ErrLanguage, code)
		}
		return []string{v.Code}, nil
	}
	codes := []string{}
	if v := l.Coded(l.Default); v != nil {
		codes = append(codes, v.Code)
	}
	for _, v := range l.Versions {
		if len(codes) == 0 || v.Code != codes[0] {
			codes = append(codes, v.Code)
		}
	}
	return codes, nil
}

// progress reports that n more events are done.
func (x *exporting) progress(n int64) {
	x.done += n
	if x.exporter.Progress != nil {
		x.exporter.Progress(x.done, max(x.total, x.done))
	}
}

// left reports something that is not in the export.
func (x *exporting) left(p *Problem) {
	if p.Place.Source == "" {
		p.Place.Source = "export"
	}
	switch {
	case x.waiting:
		x.problems = append(x.problems, p)
	case x.exporter.Left != nil:
		x.exporter.Left(p)
	}
}

// lacks reports, once, a part of all events that is not in the export.
func (x *exporting) lacks(part, reason string) {
	if !x.told[part] {
		x.told[part] = true
		x.left(&Problem{Field: part, Reason: reason})
	}
}

// lacksHidden reports how many events no list contains, so that no export contains them either.
func (x *exporting) lacksHidden() error {
	n, err := x.parts.Events.Service.Content.Store.Events.CountHidden(x.ctx, x.parts.Events.PostType)
	if n > 0 {
		x.lacks("hide_from_listings", fmt.Sprintf("the calendar has %d events that are hidden from lists, and from exports", n))
	}
	return err
}

// iCalendar writes the list as one iCalendar object. The time zones come first but depend on all events, which are
// therefore buffered in a temporary file.
func (x *exporting) iCalendar(w io.Writer) error {
	object := &feed.Export{OwnDate: slices.Contains(x.exporter.LeaveOut, LeaveOutDates)}
	return bufferInFile(func(file io.Writer) error {
		object.To = file
		return x.components(object)
	}, func(file io.Reader) error {
		begin, end := object.Frame()
		if _, err := w.Write(begin); err != nil {
			return err
		}
		if _, err := io.Copy(w, file); err != nil {
			return err
		}
		_, err := w.Write(end)
		return err
	})
}

// components writes the components of all events of the list.
func (x *exporting) components(object *feed.Export) error {
	codes, err := x.languages(false)
	if err != nil {
		return err
	}
	r := &recorder{exporting: x, written: map[string]bool{}}
	return x.each(codes[0], x.parts.Events.Posts, true, "", func(ctx context.Context, items []*item.Item, total int64) error {
		if err := object.Write(ctx, x.parts.Events, items); err != nil {
			return err
		}
		for _, it := range object.Undated {
			x.left(&Problem{Item: plainText(it.Post.Title), Field: "start_date",
				Reason: "an event without a date cannot be in an iCalendar file"})
		}
		if len(x.sought) > 0 {
			dated := slices.DeleteFunc(slices.Clone(items), func(it *item.Item) bool { return slices.Contains(object.Undated, it) })
			if err := r.findInEvents(dated); err != nil {
				return err
			}
		}
		n := int64(len(items))
		x.total = total
		x.wrote += n - int64(len(object.Undated))
		x.progress(n)
		return nil
	})
}

// csv writes the list as CSV.
func (x *exporting) csv(w io.Writer) error {
	if x.exporter.BOM {
		if _, err := io.WriteString(w, charset.BOM); err != nil {
			return err
		}
	}
	rows := newCSVWriter(w, x.resources)
	if err := x.records(rows, false); err != nil {
		return err
	}
	return rows.Close()
}
