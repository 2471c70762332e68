package exchange

import (
	"cmp"
	"context"
	"fmt"
	"os"
)

// openICalendar returns the source of an iCalendar file.
func openICalendar(f *os.File, name string, o OpenOptions) Source {
	return ICalendar(f, name, CalendarOptions{Zone: cmp.Or(o.Zone, o.site), Now: o.Now, Expand: o.Expand})
}

// openCSV returns the source of a CSV file.
func openCSV(f *os.File, name string, o OpenOptions) (Source, error) {
	t := TableOptions{Calendar: o.Calendar, Dates: o.Dates, Zone: o.Zone}
	if o.Mapping != "" {
		mapping, err := os.Open(o.Mapping)
		if err != nil {
			return nil, fmt.Errorf("%w: the mapping: %w", ErrSource, err)
		}
		defer mapping.Close()
		if t.Columns, err = ReadColumns(mapping, o.Calendar); err != nil {
			return nil, fmt.Errorf("%w: the mapping %s: %w", ErrSource, o.Mapping, err)
		}
	}
	return rowsOf{CSV(f, name, t)}, nil
}

// rowsOf marks each record of a source as partial, because a row contains only what its file has columns for.
type rowsOf struct{ Source }

// Next returns the record of the next row.
func (s rowsOf) Next(ctx context.Context) (*Record, error) {
	rec, err := s.Source.Next(ctx)
	if rec != nil {
		rec.Partial = true
	}
	return rec, err
}
