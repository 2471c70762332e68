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

// exporter returns an exporter to a format, on a calendar with more kinds and fields, for its administrator.
func exporter(t *testing.T, more registry.More, form exchange.Format) *exchange.Exporter {
	t.Helper()
	o := calendar.Options{DB: testdb.SiteA(t), Logger: slog.New(slog.DiscardHandler)}
	o.Declare(more)
	c, err := calendar.New(t.Context(), o)
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
	refuses(t, exporter(t, series(), exchange.FormatICalendar), `export: the form ics has no place for the kind "series"`)
	e := exporter(t, series(), exchange.FormatICalendar)
	e.LeaveOut = []string{"series", "title"}
	if _, err := e.Export(t.Context(), &strings.Builder{}); !errors.Is(err, exchange.ErrLeaveOut) {
		t.Errorf("the title is left out: %v", err)
	}
}

// So does one without a place for a field: iCalendar for any that feeds were not made for, a row for an object. JSON
// lines have a place for each.
func TestExportsRefuseAField(t *testing.T) {
	seats := jsonschema.Object("Seats", jsonschema.Has("free", jsonschema.Int()))
	more := registry.More{Fields: func() item.Fields {
		return item.Fields{{
			Name: "members_only", Shape: jsonschema.Bool(), Masked: "null", Added: true,
			Value: func(w *phpjson.Writer, _ *item.Item) { w.Bool(true) },
			Param: func(bool) *param.Param {
				return param.Key[bool]("members_only").Param(jsonschema.Bool(), nil, param.Typed())
			},
		}, {
			Name: "seats", Shape: seats, Masked: "null", Added: true,
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
		text := refuses(t, exporter(t, more, form), `export: the form `+string(form)+` has no place for `+fields)
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
