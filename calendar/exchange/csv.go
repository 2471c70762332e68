package exchange

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/linked"
)

// DateOrder is the order of day, month and year in dates such as 03/04/2031.
type DateOrder int

// The orders. Without one, dates are refused that have two meanings; ISO dates, those with
// the name of the month, with points (3.4.2031, the day first) and with a day after the
// 12th have one.
const (
	UnknownOrder DateOrder = iota
	DayFirst
	MonthFirst
)

// TableOptions are options of CSV.
type TableOptions struct {
	// Columns are the fields of columns whose names say it not, as ReadColumns returns
	// them; they precede what the names say.
	Columns map[string]string
	Dates   DateOrder
}

// CSV returns the events of a CSV file, one of each row. The first row has the names of the
// columns: those of the API's parameters (title, start_date, venue, venue.city,
// organizer.email, …, as CSVWriter writes them), of the CSV files of the site's own plugin
// (Event Name, Event Start Date, …) or of web calendars and desktop suites (Subject, Start
// Date, All day event, …). A column that is none of them is a Problem, once. The cells are
// separated by what the first row has most of comma, semicolon and tab.
//
// Texts are taken as the API takes them: titles and descriptions hold HTML. A cell with
// several organizers, categories or tags has them separated by commas, and in quotes where
// a name has one itself; "Music > Jazz" is a category and its parent. A row without any time
// is an event of whole days if it does not say otherwise. An apostrophe before a cell that
// a spreadsheet would take for a formula is left out.
func CSV(r io.Reader, name string, o TableOptions) Source {
	return &tableSource{TableOptions: o, name: name, input: r}
}

// tableSource is a Source of the rows of a CSV file.
type tableSource struct {
	TableOptions
	name    string
	input   io.Reader
	rows    *rowReader
	fields  []string // of the columns, "" for none
	names   []string // of the columns, as the file has them
	outlook bool     // whole days end at midnight, on the day after
	queue   []*Problem
	end     error // after the queue
	odd     bool  // a cell in a column without a name was reported
}

// Next returns the record of the next row.
func (s *tableSource) Next(ctx context.Context) (*Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.rows == nil && s.end == nil {
		s.end = s.header()
	}
	if len(s.queue) > 0 {
		p := s.queue[0]
		s.queue = s.queue[1:]
		return nil, p
	}
	if s.end != nil {
		return nil, s.end
	}
	cells, line, err := s.rows.next()
	switch {
	case errors.Is(err, errQuote), errors.Is(err, errLongRow), errors.Is(err, errManyCell):
		return nil, s.problem(line, "", "row", err.Error())
	case err != nil:
		s.end = err
		return nil, err
	}
	w := &row{s: s, line: line, cells: map[string]string{}}
	return w.read(cells)
}

func (s *tableSource) problem(line int, item, field, reason string) *Problem {
	return &Problem{Place: SourceLine{s.name, line}, Item: item, Field: field, Reason: reason}
}

// header reads the names of the columns. It returns what ends the source.
func (s *tableSource) header() (err error) {
	if s.rows, err = newRowReader(s.input); err != nil {
		return err
	}
	names, line, err := s.rows.next()
	refuse := func(field, reason string) {
		p := s.problem(line, "", field, reason)
		p.part = true
		s.queue = append(s.queue, p)
	}
	switch {
	case err == io.EOF:
		refuse("row", "there is none")
		return io.EOF
	case errors.Is(err, errQuote), errors.Is(err, errLongRow), errors.Is(err, errManyCell):
		refuse("row", err.Error())
		return io.EOF
	case err != nil:
		return err
	}
	mapped := map[string]string{}
	for name, field := range s.Columns {
		mapped[columnKey(name)] = field
	}
	for _, name := range names {
		name = strings.TrimSpace(name)
		key := columnKey(name)
		field := cmp.Or(mapped[key], aliases[key])
		switch {
		case name == "":
		case field == "":
			refuse(name, "is a column that is not known, and left out")
		case field == "-":
			field = ""
		case slices.Contains(s.fields, field):
			refuse(name, "is the second column for "+field+", and left out")
			field = ""
		}
		s.fields, s.names = append(s.fields, field), append(s.names, name)
		s.outlook = s.outlook || key == "subject"
	}
	for _, field := range []string{fieldTitle, fieldStart} {
		if !slices.Contains(s.fields, field) {
			refuse(field, "no column is it, so that nothing can be imported")
			err = io.EOF
		}
	}
	return err
}

// row is a row that is read.
type row struct {
	s     *tableSource
	line  int
	cells map[string]string // by field, without empty ones
	rec   *Record
}

