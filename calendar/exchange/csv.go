package exchange

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/celldate"
)

// DateOrder is the order of day, month and year in dates such as 03/04/2031.
type DateOrder int

// The orders of dates. With UnknownOrder, the order is taken from those dates of the file whose day is after the 12th.
// If there are none, or they contradict each other, ambiguous dates are rejected. ISO dates, dates with the name of the
// month and dates with points (3.4.2031, day first) are never ambiguous.
const (
	UnknownOrder DateOrder = iota
	DayFirst
	MonthFirst
)

// TableOptions are the options of CSV.
type TableOptions struct {
	// Calendar is the calendar whose fields and resources are accepted as columns. If it is nil, they are those that
	// all calendars have.
	Calendar *calendar.Calendar

	// Columns maps column names to fields, as ReadColumns returns it, and takes precedence over the names that CSV
	// knows.
	Columns map[string]string
	Dates   DateOrder

	// Zone is the time zone of events whose row names none, and whose times have no offset. nil means that of the site, and
	// for an event that is stored already, its own.
	Zone *time.Location
}

// CSV returns the events of a CSV file, one per row. The first row contains the names of the columns: those of the
// API's parameters (title, start_date, venue, venue.city, organizer.email, …, as CSVWriter writes them), of the CSV
// files of The Events Calendar (Event Name, Event Start Date, …) or of web and desktop calendars (Subject, Start Date,
// All day event, …). An unknown column is reported once, as a Problem. The separator is the most frequent of comma,
// semicolon and tab in the first row.
//
// Strings are read as the API reads them: titles and descriptions are HTML. A cell with several organizers, categories
// or tags separates them by commas; a name that contains a comma is quoted. A cell such as organizer.email then
// contains one part per organizer, separated in the same way. "Music > Jazz" is a category after its parent. A row
// without any time of day is an all-day event unless another column contradicts that. An apostrophe is removed from the
// start of a cell if it keeps spreadsheets from reading the cell as a formula.
func CSV(r io.Reader, name string, o TableOptions) Source {
	return &tableSource{TableOptions: o, columns: columnsOf(resourcesOf(o.Calendar)), name: name, input: r}
}

// tableSource is a Source that reads the rows of a CSV file.
type tableSource struct {
	TableOptions
	columns *columns
	name    string
	input   io.Reader
	file    *spool // a copy of input that can be read twice
	rows    *rowReader
	order   celldate.Order
	of      *resource      // the resource of the rows, nil if they are events
	named   map[string]int // how many rows had each name, if of is set
	fields  []string       // field of each column, "" for an ignored one
	names   []string       // name of each column, as in the file
	outlook bool           // all-day events end at midnight of the following day
	queue   []*Problem
	end     error // returned once queue is empty
	odd     bool  // a cell in a column without a name was already reported
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
		_ = s.file.Close()
		return nil, err
	}
	w := &row{s: s, line: line, cells: map[string]string{}}
	return w.readRecord(cells)
}

func (s *tableSource) problem(line int, item, field, reason string) *Problem {
	p := &Problem{Place: SourceLine{s.name, line}, Item: item, Field: field, Reason: reason}
	if s.of != nil {
		p.kind = s.of.Collection
	}
	return p
}

// header reads the names of the columns. Its error ends the source.
func (s *tableSource) header() (err error) {
	if s.file, err = spoolOf(s.input); err != nil {
		return err
	}
	if s.rows, err = newRowReader(s.file); err != nil {
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
		field := cmp.Or(mapped[key], s.columns.names[key])
		switch {
		case name == "":
		case field == "":
			refuse(name, "is an unknown column and is left out")
		case field == "-":
			field = ""
		case slices.Contains(s.fields, field):
			refuse(name, "is the second column for "+field+", and left out")
			field = ""
		}
		s.fields, s.names = append(s.fields, field), append(s.names, name)
		s.outlook = s.outlook || key == "subject"
	}
	s.of = s.kindOfRows()
	for _, field := range []string{fieldTitle, fieldStart} {
		if s.of != nil {
			break
		}
		if !slices.Contains(s.fields, field) {
			refuse(field, "no column has it, so nothing can be imported: a mapping can name the column")
			err = io.EOF
		}
	}
	if err != nil {
		return err
	}
	return s.rewound()
}

// kindOfRows returns the resource of the rows if they are no events: The Events Calendar has separate files for venues
// and organizers.
func (s *tableSource) kindOfRows() *resource {
	if slices.Contains(s.fields, fieldTitle) || slices.Contains(s.fields, fieldStart) {
		return nil
	}
	var found *resource
	for _, k := range s.columns.linked {
		if k.terms == nil && slices.Contains(s.fields, k.field) {
			if found != nil {
				return nil
			}
			found = k
		}
	}
	return found
}

// rewound determines the order of day and month in the dates of the file, then returns to the first row.
func (s *tableSource) rewound() (err error) {
	if err = s.file.rewind(); err == nil {
		err = s.surveyOrder()
	}
	if err == nil {
		err = s.file.rewind()
	}
	if err == nil {
		s.rows, err = newRowReader(s.file)
	}
	if err == nil {
		_, _, err = s.rows.next()
	}
	return err
}

// Close removes the temporary copy of an input that cannot be read twice.
func (s *tableSource) Close() error {
	s.end = cmp.Or(s.end, io.EOF)
	return s.file.Close()
}
