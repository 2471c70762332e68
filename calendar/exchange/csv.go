package exchange

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/celldate"
)

// DateOrder is the order of day, month and year in dates such as 03/04/2031.
type DateOrder int

// The orders. Without one it is that of the file's dates with a day after the 12th, unless they
// contradict each other, and what has two meanings then is refused; ISO dates, those with
// the name of the month and with points (3.4.2031, the day first) have one.
const (
	UnknownOrder DateOrder = iota
	DayFirst
	MonthFirst
)

// TableOptions are options of CSV.
type TableOptions struct {
	// Calendar is the one whose fields and kinds are columns; nil for those that all calendars have.
	Calendar *calendar.Calendar

	// Columns are the fields of columns whose names say it not, as ReadColumns returns
	// them; they precede what the names say.
	Columns map[string]string
	Dates   DateOrder
}

// CSV returns the events of a CSV file, one of each row. The first row has the names of the
// columns: those of the API's parameters (title, start_date, venue, venue.city,
// organizer.email, …, as CSVWriter writes them), of the CSV files of the site's own software
// (Event Name, Event Start Date, …) or of web calendars and desktop suites (Subject, Start
// Date, All day event, …). A column that is none of them is a Problem, once. The cells are
// separated by what the first row has most of comma, semicolon and tab.
//
// Texts are taken as the API takes them: titles and descriptions hold HTML. A cell with
// several organizers, categories or tags has them separated by commas, and in quotes where
// a name has one itself, and a cell such as organizer.email then has a part for each in the same
// way; "Music > Jazz" is a category and its parent. A row without any time
// is an event of whole days if it does not say otherwise. An apostrophe before a cell that
// a spreadsheet would take for a formula is left out.
func CSV(r io.Reader, name string, o TableOptions) Source {
	return &tableSource{TableOptions: o, columns: columnsOf(kindsOf(o.Calendar)), name: name, input: r}
}

// tableSource is a Source of the rows of a CSV file.
type tableSource struct {
	TableOptions
	columns *columns
	name    string
	input   io.Reader
	file    *spool // of input
	rows    *rowReader
	order   celldate.Order
	of      *kind          // whose items the rows are, nil for events
	named   map[string]int // rows of these by their names
	fields  []string       // of the columns, "" for none
	names   []string       // of the columns, as the file has them
	outlook bool           // whole days end at midnight, on the day after
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
		_ = s.file.Close()
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
	s.of = s.kindOfRows()
	for _, field := range []string{fieldTitle, fieldStart} {
		if s.of != nil {
			break
		}
		if !slices.Contains(s.fields, field) {
			refuse(field, "no column is it, so that nothing can be imported")
			err = io.EOF
		}
	}
	if err != nil {
		return err
	}
	return s.rewound()
}

// kindOfRows returns the kind whose items the rows are if there are no events in them: venues or organizers, as the plugin has
// files of their own for them.
func (s *tableSource) kindOfRows() *kind {
	if slices.Contains(s.fields, fieldTitle) || slices.Contains(s.fields, fieldStart) {
		return nil
	}
	var found *kind
	for _, k := range s.columns.linked {
		if k.posts != nil && slices.Contains(s.fields, k.field) {
			if found != nil {
				return nil
			}
			found = k
		}
	}
	return found
}

// rewound finds the order of day and month in the dates of the file, and goes back to its first row.
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

// Close removes the copy of what cannot be read twice.
func (s *tableSource) Close() error {
	s.end = cmp.Or(s.end, io.EOF)
	return s.file.Close()
}