// read returns the record of the row.
func (w *row) read(cells []string) (*Record, error) {
	w.rec = &Record{Kind: Events, Line: SourceLine{w.s.name, w.line}, Values: map[string]any{}}
	for i, cell := range cells {
		switch {
		case strings.TrimSpace(cell) == "":
		case i >= len(w.s.fields):
			w.problem("row", "a cell is in no column: "+clipped(cell))
		case w.s.names[i] == "":
			if !w.s.odd {
				w.s.odd = true
				w.problem("row", "a cell is in a column without a name: "+clipped(cell))
			}
		case w.s.fields[i] != "":
			w.cells[w.s.fields[i]] = unguarded(cell)
		}
	}
	w.rec.UID, w.rec.Language, w.rec.Group = w.cells[fieldUID], w.cells[fieldLanguage], w.cells[fieldGroup]
	if w.cells[fieldTitle] == "" {
		return nil, w.refuse(fieldTitle, "is missing, and an event needs a title")
	}
	w.rec.Values[fieldTitle] = w.cells[fieldTitle]
	if field, reason := w.dates(); reason != "" {
		return nil, w.refuse(field, reason)
	}
	for _, name := range eventTexts {
		w.take(w.rec.Values, name, name)
	}
	for _, name := range eventFlags {
		if on, given := w.flag(name); given {
			w.rec.Values[name] = on
		}
	}
	w.state()
	w.cost()
	w.website(w.rec.Values, fieldWebsite, fieldWebsite)
	w.rec.Image = w.image(fieldImage)
	w.places()
	w.rec.Categories = w.terms(fieldCategories, Categories)
	w.rec.Tags = w.terms(fieldTags, Tags)
	return w.rec, nil
}

// refuse returns why the row is not imported.
func (w *row) refuse(field, reason string) *Problem {
	if i := slices.Index(w.s.fields, field); i >= 0 {
		field = w.s.names[i]
	}
	return w.s.problem(w.line, w.cells[fieldTitle], field, reason)
}

// problem notes a part that is left out.
func (w *row) problem(field, reason string) {
	w.rec.Problems = append(w.rec.Problems, w.refuse(field, reason))
}

// take puts a cell into values as it is.
func (w *row) take(values map[string]any, name, field string) {
	switch cell := w.cells[field]; {
	case cell == "":
	case name == "author":
		if strings.Trim(cell, "0123456789") != "" {
			w.problem(field, "is no number of a user: "+clipped(cell))
			return
		}
		values[name] = json.Number(cell)
	default:
		values[name] = cell
	}
}

// Words for yes and no, in small letters.
var (
	yesWords = []string{"true", "1", "yes", "y", "x", "on", "ja", "oui", "waar", "vrai", "private", "confidential", "personal"}
	noWords  = []string{"false", "0", "no", "n", "off", "nee", "non", "onwaar", "faux", "normal", "public"}
)

// flag reads a yes or no.
func (w *row) flag(field string) (on, given bool) {
	switch cell := strings.ToLower(strings.TrimSpace(w.cells[field])); {
	case cell == "":
	case slices.Contains(yesWords, cell):
		return true, true
	case slices.Contains(noWords, cell):
		return false, true
	default:
		w.problem(field, "is neither yes nor no: "+clipped(cell))
	}
	return false, false
}

// state reads whether the event takes place and who may see it.
func (w *row) state() {
	switch state := strings.ToLower(w.cells[fieldState]); state {
	case "", "scheduled":
	case StateCanceled, StatePostponed:
		w.rec.State = state
	case "cancelled":
		w.rec.State = StateCanceled
	default:
		w.problem(fieldState, "is no state of an event: "+clipped(state))
	}
	private, _ := w.flag(fieldPrivate)
	if sensitive, _ := w.flag(fieldSensitive); private || sensitive {
		w.rec.Values[fieldStatus] = "private"
	}
}

// severalCosts separates costs in a cell.
const severalCosts = " | "

// cost reads the cost, with its sign where that has a column of its own.
func (w *row) cost() {
	cell, symbol := w.cells[fieldCost], w.cells[fieldSymbol]
	switch {
	case cell == "":
		return
	case strings.Contains(cell, severalCosts):
		list := []any{}
		for one := range strings.SplitSeq(cell, severalCosts) {
			list = append(list, one)
		}
		w.rec.Values[fieldCost] = list
		return
	case symbol == "" || strings.Trim(cell, "0123456789.,- ") != "":
	case slices.Contains([]string{"suffix", "postfix"}, strings.ToLower(strings.TrimSpace(w.cells[fieldPosition]))):
		cell += " " + symbol
	default:
		cell = symbol + cell
	}
	w.rec.Values[fieldCost] = cell
}

// website reads an address.
func (w *row) website(values map[string]any, name, field string) {
	cell := w.cells[field]
	if cell == "" {
		return
	}
	if _, err := linked.CheckWebsite(context.Background(), cell); err != nil {
		if cell = webAddress(cell); cell == "" {
			w.problem(field, "is no web address: "+clipped(w.cells[field]))
			return
		}
	}
	values[name] = cell
}

// image reads the address of a picture.
func (w *row) image(field string) string {
	if cell := w.cells[field]; cell != "" && webAddress(cell) == "" {
		w.problem(field, "is no web address of a picture: "+clipped(cell))
		return ""
	}
	return w.cells[field]
}

