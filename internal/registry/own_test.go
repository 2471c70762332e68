package registry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/registry"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

func bound(n float64) *float64 { return &n }

// ownFields returns a field of each type, and one of venues.
func ownFields() []calendar.Field {
	list := []calendar.Field{
		{Name: "dress", Type: calendar.FieldText, Max: bound(20), Example: "Black tie", Texts: map[string]string{"nl": "Wat je aantrekt."}},
		{Name: "seats", Type: calendar.FieldNumber, Min: bound(0), Max: bound(5000)},
		{Name: "wheelchairs", Type: calendar.FieldYesNo},
		{Name: "doors", Type: calendar.FieldDate},
		{Name: "level", Type: calendar.FieldChoice, Choices: []string{"easy", "hard"}},
		{Name: "patrons", Type: calendar.FieldList, Max: bound(3)},
		{Name: "report", Type: calendar.FieldPost},
		{Name: "poster", Type: calendar.FieldImage},
		{Name: "budget", Type: calendar.FieldNumber, Read: "read_budget"},
	}
	for i := range list {
		list[i].Kind, list[i].Description = "events", "What "+list[i].Name+" is."
		list[i].Key = "_host_" + list[i].Name
	}
	return append(list, calendar.Field{
		Kind: "venues", Name: "lift", Key: "_host_lift", Type: calendar.FieldYesNo, Description: "Whether there is a lift.",
	})
}

// status returns the status of the response to a write by a caller.
func (w town) status(t *testing.T, p calendar.Principal, path, body string) int {
	t.Helper()
	_, err := w.Do(calendar.WithPrincipal(t.Context(), p), "PATCH", path, nil, json.RawMessage(body))
	var refused *calendar.Error
	if errors.As(err, &refused) {
		return refused.Status
	}
	if err != nil {
		t.Fatal(err)
	}
	return 200
}

