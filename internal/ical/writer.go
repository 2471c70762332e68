// Package ical reads and writes iCalendar objects (RFC 5545). It writes content lines with escaped and folded values,
// and time zones from Go's zone database. It reads conforming objects and the malformed ones that programs produce. It
// knows nothing of events.
package ical

import (
	"strings"
	"time"
	"unicode/utf8"
)

// maxLine is the greatest length of a line, in bytes without its line break.
const maxLine = 75

// Layouts of a DATE and of a local DATE-TIME.
const (
	dateForm  = "20060102"
	localForm = "20060102T150405"
)

// Writer writes the content lines of one object to memory. The zero value is ready to use.
type Writer struct{ buf []byte }

// Param is a parameter of a property. If Text is set, its value is always quoted.
type Param struct {
	Name, Value string
	Text        bool
}

// Bytes returns what was written.
func (w *Writer) Bytes() []byte { return w.buf }

// Reset discards what was written and keeps the buffer.
func (w *Writer) Reset() { w.buf = w.buf[:0] }

// Begin writes the BEGIN line of a component.
func (w *Writer) Begin(component string) { w.Value("BEGIN", component) }

// End writes the END line of a component.
func (w *Writer) End(component string) { w.Value("END", component) }

// Text writes a property of type TEXT.
func (w *Writer) Text(name, value string) { w.line(name, nil, escape(value)) }

// Texts writes a property whose value is a list of type TEXT.
func (w *Writer) Texts(name string, values []string) {
	escaped := make([]string, len(values))
	for i, v := range values {
		escaped[i] = escape(v)
	}
	w.line(name, nil, strings.Join(escaped, ","))
}

// Value writes a property of another type, such as a URI or a number, without escaping.
func (w *Writer) Value(name, value string, params ...Param) {
	w.line(name, params, strings.ReplaceAll(clean(value), "\n", ""))
}

// Date writes a property of type DATE.
func (w *Writer) Date(name string, day time.Time) {
	w.line(name, []Param{{Name: "VALUE", Value: "DATE"}}, day.Format(dateForm))
}

// UTC writes a property of type DATE-TIME in UTC.
func (w *Writer) UTC(name string, t time.Time) { w.line(name, nil, t.UTC().Format(localForm)+"Z") }

// Local writes a property of type DATE-TIME in the zone of t, which the object has to define with Zone. Readers
// disagree about a local time that occurs twice, when clocks are put back; such a time is written in UTC. So is a time
// after lastYear, which Zone does not cover.
func (w *Writer) Local(name string, t time.Time) {
	if repeated(t) || t.Year() > lastYear {
		w.UTC(name, t)
		return
	}
	w.Wall(name, t, t.Location())
}

// Wall writes a property of type DATE-TIME with the local time of t and the name of a zone, whatever the zone of t is.
func (w *Writer) Wall(name string, t time.Time, zone *time.Location) {
	w.line(name, []Param{{Name: "TZID", Value: zone.String()}}, t.Format(localForm))
}

// repeated reports whether the local time of t occurs twice in its zone.
func repeated(t time.Time) bool {
	since, until := t.ZoneBounds()
	return !since.IsZero() && t.Sub(since) < back(since) || !until.IsZero() && until.Sub(t) <= back(until)
}

// back returns by how much clocks are put back at a change of the UTC offset. It is negative if they are put forward.
func back(at time.Time) time.Duration {
	_, before := at.Add(-time.Second).Zone()
	_, now := at.Zone()
	return time.Duration(before-now) * time.Second
}

func (w *Writer) line(name string, params []Param, value string) {
	var b strings.Builder
	b.WriteString(name)
	for _, p := range params {
		b.WriteString(";" + p.Name + "=" + p.value())
	}
	b.WriteString(":" + value)
	w.fold(b.String())
}

// fold writes a line, folded into pieces of at most maxLine bytes without splitting a character. All pieces but the
// first begin with a space.
func (w *Writer) fold(line string) {
	for room := maxLine; len(line) > room; room = maxLine - 1 {
		n := room
		for !utf8.RuneStart(line[n]) {
			n--
		}
		w.buf = append(append(w.buf, line[:n]...), "\r\n "...)
		line = line[n:]
	}
	w.buf = append(append(w.buf, line...), "\r\n"...)
}

// escapes escapes a TEXT value.
var escapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)

func escape(text string) string { return escapes.Replace(clean(text)) }

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// clean returns a string as valid UTF-8 with "\n" as its line break, without control characters other than tabs.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0x7f {
			return -1
		}
		return r
	}, newlines.Replace(strings.ToValidUTF8(text, "\uFFFD")))
}

// quoted replaces the characters that a quoted parameter value cannot contain, since it has no escapes. RFC 6868
// encodes them, but not all readers decode that.
var quoted = strings.NewReplacer(`"`, "'", "\n", " ")

// value returns the parameter's value as it is written in a line: quoted, unless it is not a Text and consists of plain
// characters.
func (p Param) value() string {
	value := quoted.Replace(clean(p.Value))
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+-./_", r)
	}
	if !p.Text && value != "" && strings.TrimLeftFunc(value, plain) == "" {
		return value
	}
	return `"` + value + `"`
}