// items splits a cell with several names. One that has quotes in other places than names
// is a single name.
func items(cell string) []string {
	if !strings.Contains(cell, `"`) {
		cell = strings.ReplaceAll(cell, "\n", ",")
	}
	r := csv.NewReader(strings.NewReader(cell))
	r.TrimLeadingSpace = true
	list, err := r.Read()
	if err != nil {
		return []string{cell}
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// places reads venue and organizers.
func (w *row) places() {
	if text := w.cells[fieldLocation]; text != "" && w.cells[fieldVenue] == "" {
		name, address, _ := strings.Cut(text, ",")
		w.cells[fieldVenue] = strings.TrimSpace(name)
		if address = strings.TrimSpace(address); w.cells["venue.address"] == "" && address != "" {
			w.cells["venue.address"] = address
		}
	}
	if venue := w.linked(Venues, fieldVenue, venueFields, w.cells[fieldVenue], nil); venue != nil {
		latitude, longitude := w.cells[fieldLatitude], w.cells[fieldLongitude]
		if latitude != "" || longitude != "" {
			if venue.Position = positionOf(latitude+";"+longitude, ";"); venue.Position == nil {
				w.problem(fieldLatitude, "is no position: "+clipped(latitude+", "+longitude))
			}
		}
		w.rec.Venues = []*Record{venue}
	}
	names := items(w.cells[fieldOrganizer])
	if cell := w.cells[fieldMeeting]; cell != "" && w.cells[fieldOrganizer] == "" {
		names = []string{cell} // Outlook writes "Peeters, An"
	}
	for i, name := range names {
		each := func(cell string) string {
			list := items(cell)
			switch {
			case len(names) == 1:
				return cell
			case len(list) == len(names):
				return list[i]
			}
			return ""
		}
		if organizer := w.linked(Organizers, fieldOrganizer, organizerFields, name, each); organizer != nil {
			w.rec.Organizers = append(w.rec.Organizers, organizer)
		}
	}
	if len(names) > 1 {
		for _, name := range append(slices.Clone(organizerFields), fieldImage) {
			field := fieldOrganizer + "." + name
			if cell := w.cells[field]; cell != "" && len(items(cell)) != len(names) {
				w.problem(field, "has not one part for each organizer")
			}
		}
	}
}

// linked returns a venue or organizer with its fields, nil without a name. part returns
// what of a cell is its own, nil for all.
func (w *row) linked(kind Collection, prefix string, names []string, name string, part func(string) string) *Record {
	if name == "" {
		for _, field := range names {
			if w.cells[prefix+"."+field] != "" && w.cells[prefix] == "" {
				w.problem(prefix+"."+field, "is of something without a name")
			}
		}
		return nil
	}
	rec := &Record{Kind: kind, Line: w.rec.Line, Values: map[string]any{prefix: name}}
	own := &row{s: w.s, line: w.line, cells: map[string]string{fieldTitle: w.cells[fieldTitle]}, rec: w.rec}
	for _, field := range append(slices.Clone(names), fieldImage) {
		cell := w.cells[prefix+"."+field]
		if part != nil {
			cell = part(cell)
		}
		own.cells[prefix+"."+field] = cell
		switch field {
		case fieldImage:
			rec.Image = own.image(prefix + "." + field)
		case "website":
			own.website(rec.Values, field, prefix+"."+field)
		case "show_map", "show_map_link":
			if on, given := own.flag(prefix + "." + field); given {
				rec.Values[field] = on
			}
		default:
			own.take(rec.Values, field, prefix+"."+field)
		}
	}
	return rec
}

// below separates a category from its parent, which is before it.
const below = " > "

// terms reads categories or tags.
func (w *row) terms(field string, kind Collection) (terms []*Record) {
	if w.cells[field] == "" {
		return nil
	}
	list := items(w.cells[field])
	if w.s.outlook && len(list) == 1 {
		list = strings.Split(list[0], ";")
	}
	for _, path := range list {
		var term *Record
		parts := []string{path}
		if kind == Categories {
			parts = strings.Split(path, below)
		}
		for _, name := range parts {
			if name = strings.TrimSpace(name); name != "" {
				term = &Record{Kind: kind, Line: w.rec.Line, Values: map[string]any{"name": name}, Parent: term}
			}
		}
		if term != nil {
			terms = append(terms, term)
		}
	}
	return terms
}

// guarded are the characters with which spreadsheets begin a formula.
const guarded = "=+-@\t\r'"

// guard returns a cell that no spreadsheet takes for a formula.
func guard(cell string) string {
	if cell != "" && strings.IndexByte(guarded, cell[0]) >= 0 {
		return "'" + cell
	}
	return cell
}

// unguarded returns what guard was given.
func unguarded(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.IndexByte(guarded, cell[1]) >= 0 {
		return cell[1:]
	}
	return cell
}