// TestOwnFieldsAreServed checks that a field which a host declares is part of lists and items, is written, validated
// and documented, and is hidden from callers who may not read it.
func TestOwnFieldsAreServed(t *testing.T) {
	w := newTown(t, registry.More{}, testdb.SiteA(t), "", ownFields()...)
	treasurer := w.admin
	treasurer.Capabilities = maps.Clone(w.admin.Capabilities)
	treasurer.Capabilities["read_budget"] = true
	w.admin.Capabilities["read_budget"] = true
	clerk := treasurer
	clerk.Capabilities = maps.Clone(treasurer.Capabilities)
	delete(clerk.Capabilities, "read_budget")

	_, post := w.sendWrite(t, "POST", "/events", `{"title":"Other","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00"}`)
	made, id := w.sendWrite(t, "POST", "/events", fmt.Sprintf(`{"title":"Declared 1","start_date":"2031-06-06 20:00",
		"end_date":"2031-06-06 23:00","dress":"Black <b>tie</b>","seats":120.5,"wheelchairs":true,"doors":"2031-06-05","level":"hard",
		"patrons":["Bank, Ltd","Mill"],"report":%d,"budget":-7,"venue":{"venue":"Hall","lift":true}}`, post))
	all := []string{`"dress":"Black tie"`, `"seats":120.5`, `"wheelchairs":true`, `"doors":"2031-06-05"`, `"level":"hard"`,
		`"patrons":["Bank, Ltd","Mill"]`, fmt.Sprint(`"report":`, post), `"lift":true`}
	shows(t, "the answer to a write", made, append(all, `"budget":-7`)...)
	path := fmt.Sprint("/events/", id)
	for _, address := range []string{path, "/events?search=Declared&start_date=2031-01-01"} {
		text := w.get(t, address)
		shows(t, address, text, all...)
		if strings.Contains(text, "budget") {
			t.Errorf("%s shows what the caller may not read: %s", address, text)
		}
	}
	typed, err := w.Calendar.Kinds().Events.Get(t.Context(), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]any{"dress": "Black tie", "seats": 120.5, "wheelchairs": true, "doors": "2031-06-05", "level": "hard",
		"patrons": []string{"Bank, Ltd", "Mill"}, "report": post}; !reflect.DeepEqual(typed.Own, want) {
		t.Errorf("in Go: %#v, want %#v", typed.Own, want)
	}
	if hall := typed.Venues[0].Own; !reflect.DeepEqual(hall, map[string]any{"lift": true}) {
		t.Errorf("of the venue: %#v", hall)
	}
	rows := map[string][]string{}
	var stored []struct{ MetaKey, MetaValue string }
	if err := w.db.NewRaw("SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ? AND meta_key LIKE ? ORDER BY meta_id", id,
		`\_host\_%`).Scan(t.Context(), &stored); err != nil {
		t.Fatal(err)
	}
	for _, row := range stored {
		rows[row.MetaKey] = append(rows[row.MetaKey], row.MetaValue)
	}
	if want := map[string][]string{
		"_host_dress": {"Black tie"}, "_host_seats": {"120.5"}, "_host_wheelchairs": {"1"}, "_host_doors": {"2031-06-05"},
		"_host_level": {"hard"}, "_host_patrons": {"Bank, Ltd", "Mill"}, "_host_report": {fmt.Sprint(post)}, "_host_budget": {"-7"},
	}; !maps.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("rows %q, want %q", rows, want)
	}

	moved, err := w.Calendar.Kinds().Events.Update(calendar.WithPrincipal(t.Context(), w.admin), id,
		calendar.Values{"doors": time.Date(2031, 6, 5, 23, 30, 0, 0, time.FixedZone("", -5*3600))})
	if err != nil || moved.Own["doors"] != "2031-06-05" {
		t.Errorf("the day of a time: %v %v", moved, err)
	}

	part, _ := w.sendWrite(t, "PATCH", path, `{"seats":0,"wheelchairs":false}`)
	shows(t, "a partial update", part, `"seats":0`, `"wheelchairs":false`, all[0], all[3], all[4], all[5], all[6])
	part, _ = w.sendWrite(t, "PATCH", path, `{"dress":"","seats":null,"doors":"","level":"","patrons":[],"report":null}`)
	for _, name := range []string{"dress", "seats", "doors", "level", "patrons", "report"} {
		if strings.Contains(part, `"`+name+`":`) {
			t.Errorf("%s was not removed: %s", name, part)
		}
	}
	for _, body := range []string{
		`{"dress":"More than twenty chars"}`, `{"seats":-1}`, `{"seats":5001}`, `{"seats":"many"}`, `{"wheelchairs":"perhaps"}`,
		`{"doors":"2031-02-30"}`,
		`{"doors":"tomorrow"}`, `{"level":"medium"}`, `{"patrons":["a","b","c","d"]}`, `{"report":99999999}`, `{"report":"x"}`,
		fmt.Sprintf(`{"poster":%d}`, post), `{"seats":1e300}`, `{"dress":["a"]}`, `{"level":{"a":1}}`,
	} {
		if status := w.status(t, w.admin, path, body); status != 400 {
			t.Errorf("%s: %d", body, status)
		}
	}

	// A caller who may not read a field can neither write it nor guess its value by writing.
	for _, value := range []string{"-7", "8", "null"} {
		if status := w.status(t, clerk, path, `{"budget":`+value+`}`); status != 403 {
			t.Errorf("budget %s: %d", value, status)
		}
	}
	if status := w.status(t, clerk, path, `{"seats":3}`); status != 200 {
		t.Errorf("seats: %d", status)
	}
	if status := w.status(t, treasurer, path, `{"budget":8}`); status != 200 {
		t.Errorf("budget: %d", status)
	}
	// The ETag for other callers does not depend on it.
	before := w.etag(t, path)
	if _, err := w.db.NewRaw("UPDATE wp_postmeta SET meta_value = '9' WHERE post_id = ? AND meta_key = '_host_budget'", id).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := w.etag(t, path); after != before || before == "" {
		t.Errorf("validators %s and %s", before, after)
	}

	shows(t, "the index", w.get(t, ""), `"seats":{`, `"What seats is."`, `"lift":{`)
	shows(t, "the document", w.get(t, "/doc"), `"seats":{`, "What level is.", `"enum":["easy","hard"]`, `"maxLength":20`, "Black tie")
	event, err := w.Event(calendar.WithPrincipal(t.Context(), treasurer), id)
	if err != nil {
		t.Fatal(err)
	}
	shows(t, "the Go API", string(event.JSON), `"seats":3`, `"budget":9`)
}

