package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/registry"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// newPatrons declares a resource of posts that events link, and newFields a text field and a yes/no field of events.
// Nothing else is needed.

func newPatrons() []*linked.UseCases {
	k := otherResource("patron", "Patron", content.Storage{
		Collection: "patrons", PostType: "agenda_patron", LinkKey: "_EventPatronID", Origin: "_PatronOrigin",
		Segment: func(permalink.Settings) string { return "patron" },
	})
	k.Before = []*item.Field{k.Text("level", "_PatronLevel", "x"), k.Website("_PatronURL", "x")}
	return []*linked.UseCases{k}
}

func newFields() item.Fields {
	return item.Fields{event.Text("motto", "x", "_EventMotto"), event.Flag("members_only", "x", "_EventMembersOnly")}
}

func patroned() registry.More {
	return registry.More{Linked: newPatrons, Fields: newFields}
}

// town is a calendar whose administrator may write patrons.
type town struct {
	*calendar.Calendar
	admin calendar.Principal
	db    *bun.DB
}

func newTown(t *testing.T, more registry.More, db *bun.DB, base string, own ...calendar.Field) town {
	t.Helper()
	o := calendar.Options{DB: db, Fields: own}
	o.Now = func() time.Time { return time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC) }
	if base != "" {
		o.Languages = []calendar.Language{{Tag: "en", BaseURL: base}}
	}
	registry.Declare(&o, more)
	return openTown(t, o)
}

func openTown(t *testing.T, o calendar.Options) town {
	t.Helper()
	o.Logger, o.ServeRoot = slog.New(slog.DiscardHandler), true
	c := must.Get(calendar.New(t.Context(), o))(t)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	cases := registry.Of(c)
	ctx := must.Get(cases.Prepare(calendar.WithPrincipal(t.Context(), calendar.Principal{UserID: 1})))(t)
	p := must.Get(cases.Caller(ctx))(t)
	p.Capabilities = maps.Clone(p.Capabilities)
	for _, right := range []string{"edit_", "edit_others_", "edit_published_", "publish_"} {
		p.Capabilities[right+"agenda_patrons"] = true
		p.Capabilities[right+"agenda_sponsors"] = true // resource of the exercise
	}
	return town{c, calendar.Principal(p), o.DB}
}

// emptied returns the database of the recorded site without its posts.
func emptied(t *testing.T) *bun.DB {
	t.Helper()
	db := testdb.SiteA(t)
	for _, table := range []string{"posts", "postmeta", "term_relationships", "term_taxonomy", "terms", "tec_events", "tec_occurrences"} {
		must.Get(db.NewRaw("DELETE FROM wp_" + table).Exec(t.Context()))(t)
	}
	return db
}

func (w town) do(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	answer, err := w.Do(calendar.WithPrincipal(t.Context(), w.admin), method, path, nil, json.RawMessage(body))
	var item map[string]any
	if err == nil {
		err = json.Unmarshal(answer, &item)
	}
	if err != nil {
		t.Fatal(method, path, err)
	}
	return item
}

// export exports the events of the test.
func (w town) export(t *testing.T, form exchange.Format) string {
	t.Helper()
	var out strings.Builder
	e := &exchange.Exporter{Calendar: w.Calendar, Principal: w.admin, Format: form, Query: url.Values{"search": {"Declared"}}}
	must.Get(e.Export(t.Context(), &out))(t)
	return out.String()
}

// load imports a source and returns the outcome for each item.
func (w town) load(t *testing.T, src exchange.Source) string {
	t.Helper()
	var all []string
	im := &exchange.Importer{Calendar: w.Calendar, Principal: w.admin, Source: "test", Trust: true, Done: func(o exchange.Outcome) {
		all = append(all, fmt.Sprint(o.Kind, " ", o.Name, " ", o.Action, " ", o.Problems))
	}}
	must.Get(im.Import(t.Context(), src))(t)
	return strings.Join(all, "\n")
}

