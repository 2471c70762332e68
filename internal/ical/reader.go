package ical

import (
	"io"
	"strings"
)

// Limits of what is read, so that no file can exhaust memory.
const (
	maxComponent  = 4 << 20 // approximate size of a component, in bytes
	maxDepth      = 8       // of nested components
	maxProperties = 1000    // of a VCALENDAR itself, outside its components
	maxFaults     = 100     // recorded for one component
)

// Reader reads the components of iCalendar objects one after the other, and continues after malformed lines. It exists
// because the parsers of arran4/golang-ical and emersion/go-ical stop at the first malformed line, do not report line
// numbers, and (the former) hold the whole object in memory.
type Reader struct {
	lines    *lineReader
	calendar *Component   // the open VCALENDAR, or nil
	open     []*Component // the open components within it, outermost first
	size     int          // approximate size of open[0], in bytes
	skipped  int          // number of open components that are nested too deeply
	count    int          // number of VCALENDARs so far
	garbage  *Fault       // the first of some lines outside components
	done     []*Component
	end      error
}

// Component is a component, such as a VEVENT, with its properties and nested components.
type Component struct {
	Name       string // in upper case
	Line       int    // number of its BEGIN line
	Calendar   int    // number of its VCALENDAR in the file, from 1; 0 before the first
	Properties []*Property
	Parts      []*Component
	Faults     []*Fault // what could not be read
	Broken     string   // why the component is incomplete, or ""
}

// Fault describes something that could not be read. Reason is a predicate, such as "is nested too deeply".
type Fault struct {
	Line   int
	Name   string // of the property or component, or ""
	Reason string
}

func (f *Fault) Error() string { return f.Reason }

// NewReader returns a Reader of one or more iCalendar objects.
func NewReader(r io.Reader) *Reader { return &Reader{lines: newLineReader(r)} }

// First returns the first property with a name, or nil.
func (c *Component) First(name string) *Property {
	for _, p := range c.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Next returns the next component of a VCALENDAR, or, after all its components, the VCALENDAR itself with its own
// properties. The error is a *Fault for lines outside components, after which Next can be called again, and io.EOF at
// the end.
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

func (r *Reader) line(l logical) {
	p, ok := parse(l.text)
	if !ok {
		r.fault(&Fault{l.number, "", "is not a line of a calendar: " + clip(l.text)})
		return
	}
	p.Line, p.Cut = l.number, l.cut
	switch p.Name {
	case "BEGIN":
		r.begin(p)
	case "END":
		r.endOf(p)
	default:
		r.addProperty(p)
	}
}

// fault records something that could not be read: in the open component, or, outside components, for Next to return. Of
// consecutive lines outside components, only the first is recorded.
func (r *Reader) fault(f *Fault) {
	if len(r.open) > 0 {
		if c := r.open[0]; len(c.Faults) < maxFaults {
			c.Faults = append(c.Faults, f)
		}
	} else if r.garbage == nil {
		r.garbage = f
	}
}

// topmost contains the components that are never nested in another one.
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

// addProperty adds a property to the innermost open component.
func (r *Reader) addProperty(p *Property) {
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

// fits adds a property's size to that of the outermost component and reports whether the limit allows it. If not, the
// component is marked as incomplete.
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

// finish closes the open component. why says why it is incomplete, "" if it is complete.
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

// close closes the open component and the open VCALENDAR.
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

// clip shortens a string for an error message.
func clip(text string) string {
	const most = 40
	if runes := []rune(clean(text)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return clean(text)
}
