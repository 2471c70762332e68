package exchange

import "os"

// openICalendar returns the source of an iCalendar file.
func openICalendar(f *os.File, name string, o OpenOptions) Source {
	return ICalendar(f, name, CalendarOptions{Zone: o.Zone, Now: o.Now, Expand: o.Expand})
}

func openCSV(_ *os.File, name string, _ OpenOptions) (Source, error) {
	return JSONLines(nil, name), nil
}
