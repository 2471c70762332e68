package ical

import (
	"io"
	"strings"
)

// Bounds of what is read, so that no file takes all memory.
const (
	maxComponent  = 4 << 20 // bytes, about
	maxDepth      = 8       // of components in components
	maxProperties = 1000    // of a calendar
	maxFaults     = 100     // of a component
)

// Reader reads the components of iCalendar objects one after the other, whatever is wrong
// with the lines between them. The readers of arran4/golang-ical and emersion/go-ical end
// at the first wrong line, the former has the whole object in memory, and both forget
// where a line was.
type Reader struct {
	lines    *lineReader
	calendar *Component   // the one that is open, nil outside of any
	open     []*Component // of components in it, the outermost first
	size     int          // of open[0]
	skipped  int          // components that are open and too deep
	count    int          // calendars
	garbage  *Fault       // lines outside of components
	done     []*Component
	end      error
}

// Component is a component that was read.
type Component struct {
	Name       string // in upper case
	Line       int    // where it begins
	Calendar   int    // which VCALENDAR it is, or is in, from 1; 0 before the first one
	Properties []*Property
	Parts      []*Component
	Faults     []*Fault // what of it could not be read
	Broken     string   // why it is not whole, "" if it is
}

// Fault is what could not be read.
type Fault struct {
	Line   int
	Name   string // of the property or component, "" without one
	Reason string
}

func (f *Fault) Error() string { return f.Reason }

// NewReader returns a reader of iCalendar objects, of which there may be several.
func NewReader(r io.Reader) *Reader { return &Reader{lines: newLineReader(r)} }

// First returns the first property with a name, nil without one.
func (c *Component) First(name string) *Property {
	for _, p := range c.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Next returns the next component of a calendar, or the calendar itself with its own
// properties, which comes after all that is in it. Lines that belong to no component are a
// *Fault; the next call goes on after them. At the end it returns io.EOF.
func (r *Reader) Next() (*Component, error) {
	for {
		if f := r.garbage; f != nil && (len(r.done) > 0 || r.end != nil) {
			r.garbage = nil
			return nil, f
		}
		if len(r.done) > 0 {
			c := r.done[0]
			r.done = r.done[1:]
			return c, nil
		}
		if r.end != nil {
			return nil, r.end
		}
		line, err := r.lines.next()
		switch {
		case err == io.EOF:
			r.close("the file ends within it")
			r.end = err
		case err != nil:
			return nil, err
		default:
			r.line(line)
		}
	}
}

// line adds a content line.
func (r *Reader) line(l logical) {
	p, ok := parse(l.text)
	if !ok {
		r.fault(&Fault{l.number, "", "is no line of a calendar: " + clip(l.text)})
		return
	}
	p.Line, p.Cut = l.number, l.cut
	switch p.Name {
	case "BEGIN":
		r.begin(p)
	case "END":
		r.endOf(p)
	default:
		r.add(p)
	}
}

// fault notes what cannot be read: of the component, if it is in one. Of many lines
// outside of components, one after the other, it is the first.
func (r *Reader) fault(f *Fault) {
	if len(r.open) > 0 {
		if c := r.open[0]; len(c.Faults) < maxFaults {
			c.Faults = append(c.Faults, f)
		}
	} else if r.garbage == nil {
		r.garbage = f
	}
}

// topmost are the components that are in no other one.
var topmost = map[string]bool{
	"VEVENT": true, "VTODO": true, "VJOURNAL": true, "VFREEBUSY": true, "VTIMEZONE": true, "VAVAILABILITY": true,
}

func (r *Reader) begin(p *Property) {
	name := strings.ToUpper(strings.TrimSpace(p.Value))
	c := &Component{Name: name, Line: p.Line}
	switch {
	case name == "VCALENDAR":
		r.close("BEGIN:VCALENDAR comes before its end")
		r.count++
		r.calendar, c.Calendar = c, r.count
		return
	case len(r.open) > 0 && topmost[name]:
		r.finish("BEGIN:" + name + " comes before its end")
	case len(r.open) == maxDepth || r.skipped > 0:
		if r.skipped++; r.skipped == 1 {
			r.fault(&Fault{p.Line, name, "is too deep"})
		}
		return
	case len(r.open) > 0:
		if r.fits(p) {
			in := r.open[len(r.open)-1]
			in.Parts = append(in.Parts, c)
		}
	}
	if len(r.open) == 0 {
		r.size = 0
	}
	c.Calendar = r.count
	r.open = append(r.open, c)
}

func (r *Reader) endOf(p *Property) {
	name := strings.ToUpper(strings.TrimSpace(p.Value))
	if name == "VCALENDAR" {
		if r.calendar == nil && len(r.open) == 0 {
			r.fault(&Fault{p.Line, name, "ends and did not begin"})
			return
		}
		r.finish("END:VCALENDAR comes before its end")
		r.closeCalendar("")
		return
	}
	if r.skipped > 0 && !topmost[name] {
		r.skipped--
		return
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].Name != name {
			continue
		}
		if i < len(r.open)-1 {
			inner := r.open[i+1]
			r.fault(&Fault{inner.Line, inner.Name, "has no end"})
		}
		if i == 0 {
			r.finish("")
		}
		r.open, r.skipped = r.open[:i], 0
		return
	}
	r.fault(&Fault{p.Line, name, "ends and did not begin"})
}

// add adds a property to what is open.
func (r *Reader) add(p *Property) {
	switch {
	case r.skipped > 0:
	case len(r.open) > 0:
		if r.fits(p) {
			c := r.open[len(r.open)-1]
			c.Properties = append(c.Properties, p)
		}
	case r.calendar == nil:
		r.fault(&Fault{p.Line, p.Name, "is in no calendar"})
	case len(r.calendar.Properties) < maxProperties:
		r.calendar.Properties = append(r.calendar.Properties, p)
	default:
		r.fault(&Fault{p.Line, p.Name, "is one property of the calendar too many"})
	}
}

// fits counts a property of the outermost component and reports whether there is room for
// it. One that is too large is not whole.
func (r *Reader) fits(p *Property) bool {
	r.size += 200 + len(p.Value)
	for _, param := range p.Params {
		r.size += 50 + len(param.Name) + len(param.Value)
	}
	if r.size > maxComponent {
		r.open[0].Broken = "is larger than can be read"
	}
	return r.size <= maxComponent
}

// finish ends the component that is open. why says why it is not whole.
func (r *Reader) finish(why string) {
	if len(r.open) == 0 {
		return
	}
	c := r.open[0]
	if c.Broken == "" {
		c.Broken = why
	}
	r.open, r.skipped = nil, 0
	r.done = append(r.done, c)
}

// close ends all that is open.
func (r *Reader) close(why string) {
	r.finish(why)
	r.closeCalendar(why)
}

func (r *Reader) closeCalendar(why string) {
	if r.calendar != nil {
		r.calendar.Broken = why
		r.done = append(r.done, r.calendar)
		r.calendar = nil
	}
}

// clip returns the beginning of a text.
func clip(text string) string {
	const most = 40
	if runes := []rune(clean(text)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return clean(text)
}
