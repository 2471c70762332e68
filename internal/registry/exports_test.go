package registry_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/registry"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// exporter returns an exporter of the recorded site to a form, for its administrator.
func exporter(t *testing.T, form exchange.Format) *exchange.Exporter {
	t.Helper()
	c, err := calendar.New(t.Context(), calendar.Options{DB: testdb.SiteA(t), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return &exchange.Exporter{Calendar: c, Principal: calendar.Principal{UserID: 1}, Format: form}
}

// refuses checks that an export fails for what the form has no place for, and leaves its file as it is. It returns the
// export without that.
func refuses(t *testing.T, e *exchange.Exporter, message string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export")
	if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
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
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A form of exports that has no place for a kind says so and writes nothing, since its items would be lost.
func TestExportsRefuseAKind(t *testing.T) {
	registry.Add(t, seriesType, newSeries)
	for _, form := range []exchange.Format{exchange.FormatJSON, exchange.FormatCSV, exchange.FormatICalendar} {
		refuses(t, exporter(t, form), `export: the form `+string(form)+` has no place for the kind "series"`)
	}
	e := exporter(t, exchange.FormatCSV)
	e.LeaveOut = []string{"series", "title"}
	if _, err := e.Export(t.Context(), &strings.Builder{}); !errors.Is(err, exchange.ErrLeaveOut) {
		t.Errorf("the title is left out: %v", err)
	}
}

// So does one without a place for a field. JSON lines have a place for each.
func TestExportsRefuseAField(t *testing.T) {
	field := &item.Field{
		Name: "members_only", Shape: jsonschema.Bool(), Masked: "null", Added: true,
		Value: func(w *phpjson.Writer, _ *item.Item) { w.Bool(true) },
		Param: func(bool) *param.Param {
			return param.Key[bool]("members_only").Param(jsonschema.Bool(), nil, param.Typed())
		},
	}
	with := func(form exchange.Format) *exchange.Exporter {
		e := exporter(t, form)
		events := registry.Of(e.Calendar).Events
		events.Fields = append(events.Fields, field)
		return e
	}
	for _, form := range []exchange.Format{exchange.FormatCSV, exchange.FormatICalendar} {
		text := refuses(t, with(form), `export: the form `+string(form)+` has no place for the field "members_only"`)
		if strings.Contains(text, "members_only") {
			t.Errorf("%s has it", form)
		}
	}
	var out strings.Builder
	n, err := with(exchange.FormatJSON).Export(t.Context(), &out)
	if got := strings.Count(out.String(), `"members_only":true`); err != nil || n == 0 || int64(got) != n {
		t.Errorf("JSON lines: %d of %d events have it, %v", got, n, err)
	}
}