// TestDeclaredFieldsAndKindsMove checks that declared fields and resources are exported and imported unchanged in each
// format that can represent them.
func TestDeclaredFieldsAndKindsMove(t *testing.T) {
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	first := newTown(t, patroned(), testdb.SiteA(t), server.URL+"/wp-json")
	handler = first.Handler()
	one := first.do(t, "POST", "/events", `{"title":"Declared 1","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00",
		"motto":"=Rock & \"roll\", it's late","members_only":true,
		"patron":[{"patron":"Bank, the","level":"gold, \"large\"","website":"https://bank.example/"},{"patron":"Bakery"}]}`)
	first.do(t, "POST", "/events", `{"title":"Declared 2","start_date":"2031-06-07 20:00","end_date":"2031-06-07 23:00"}`)

	var unheld *exchange.UnheldError
	_, err := (&exchange.Exporter{Calendar: first.Calendar, Principal: first.admin, Format: exchange.FormatICalendar}).
		Export(t.Context(), &strings.Builder{})
	want := `the field "motto", the field "members_only", the kind "patrons"`
	if !errors.As(err, &unheld) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("iCalendar: %v, want %s", err, want)
	}

	texts := map[exchange.Format][]string{
		exchange.FormatCSV: {
			"motto,members_only,", ",patron,patron.", `"'=Rock & ""roll"", it's late",true,`, `"""Bank, the"", Bakery"`,
			`"""gold, """"large"""""", "`,
		},
		exchange.FormatJSON: {
			`"motto":"=Rock & \"roll\", it's late"`, `"members_only":true`, `"members_only":false`,
			`{"kind":"patrons","uid":"patrons-`, `"level":"gold, \"large\""`, `"patrons":[{"uid":`,
		},
	}
	sources := map[exchange.Format]func(string, town) exchange.Source{
		exchange.FormatCSV: func(text string, w town) exchange.Source {
			return exchange.CSV(strings.NewReader(text), "a.csv", exchange.TableOptions{Calendar: w.Calendar})
		},
		exchange.FormatJSON: func(text string, _ town) exchange.Source {
			return exchange.JSONLines(strings.NewReader(text), "a.jsonl")
		},
	}
	for _, form := range []exchange.Format{exchange.FormatCSV, exchange.FormatJSON} { // the last one changes the event
		source := sources[form]
		text, other := first.export(t, form), newTown(t, patroned(), emptied(t), "")
		for _, want := range texts[form] {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s:\n%s", form, want, text)
			}
		}
		if said := other.load(t, source(text, other)); strings.Count(said, "created []") != strings.Count(said, "\n")+1 {
			t.Errorf("%s: %s", form, said)
		}
		if again := other.export(t, form); again != text {
			t.Errorf("%s came back as\n%s\nwas\n%s", form, again, text)
		}
		if said := other.load(t, source(text, other)); strings.Contains(said, "created") || strings.Contains(said, "updated") {
			t.Errorf("%s again: %s", form, said)
		}
		if form == exchange.FormatJSON {
			first.do(t, "POST", fmt.Sprint("/events/", one["id"]), `{"motto":"","members_only":false,"patron":[]}`)
			text = first.export(t, form)
			other.load(t, source(text, other))
			if again := other.export(t, form); again != text {
				t.Errorf("without them it became\n%s\nwas\n%s", again, text)
			}
			first.do(t, "POST", fmt.Sprint("/events/", one["id"]),
				`{"motto":"Over & out","members_only":true,"patron":{"patron":"Mill","level":"silver"}}`)
		}
	}

	other := newTown(t, patroned(), emptied(t), "")
	src := must.Get(exchange.Open(t.Context(), server.URL+"/wp-json/vendor/events/v1/events?search=Declared",
		exchange.OpenOptions{Calendar: other.Calendar}))(t)
	defer src.Close()
	if said := other.load(t, src); strings.Contains(said, "refused") || strings.Count(said, "created []") != 3 {
		t.Errorf("API: %s", said)
	}
	text := other.export(t, exchange.FormatJSON)
	for _, want := range []string{`"motto":"Over & out"`, `"members_only":true`, `"patron":"Mill"`, `"level":"silver"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the API gave no %s:\n%s", want, text)
		}
	}
}

// TestJSONLinesRemoveNumbers checks that importing JSON lines removes a number that is absent in the line if its field
// accepts null, because a line contains all of an event.
func TestJSONLinesRemoveNumbers(t *testing.T) {
	const key param.Key[int64] = "seats"
	seats := func() item.Fields {
		return item.Fields{{
			Name: string(key), Shape: jsonschema.OneOf(jsonschema.Int(), jsonschema.Null()), Keys: []string{"_EventSeats"},
			Value: func(w *phpjson.Writer, it *item.Item) {
				if text := it.Meta.Text("_EventSeats"); text != "" {
					w.RawString(text)
				} else {
					w.Null()
				}
			},
			Param: func(bool) *param.Param {
				number := jsonschema.OneOf(jsonschema.Int(), jsonschema.Null())
				return key.Param(number, param.Checked(param.Positive), param.AnyType(), param.Null())
			},
			Apply: func(_ context.Context, in *item.Input, e *content.Edit) error {
				if n := key.Given(in.Values); n != nil {
					e.Set("_EventSeats", fmt.Sprint(*n))
				} else if key.IsGiven(in.Values) {
					e.Set("_EventSeats")
				}
				return nil
			},
		}}
	}
	w := newTown(t, registry.More{Fields: seats}, emptied(t), "")
	const line = `{"kind":"events","uid":"a@x","values":{"title":"Declared","start_date":"2031-06-06 20:00",` +
		`"end_date":"2031-06-06 23:00"%s}}`
	for _, more := range []string{`,"seats":7`, ""} {
		said := w.load(t, exchange.JSONLines(strings.NewReader(fmt.Sprintf(line, more)), "a.jsonl"))
		if text := w.export(t, exchange.FormatJSON); strings.Contains(text, `"seats":7`) != (more != "") {
			t.Errorf("%q: %s\n%s", more, said, text)
		}
	}
}
