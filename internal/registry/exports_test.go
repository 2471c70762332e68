package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// exporter returns an exporter as the administrator of a calendar with more resources and fields.
func exporter(t *testing.T, more registry.More, form exchange.Format) *exchange.Exporter {
	t.Helper()
	o := calendar.Options{DB: testdb.SiteA(t), Logger: slog.New(slog.DiscardHandler)}
	registry.Declare(&o, more)
	c := must.Get(calendar.New(t.Context(), o))(t)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return &exchange.Exporter{Calendar: c, Principal: calendar.Principal{UserID: 1}, Format: form}
}

// refuses checks that an export fails because the format cannot represent something, and that the existing file is not
// changed. It returns the export with that left out.
func refuses(t *testing.T, e *exchange.Exporter, message string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export")
	must.Succeed(t, os.WriteFile(file, []byte("before"), 0o644))
	n, err := e.ExportFile(t.Context(), file)
	var unheld *exchange.UnheldError
	if !errors.As(err, &unheld) || err.Error() != message || n != 0 {
		t.Fatalf("%s: %d events, %v; want %s", e.Format, n, err, message)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "before" {
		t.Errorf("%s: the file was replaced: %.100s, %v", e.Format, text, err)
	}
	var left []string
	e.LeaveOut, e.Left = unheld.Names(), func(p *exchange.Problem) { left = append(left, p.Error()) }
	if n, err := e.ExportFile(t.Context(), file); err != nil || n == 0 {
		t.Errorf("%s without it: %d events, %v", e.Format, n, err)
	}
	if want := "export: " + unheld.Names()[0] + ": is left out"; !slices.Contains(left, want) {
		t.Errorf("%s: %q lacks %q", e.Format, left, want)
	}
	text := must.Get(os.ReadFile(file))(t)
	return string(text)
}

// rowsIn adds meta rows to a post.
func rowsIn(t *testing.T, db *bun.DB, post any, rows map[string]any) {
	t.Helper()
	for key, value := range rows {
		must.Get(db.NewRaw("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)", post, key, value).
			Exec(t.Context()))(t)
	}
}

// exported returns an export of the events that a query selects.
func (w town) exported(t *testing.T, form exchange.Format, query string) (string, error) {
	t.Helper()
	values := must.Get(url.ParseQuery(query))(t)
	var out strings.Builder
	n, err := (&exchange.Exporter{Calendar: w.Calendar, Principal: w.admin, Format: form, Query: values}).Export(t.Context(), &out)
	if err != nil && (n != 0 || out.Len() != 0) {
		t.Errorf("%s: %v, after %d events: %.100s", form, err, n, &out)
	}
	return out.String(), err
}

// unheld checks what the error of an export of the selected events ends with. "" means that the export succeeds.
func (w town) unheld(t *testing.T, form exchange.Format, query, want string) {
	t.Helper()
	_, err := w.exported(t, form, query)
	if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), "no place for "+want)) {
		t.Errorf("%s of %q: %v, want %q", form, query, err, want)
	}
}

// TestExportsRefuseAKind checks that a format which cannot represent a resource fails and writes nothing if an exported
// event links a post of that resource.
func TestExportsRefuseAKind(t *testing.T) {
	e := exporter(t, series(), exchange.FormatICalendar)
	if n, err := e.Export(t.Context(), &strings.Builder{}); err != nil || n == 0 {
		t.Fatalf("no event has a series: %d, %v", n, err)
	}
	as := calendar.Principal{UserID: 1, Capabilities: map[string]bool{
		"edit_tribe_events": true, "publish_tribe_events": true, "edit_tribe_event_series": true, "publish_tribe_event_series": true,
	}}
	must.Get(e.Calendar.Do(calendar.WithPrincipal(t.Context(), as), "POST", "/events", nil, json.RawMessage(
		`{"title":"Declared 1","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00","serie":{"serie":"Summer `+
			`nights"}}`)))(t)
	refuses(t, e, `export: the format ics has no place for the kind "series"`)
	e.LeaveOut, e.Query = nil, url.Values{"end_date": {"2031-06-01"}}
	if n, err := e.Export(t.Context(), &strings.Builder{}); err != nil || n == 0 {
		t.Errorf("the event with a series is not among those of the query: %d, %v", n, err)
	}
	e.LeaveOut = []string{"series", "title"}
	if _, err := e.Export(t.Context(), &strings.Builder{}); !errors.Is(err, exchange.ErrLeaveOut) {
		t.Errorf("the title is left out: %v", err)
	}
}