// TestOwnFieldsMove checks that fields of a host are exported and imported, and that a field which a format cannot
// represent is rejected by name.
func TestOwnFieldsMove(t *testing.T) {
	w := newTown(t, registry.More{}, emptied(t), "", ownFields()...)
	_, id := w.sendWrite(t, "POST", "/events", `{"title":"Declared 1","start_date":"2031-06-06 20:00",`+
		`"end_date":"2031-06-06 23:00","dress":"\"R\" & B\\",
		"seats":120.5,"wheelchairs":true,"doors":"2031-06-05","level":"hard","patrons":["Bank, Ltd","Mill"],
		"venue":{"venue":"Hall","lift":true}}`)
	rowsIn(t, w.db, id, map[string]any{"_host_report": id, "_host_poster": id, "_host_budget": 7})
	e := &exchange.Exporter{Calendar: w.Calendar, Principal: w.admin, Format: exchange.FormatJSON}
	var unheld *exchange.UnheldError
	if _, err := e.Export(t.Context(), &strings.Builder{}); !errors.As(err, &unheld) ||
		!slices.Equal(unheld.Fields, []string{"report", "poster", "budget"}) {
		t.Fatalf("an export left something out: %v", err)
	}
	for form, want := range map[exchange.Format][]string{
		exchange.FormatJSON: {`"dress":"\"R\" & B\\"`, `"seats":120.5`, `"wheelchairs":true`, `"doors":"2031-06-05"`, `"level":"hard"`,
			`"patrons":["Bank, Ltd","Mill"]`, `"lift":true`},
		exchange.FormatCSV: {`"""R"" & B\"`, "120.5", ",true,", "2031-06-05", "hard", `""Bank, Ltd"", Mill`, "venue.lift"},
	} {
		export := func(from town) string {
			var out strings.Builder
			e := &exchange.Exporter{Calendar: from.Calendar, Principal: from.admin, Format: form, LeaveOut: unheld.Fields}
			if _, err := e.Export(t.Context(), &out); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		text := export(w)
		shows(t, string(form), text, want...)
		other := newTown(t, registry.More{}, emptied(t), "", ownFields()...)
		load := func() string {
			if form == exchange.FormatCSV {
				return other.load(t, exchange.CSV(strings.NewReader(text), "a.csv", exchange.TableOptions{Calendar: other.Calendar}))
			}
			return other.load(t, exchange.JSONLines(strings.NewReader(text), "a.jsonl"))
		}
		load()
		if again := export(other); again != text {
			t.Errorf("%s came back as\n%s\nwas\n%s", form, again, text)
		}
		if said := load(); strings.Contains(said, "updated") {
			t.Errorf("%s, the same again: %s", form, said)
		}
	}
}

// TestOwnTextsAreShort checks that a text field of a host is limited to 4 KiB, like everything that lists show, unless
// the host allows more characters. A longer stored text is shown, and may be sent back unchanged.
func TestOwnTextsAreShort(t *testing.T) {
	const more = 5000
	field := func(name string, form string, most *float64) calendar.Field {
		return calendar.Field{Kind: "events", Name: name, Key: "_host_" + name, Type: form, Max: most, Description: "What " + name + " is."}
	}
	w := newTown(t, registry.More{}, testdb.SiteA(t), "", field("remark", calendar.FieldText, nil),
		field("words", calendar.FieldText, bound(3000)), field("story", calendar.FieldText, bound(more)),
		field("names", calendar.FieldList, nil))
	_, id := w.sendWrite(t, "POST", "/events", `{"title":"Short","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00"}`)
	path, wide := fmt.Sprint("/events/", id), strings.Repeat("é", 2049)
	for _, body := range []string{
		`{"remark":"` + wide + `"}`, `{"words":"` + wide + `"}`, `{"names":["a","` + wide + `"]}`,
		`{"story":"` + strings.Repeat("s", more+1) + `"}`,
	} {
		if status := w.status(t, w.admin, path, body); status != 400 {
			t.Errorf("%.20s: %d", body, status)
		}
	}
	for _, body := range []string{
		`{"remark":"` + wide[2:] + `"}`, `{"names":["a","` + wide[2:] + `"]}`, `{"story":"` + strings.Repeat("s", more) + `"}`,
	} {
		if status := w.status(t, w.admin, path, body); status != 200 {
			t.Errorf("%.20s: %d", body, status)
		}
	}
	long := strings.Repeat("w", 4097)
	if _, err := w.db.NewRaw("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_host_remark'", long, id).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	part, _ := w.sendWrite(t, "PATCH", path, `{"remark":"`+long+`","story":""}`)
	shows(t, "sent back", part, `"remark":"`+long+`"`)
}

// TestWrongOwnFieldsAreRefused checks that an invalid declaration is rejected at startup, by name.
func TestWrongOwnFieldsAreRefused(t *testing.T) {
	right := calendar.Field{Kind: "events", Name: "seats", Key: "seats", Type: calendar.FieldNumber, Description: "Seats."}
	for want, change := range map[string]func(*calendar.Field){
		`Fields[0]: Name "": use lower-case`:                    func(f *calendar.Field) { f.Name = "" },
		`Fields[0] "Seats": Name "Seats": use`:                  func(f *calendar.Field) { f.Name = "Seats" },
		`Fields[0] "title": the name belongs to the API`:        func(f *calendar.Field) { f.Name = "title" },
		`Fields[0] "start_date": the name belongs to the API`:   func(f *calendar.Field) { f.Name = "start_date" },
		`Fields[0] "password": the name belongs to the API`:     func(f *calendar.Field) { f.Name = "password" },
		`the key "_eventurl" already has a meaning`:             func(f *calendar.Field) { f.Key = "_eventurl" },
		`the key "_EventVenueID" already has a meaning`:         func(f *calendar.Field) { f.Key = "_EventVenueID" },
		`the key "_wp_trash_meta_status" already has a meaning`: func(f *calendar.Field) { f.Key = "_wp_trash_meta_status" },
		`Key "": use letters`:                                   func(f *calendar.Field) { f.Key = "" },
		`Choices is empty`:                                      func(f *calendar.Field) { f.Type = calendar.FieldChoice },
		`Type "colour": use one of`:                             func(f *calendar.Field) { f.Type = "colour" },
		`Description is missing`:                                func(f *calendar.Field) { f.Description = "" },
		`Kind "users": use events, venues, organizers, categor`: func(f *calendar.Field) { f.Kind = "users" },
		`Fields[0] "sync_token": the name belongs to the API`:   func(f *calendar.Field) { f.Name = "sync_token" },
		`Fields[0] "near": the name belongs to the API`:         func(f *calendar.Field) { f.Name = "near" },
		`the key "_pingme" already has a meaning`:               func(f *calendar.Field) { f.Key = "_pingme" },
		`the key "_menu_item_url" already has a meaning`:        func(f *calendar.Field) { f.Key = "_menu_item_url" },
		`the key "_Thumbnail_id" already has a meaning`:         func(f *calendar.Field) { f.Key = "_Thumbnail_id" },
		`Fields[0] "description": the name belongs to the API`:  func(f *calendar.Field) { f.Kind, f.Name = "tags", "description" },
		`Fields[0] "hide_empty": the name belongs to the API`:   func(f *calendar.Field) { f.Kind, f.Name = "tags", "hide_empty" },
		`Min is greater than Max`:                               func(f *calendar.Field) { f.Min, f.Max = bound(2), bound(1) },
		`Example many: it is not a value`:                       func(f *calendar.Field) { f.Example = "many" },
	} {
		f := right
		change(&f)
		_, err := calendar.New(t.Context(), calendar.Options{Fields: []calendar.Field{f}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := calendar.New(t.Context(), calendar.Options{Fields: []calendar.Field{right, right}})
	if err == nil {
		t.Fatal("the same field twice was taken")
	}
	shows(t, "the same field twice", err.Error(), `Fields[1] "seats": another field of events has this name`,
		`another field of events has the key "seats"`)
}
