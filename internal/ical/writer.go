// Package ical writes iCalendar objects as RFC 5545 describes them: content lines with
// escaped and folded values, and time zones made of Go's zone database. It reads such
// objects and those that are written worse. It knows nothing of events.
package ical

import (
	"strings"
	"time"
	"unicode/utf8"
)

// maxLine is how long a line may be, in bytes without its end.
const maxLine = 75

// Forms of dates and times.
const (
	dateForm  = "20060102"
	localForm = "20060102T150405"
)

// Writer writes the content lines of one object. The zero value is ready.
type Writer struct{ buf []byte }

// Param is a parameter of a property. A Text is put in quotes, whatever it is.
type Param struct {
	Name, Value string
	Text        bool
}

// Bytes returns what was written.
func (w *Writer) Bytes() []byte { return w.buf }

// Reset empties the writer and keeps its buffer.
func (w *Writer) Reset() { w.buf = w.buf[:0] }

// Begin begins a component.
func (w *Writer) Begin(component string) { w.Value("BEGIN", component) }

// End ends the component that began last.
func (w *Writer) End(component string) { w.Value("END", component) }

// Text writes a property whose value is a text.
func (w *Writer) Text(name, value string) { w.line(name, nil, escape(value)) }

// Texts writes a property whose value is a list of texts.
func (w *Writer) Texts(name string, values []string) {
	escaped := make([]string, len(values))
	for i, v := range values {
		escaped[i] = escape(v)
	}
	w.line(name, nil, strings.Join(escaped, ","))
}

// Value writes a property whose value is not a text, such as an address or a number:
// it has no escapes.
func (w *Writer) Value(name, value string, params ...Param) {
	w.line(name, params, strings.ReplaceAll(clean(value), "\n", ""))
}

// Date writes a property whose value is a day.
func (w *Writer) Date(name string, day time.Time) {
	w.line(name, []Param{{Name: "VALUE", Value: "DATE"}}, day.Format(dateForm))
}

// UTC writes a property whose value is a moment in UTC.
func (w *Writer) UTC(name string, t time.Time) { w.line(name, nil, t.UTC().Format(localForm)+"Z") }

// Local writes a property whose value is a moment in its own zone, which a time zone of the object has to define. Of a time that the
// clock shows twice some readers take the first and some the second one, so it is written in UTC; so are times of which Zone knows
// nothing.
func (w *Writer) Local(name string, t time.Time) {
	if repeated(t) || t.Year() > lastYear {
		w.UTC(name, t)
		return
	}
	w.Wall(name, t, t.Location())
}

// Wall writes a property whose value is what the clock of a zone shows, or would show.
func (w *Writer) Wall(name string, t time.Time, zone *time.Location) {
	w.line(name, []Param{{Name: "TZID", Value: zone.String()}}, t.Format(localForm))
}

// repeated reports whether the clock of a time's zone shows the same twice.
func repeated(t time.Time) bool {
	since, until := t.ZoneBounds()
	return !since.IsZero() && t.Sub(since) < back(since) || !until.IsZero() && until.Sub(t) <= back(until)
}

// back returns by how much the clock of a zone is put back at a moment.
func back(at time.Time) time.Duration {
	_, before := at.Add(-time.Second).Zone()
	_, now := at.Zone()
	return time.Duration(before-now) * time.Second
}

// line writes a content line.
func (w *Writer) line(name string, params []Param, value string) {
	var b strings.Builder
	b.WriteString(name)
	for _, p := range params {
		b.WriteString(";" + p.Name + "=" + p.value())
	}
	b.WriteString(":" + value)
	w.fold(b.String())
}

// fold writes a line in pieces of at most maxLine bytes, without breaking a character.
// Each but the first begins with a space.
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

// escapes are those of texts.
var escapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)

func escape(text string) string { return escapes.Replace(clean(text)) }

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// clean returns a text in UTF-8 without control characters but for tabs and newlines,
// which are single line feeds.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0x7f {
			return -1
		}
		return r
	}, newlines.Replace(strings.ToValidUTF8(text, "\uFFFD")))
}

// quoted replaces what a quoted value cannot hold: nothing in it is escaped. RFC 6868
// encodes these characters, but not all readers decode them.
var quoted = strings.NewReplacer(`"`, "'", "\n", " ")

// value returns the value as a line holds it: as it is if it is a plain word and no
// text, else in quotes.
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