// TestExportsRefuseValuesAndNoDeclarations checks that an export does not fail because of a declared field without a
// value in any exported item, for fields of events and of linked posts, in each format. An empty value does not count
// as one.
func TestExportsRefuseValuesAndNoDeclarations(t *testing.T) {
	w := newTown(t, registry.More{}, testdb.SiteA(t), "", contract.HostFields()...)
	const forms = "ics csv jsonl"
	for form := range strings.FieldsSeq(forms) {
		w.unheld(t, exchange.Format(form), "", "")
	}
	_, bare := w.sendWrite(t, "POST", "/events", `{"title":"Bare","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00",
		"wheelchairs":false,"dress":"","patrons":[],"venue":{"venue":"Yard","lift":false}}`)
	rowsIn(t, w.db, bare, map[string]any{"_host_report": "", "_host_poster": "none", "_host_level": "unknown", "_host_budget": ""})
	for form := range strings.FieldsSeq(forms) {
		w.unheld(t, exchange.Format(form), "", "")
	}
	text, err := w.exported(t, exchange.FormatICalendar, "search=Bare")
	if err != nil || !strings.Contains(text, "SUMMARY:Bare") {
		t.Errorf("iCalendar: %v\n%s", err, text)
	}

	_, id := w.sendWrite(t, "POST", "/events", `{"title":"Full","start_date":"2032-06-06 20:00","end_date":"2032-06-06 23:00",
		"seats":0,"wheelchairs":true,"venue":{"venue":"Hall","lift":true}}`)
	_, tag := w.sendWrite(t, "POST", "/tags", `{"name":"Verdi","shade":"green"}`)
	_, top := w.sendWrite(t, "POST", "/categories", `{"name":"Stage","colour":"red"}`)
	_, opera := w.sendWrite(t, "POST", "/categories", fmt.Sprintf(`{"name":"Opera","parent":%d}`, top))
	const full, others = "search=Full", "end_date=2032-01-01"
	w.unheld(t, "ics", full, `the field "seats", the field "wheelchairs", the field "venue.lift"`)
	w.unheld(t, "ics", others, "")
	w.unheld(t, "csv", full, "")
	rowsIn(t, w.db, id, map[string]any{"_host_report": id})
	w.sendWrite(t, "PATCH", fmt.Sprint("/events/", id), fmt.Sprintf(`{"tags":[%d],"categories":[%d]}`, tag, opera))
	w.unheld(t, "ics", full, `the field "seats", the field "wheelchairs", the field "report", the field "venue.lift", the field `+
		`"tags.shade"`)
	w.unheld(t, "csv", full, `the field "report", the field "categories.colour", the field "tags.shade"`)
	w.unheld(t, "jsonl", full, `the field "report"`)
	for form := range strings.FieldsSeq(forms) {
		w.unheld(t, exchange.Format(form), others, "")
	}

	// For a field that the user may not read, the error does not reveal which items have a value.
	rowsIn(t, w.db, id, map[string]any{"_host_budget": 7})
	for form := range strings.FieldsSeq(forms) {
		w.unheld(t, exchange.Format(form), "search=Fair", `the field "budget"`)
	}
	w.admin.Capabilities["read_budget"] = true
	w.unheld(t, "jsonl", others, "")
	w.unheld(t, "ics", others, "")
	w.unheld(t, "ics", full+"&end_date=2040-01-01", `the field "seats", the field "wheelchairs", the field "report", the field "budget", `+
		`the field "venue.lift", the field "tags.shade"`)
}

// TestExportsRefuseAField checks that an export fails for a field that its format cannot represent: iCalendar for any
// field that feeds do not know, and CSV for an object. JSON lines can represent every field.
func TestExportsRefuseAField(t *testing.T) {
	seats := jsonschema.Object("Seats", jsonschema.Has("free", jsonschema.Int()))
	more := registry.More{Fields: func() item.Fields {
		return item.Fields{{
			Name: "members_only", Shape: jsonschema.Bool(), Masked: "null",
			Value: func(w *phpjson.Writer, _ *item.Item) { w.Bool(true) },
			Param: func(bool) *param.Param {
				return param.Key[bool]("members_only").Param(jsonschema.Bool(), nil)
			},
		}, {
			Name: "seats", Shape: seats, Masked: "null",
			Value: func(w *phpjson.Writer, _ *item.Item) {
				w.Object()
				w.KeyInt("free", 7)
				w.End()
			},
			Param: func(bool) *param.Param { return param.Key[any]("seats").Param(seats, nil) },
		}}
	}}
	for form, fields := range map[exchange.Format]string{
		exchange.FormatCSV: `the field "seats"`, exchange.FormatICalendar: `the field "members_only", the field "seats"`,
	} {
		text := refuses(t, exporter(t, more, form), `export: the format `+string(form)+` has no place for `+fields)
		if strings.Contains(text, "seats") || strings.Contains(text, "members_only") != (form == exchange.FormatCSV) {
			t.Errorf("%s has a field that it has no place for, or lacks another", form)
		}
	}
	var out strings.Builder
	n, err := exporter(t, more, exchange.FormatJSON).Export(t.Context(), &out)
	for _, text := range []string{`"members_only":true`, `"seats":{"free":7}`} {
		if got := strings.Count(out.String(), text); err != nil || n == 0 || int64(got) != n {
			t.Errorf("JSON lines: %d of %d events have %s, %v", got, n, text, err)
		}
	}
}
