package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// Files as spreadsheets and other programs write them are read as the golden files show.
func TestTables(t *testing.T) {
	eachFile(t, "testdata/tables/*.csv", func(t *testing.T, file string) {
		text := must.Get(os.Open(file))(t)
		defer text.Close()
		o := TableOptions{}
		if mapping, err := os.Open(strings.TrimSuffix(file, ".csv") + ".toml"); err == nil {
			defer mapping.Close()
			o.Columns = must.Get(ReadColumns(mapping, nil))(t)
			o.Dates = DayFirst
		}
		wantGolden(t, strings.TrimSuffix(file, ".csv")+".txt", listRecords(t, CSV(text, filepath.Base(file), o)))
	})
}

func TestColumns(t *testing.T) {
	got, err := ReadColumns(strings.NewReader("\"Naam\" = \"Event Name\"\nZaal = \"venue\"\nIntern = \"-\"\n"), nil)
	if want := map[string]string{"Naam": "title", "Zaal": "venue", "Intern": "-"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %v", got, err)
	}
	for text, want := range map[string]string{"Naam = \"naam\"": `column "Naam": there is no field "naam"`, "Naam": "toml: "} {
		if _, err := ReadColumns(strings.NewReader(text), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRows(t *testing.T) {
	large := strings.NewReplacer("{cells}", strings.Repeat("x,", maxCells+1), "{long}", strings.Repeat("x", maxRow*3))
	golden.Each(t, "rows.txt", func(text, want string) {
		r := must.Get(newRowReader(strings.NewReader(large.Replace(text))))(t)
		got := ""
		for {
			cells, line, err := r.next()
			if err == io.EOF {
				break
			} else if err != nil {
				got += fmt.Sprintf(" %d!%v", line, err)
				continue
			}
			got += fmt.Sprintf(" %d%v", line, cells)
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	})
}

// D70: a cell may contain several occurrences; what they leave out is taken from the row's own start and end.
func TestD70DatesInCells(t *testing.T) {
	const row = "title,start_date,end_date,all_day,dates\nA,%s,%s"
	times := map[string]string{"timed": "2026-12-05 19:00,2026-12-05 21:30,", "days": "2026-12-05,2026-12-06,yes"}
	golden.Each(t, "dates-in-cells.txt", func(of, cell, want string) {
		rec, err := CSV(strings.NewReader(fmt.Sprintf(row, times[of], `"`+cell+`"`)), "a.csv", TableOptions{}).Next(t.Context())
		got := ""
		if problem := (*Problem)(nil); errors.As(err, &problem) {
			got = problem.Field + ": " + problem.Reason
		} else if err == nil {
			cells := map[string]string{}
			dateCells(cells, rec.Values)
			got = cells[fieldDates]
		}
		golden.Equal(t, cell, got, want)
	})
}

func TestDatesOfTables(t *testing.T) {
	golden.Each(t, "table-dates.txt", func(cells, want string) {
		text := "title,start_date,start_time,end_date,end_time,all_day\nA"
		for cell := range strings.SplitSeq(cells, "|") {
			text += `,"` + cell + `"`
		}
		rec, err := CSV(strings.NewReader(text), "a.csv", TableOptions{}).Next(t.Context())
		got := ""
		var problem *Problem
		if errors.As(err, &problem) {
			got = problem.Field + ": " + problem.Reason
		} else if err == nil {
			got = fmt.Sprint(rec.Values["start_date"], " ", rec.Values["end_date"], " ", rec.Values["all_day"])
		}
		golden.Equal(t, cells, got, want)
	})
	for order, want := range map[DateOrder]string{DayFirst: "2031-04-03 00:00:00", MonthFirst: "2031-03-04 00:00:00"} {
		s := CSV(strings.NewReader("title,start_date\nA,03/04/2031"), "a.csv", TableOptions{Dates: order})
		if rec, err := s.Next(t.Context()); err != nil || rec.Values["start_date"] != want {
			t.Errorf("%v %v", rec, err)
		}
	}
}

// Names are HTML, in which filtering turns "&" into "&amp;". A row contains the plain "&", so that an export that is
// imported again stores the same name.
func TestAmpersandsInRows(t *testing.T) {
	first, other := emptySite(t), emptySite(t)
	first.make(t, `{"title":"Rock & roll","start_date":"2031-05-03","venue":{"venue":"Ink & Co","address":"Rue A & B"},
		"end_date":"2031-05-03","organizer":[{"organizer":"Pen &amp; Paper","phone":"1 & 2"},{"organizer":"R&amp;lt;D"}],
		"categories":["Cats & dogs"],"tags":["A&amp;lt;B"]}`)
	text := first.export(t, FormatCSV)
	for _, want := range []string{",Rock & roll,", ",Ink & Co,", ",Rue A & B,", `"Pen & Paper, R&amp;lt;D"`, ",Cats & dogs,A&amp;lt;B"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	source := func() Source { return CSV(strings.NewReader(text), "a.csv", TableOptions{}) }
	other.load(t, source())
	if again := other.export(t, FormatCSV); again != text {
		t.Errorf("came back as\n%s\nwas\n%s", again, text)
	}
	wantUnchanged(t, other, source())
}

// recordGenerator draws records that a CSV row can represent.
func recordGenerator() *rapid.Generator[*Record] {
	some := rapid.StringOfN(rapid.RuneFrom([]rune("aé,;\"'=+-@ \n\t<>0")), 1, 12, -1)
	text := rapid.Custom(func(t *rapid.T) string { return "x" + some.Draw(t, "text") + "x" })
	edge := rapid.Custom(func(t *rapid.T) string { return some.Draw(t, "text") + "x" })
	name := rapid.SampledFrom([]string{"Music", "Food, drinks", `The "Hall"`, "=1", "'t Hoekje", "a > b", "1"})
	linked := func(kind Collection, title string, texts ...string) *rapid.Generator[*Record] {
		return rapid.Custom(func(t *rapid.T) *Record {
			rec := &Record{Kind: kind, Values: map[string]any{title: name.Draw(t, "name")}}
			for _, field := range texts {
				if rapid.Bool().Draw(t, field) {
					rec.Values[field] = text.Draw(t, field)
				}
			}
			if rapid.Bool().Draw(t, "website") {
				rec.Values["website"] = "https://x.test/?a=1,2"
			}
			return rec
		})
	}
	return rapid.Custom(func(t *rapid.T) *Record {
		rec := &Record{Kind: Events, Values: map[string]any{"title": edge.Draw(t, "title")}}
		rec.UID, rec.Language = edge.Draw(t, "uid"), rapid.SampledFrom([]string{"", "nl"}).Draw(t, "language")
		rec.Values["start_date"], rec.Values["end_date"] = "2031-05-01 10:00:00", "2031-05-02 10:00:00"
		if rapid.Bool().Draw(t, "all day") {
			rec.Values["all_day"], rec.Values["start_date"], rec.Values["end_date"] = true, "2031-05-01 00:00:00", "2031-05-02 23:59:59"
		}
		for _, f := range resourcesOf(nil).events.fields {
			switch given := !slices.Contains(leading, f.Name) && f.Name != fieldWebsite && rapid.Bool().Draw(t, f.Name); {
			case given && f.form == item.FormText:
				rec.Values[f.Name] = edge.Draw(t, f.Name)
			case given && f.form == item.FormFlag:
				rec.Values[f.Name] = rapid.Bool().Draw(t, f.Name)
			}
		}
		rec.Values["author"] = json.Number("2")
		rec.Values["cost"] = rapid.SampledFrom([]any{"€ 10,50", []any{"5", "10"}}).Draw(t, "cost")
		rec.State = rapid.SampledFrom([]string{"", StateCanceled}).Draw(t, "state")
		rec.Image = rapid.SampledFrom([]string{"", "https://x.test/a.jpg"}).Draw(t, "image")
		if rapid.Bool().Draw(t, "venue") {
			venue := linked(Venues, "venue", "address", "city", "zip").Draw(t, "venue")
			venue.Values["show_map"], venue.Position = false, &Position{51.05, -3.72}
			rec.link(Venues, venue)
		}
		rec.link(Organizers, rapid.SliceOfN(linked(Organizers, "organizer", "email", "phone"), 0, 3).Draw(t, "organizers")...)
		for _, kind := range []Collection{Categories, Tags} {
			for range rapid.IntRange(0, 3).Draw(t, "terms") {
				term := &Record{Values: map[string]any{"name": strings.ReplaceAll(name.Draw(t, "term"), " > ", ">")}}
				if kind == Categories && rapid.Bool().Draw(t, "parent") {
					term.Parent = &Record{Values: map[string]any{"name": "Culture, all"}}
				}
				rec.link(kind, term)
			}
		}
		return rec
	})
}

// Records that are written as rows are read back unchanged.
func TestTablesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(recordGenerator(), 0, 3).Draw(t, "records")
		var b bytes.Buffer
		w := NewCSVWriter(&b, nil)
		for _, rec := range records {
			must.Succeed(t, w.Write(rec))
		}
		must.Succeed(t, w.Close())
		s := CSV(&b, "", TableOptions{})
		for _, rec := range records {
			got := must.Get(s.Next(t.Context()))(t)
			if got, want := recordText(got), recordText(rec); got != want {
				t.Errorf("%s, want\n%s", got, want)
			}
		}
		if _, err := s.Next(t.Context()); err != io.EOF {
			t.Error(err)
		}
	})
}

// recordText returns a record as a string for comparison, without its place in the source.
func recordText(rec *Record) string {
	parts := []string{fmt.Sprintf("%q %q %q %v", rec.UID, rec.Language, rec.Image+rec.State, len(rec.Problems))}
	if rec.Position != nil {
		parts = append(parts, fmt.Sprint(*rec.Position))
	}
	for _, name := range slices.Sorted(maps.Keys(rec.Values)) {
		parts = append(parts, fmt.Sprintf("%s=%#v", name, rec.Values[name]))
	}
	for _, linked := range allLinked(rec) {
		for ; linked != nil; linked = linked.Parent {
			parts = append(parts, recordText(linked))
		}
	}
	return strings.Join(parts, "\n")
}

func TestWritesNoOtherRows(t *testing.T) {
	for _, rec := range []*Record{
		{Kind: Venues}, {Kind: Events, Values: map[string]any{"unknown": "x"}}, {Kind: Events, Values: map[string]any{"title": 1.5}},
		{Kind: Events, Linked: map[Collection][]*Record{Venues: {{}, {}}}},
		{Kind: Events, Linked: map[Collection][]*Record{Organizers: {{Values: map[string]any{"city": "x"}}}}},
		{Kind: Events, Linked: map[Collection][]*Record{"patrons": {{}}}},
	} {
		if err := NewCSVWriter(io.Discard, nil).Write(rec); err == nil {
			t.Errorf("%v is written", rec)
		}
	}
	var b bytes.Buffer
	if err := NewCSVWriter(&b, nil).Close(); err != nil || !strings.HasPrefix(b.String(), "uid,language,group,title,") {
		t.Errorf("%s %v", b.String(), err)
	}
}

// FuzzCSV reads arbitrary input: each well-formed row becomes a record or a problem.
func FuzzCSV(f *testing.F) {
	f.Add("title,start_date,organizer,categories,cost\nA,2031-05-01,\"a, b\",\"x > y, \"\"z\"\"\",1 | 2\n", 0)
	f.Add("Subject;Start Date;End Date;All day event;Location;Private\n\"A\nB\";03/04/2031;5/1/2031 0:00:00;TRUE;a, b;FALSE", 1)
	f.Add("\"title\nstart_date", 2)
	f.Add("\xFF\xFEt\x00i\x00", 0)
	f.Fuzz(func(t *testing.T, text string, order int) {
		r := must.Get(newRowReader(strings.NewReader(text)))(t)
		rows := -1 // the header is not counted
		for ; ; rows++ {
			if _, _, err := r.next(); err == io.EOF {
				break
			}
		}
		s, got, ended := CSV(strings.NewReader(text), "a.csv", TableOptions{Dates: DateOrder(order)}), 0, false
		for {
			rec, err := s.Next(t.Context())
			var problem *Problem
			if err == io.EOF {
				break
			} else if errors.As(err, &problem) {
				ended = ended || strings.HasSuffix(problem.Reason, "nothing can be imported") ||
					problem.Place.Line <= 1 && problem.Field == "row"
				if problem.Place.Line > 1 {
					got++
				}
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			got++
			if rec.Values["title"] == "" || rec.Values["start_date"] == nil {
				t.Errorf("%v", rec)
			}
		}
		if got < rows && !ended {
			t.Errorf("%d of %d rows of %q", got, rows, text)
		}
	})
}

// TestZoneOfTables checks that OpenOptions.Zone is that of rows without a zone of their own.
func TestZoneOfTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.csv")
	must.Succeed(t, os.WriteFile(file, []byte(`title,start_date,end_date,timezone
Plain,2031-05-01 19:30,2031-05-01 21:00,
Named,2031-05-01 19:30,2031-05-01 21:00,Asia/Tokyo
Offset,2031-05-01T19:30:00Z,2031-05-01T21:00:00Z,
Day,2031-05-01,2031-05-02,
`), 0o600))
	zone := must.Get(time.LoadLocation("America/Lima"))(t)
	src := must.Get(Open(t.Context(), file, OpenOptions{Zone: zone}))(t)
	defer src.Close()
	for _, want := range []any{"America/Lima", "Asia/Tokyo", nil, "America/Lima"} {
		if rec := must.Get(src.Next(t.Context()))(t); rec.Values[fieldZone] != want {
			t.Errorf("%v: the zone is %v, want %v", rec.Values[fieldTitle], rec.Values[fieldZone], want)
		}
	}
}

// TestUnknownStatus checks that an event with a word that is no status becomes a draft, and that the import lists the word.
func TestUnknownStatus(t *testing.T) {
	const rows = "title,start_date,end_date,status\nMisspelt,2031-05-01,2031-05-01,publsh\n"
	_, all := emptySite(t).load(t, CSV(strings.NewReader(rows), "a.csv", TableOptions{}))
	wantActions(t, all, Created)
	if got := fmt.Sprint(all[0].Notes); got != `[its source calls it "publsh": it is draft: Misspelt]` {
		t.Error(got)
	}
}

// TestNotesOnTimes checks that an import lists, with line and column, the times that it ignored or had to assume.
func TestNotesOnTimes(t *testing.T) {
	const rows = `Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event
Timed,2031-05-01,19:30,2031-05-01,21:00,TRUE
Whole,2031-05-02,00:00,2031-05-02,23:59,TRUE
No start,2031-05-03,,2031-05-03,22:00,
End alone,2031-05-04,,,22:00,
Denied,2031-05-05,,2031-05-05,,FALSE
No end,2031-05-06,19:30,2031-05-08,,
One day,2031-05-07,19:30,2031-05-07,,
Night,2031-05-08,22:00,,01:00,
Days,2031-05-09,,2031-05-10,,
Timed days,2031-05-10,19:30,2031-05-11,21:00,
`
	src, got := CSV(strings.NewReader(rows), "a.csv", TableOptions{}), ""
	for range strings.Count(rows, "\n") - 1 {
		rec := must.Get(src.Next(t.Context()))(t)
		for _, note := range rec.notes {
			got += fmt.Sprintf("%s: %s\n", rec.Line, note)
		}
		if len(rec.Problems) > 0 {
			t.Errorf("%s: %v", rec.Line, rec.Problems)
		}
	}
	const want = `a.csv:2: "Timed" All Day Event: is all day, so its times are ignored
a.csv:4: "No start" Event Start Date: has no time, and the event is not all day: it starts at 00:00
a.csv:5: "End alone" Event Start Date: has no time, and the event is not all day: it starts at 00:00
a.csv:6: "Denied" Event Start Date: has no time, and the event is not all day: it starts at 00:00
a.csv:7: "No end" Event End Date: has no time: it is that of the start
a.csv:9: "Night" Event End Time: is earlier than the start and has no date: the event ends on the next day
`
	if got != want {
		t.Errorf("%swant\n%s", got, want)
	}
}

// TestSymbolsOfCosts checks that a currency symbol in a column of its own becomes a part of each cost in digits, and that
// the import lists one that belongs to none, as the API stores no symbol alone.
func TestSymbolsOfCosts(t *testing.T) {
	for cells, want := range map[string]string{
		"10,€,": "€10 []", "10,€,suffix": "10 € []", "5 | 10 | free,€,": "[€5 €10 free] []", "5 | 10,,": "[5 10] []", "10 €,€,": "10 € []",
		",€,":     `<nil> ["A" cost_symbol: belongs to no cost in digits, and is left out: €]`,
		"free,€,": `free ["A" cost_symbol: belongs to no cost in digits, and is left out: €]`,
	} {
		s := CSV(strings.NewReader("title,start_date,cost,cost_symbol,cost_position\nA,2031-05-01,"+cells+"\n"), "a.csv", TableOptions{})
		rec := must.Get(s.Next(t.Context()))(t)
		golden.Equal(t, cells, fmt.Sprint(rec.Values[fieldCost], " ", rec.notes), want)
	}
}
