// Package ics parses the iCalendar objects in responses to tests.
package ics

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Component is a component of an iCalendar object.
type Component struct {
	Name  string
	Lines []string // its content lines, unfolded
	Parts []*Component
}

// Parse parses an iCalendar object. It fails the test if lines violate RFC 5545: they must have at most 75 bytes, must
// not split characters, and must end with CR and LF.
func Parse(t testing.TB, text string) *Component {
	t.Helper()
	open := []*Component{{}}
	text, ended := strings.CutSuffix(text, "\r\n")
	for _, line := range strings.Split(text, "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n") {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n ", ""), "\r\n") {
		last := open[len(open)-1]
		name, value, _ := strings.Cut(line, ":")
		switch {
		case name == "BEGIN":
			part := &Component{Name: value}
			last.Parts, open = append(last.Parts, part), append(open, part)
		case name == "END" && value == last.Name && len(open) > 1:
			open = open[:len(open)-1]
		default:
			last.Lines = append(last.Lines, line)
		}
	}
	all := open[0]
	if !ended || len(open) != 1 || len(all.Parts) != 1 || len(all.Lines) > 0 || all.Parts[0].Name != "VCALENDAR" {
		t.Fatalf("no calendar: %s", text[:min(len(text), 300)])
	}
	return all.Parts[0]
}

// All returns the parts with a name.
func (c *Component) All(name string) (list []*Component) {
	for _, part := range c.Parts {
		if part.Name == name {
			list = append(list, part)
		}
	}
	return list
}

// Events returns the events.
func (c *Component) Events() []*Component { return c.All("VEVENT") }

// Value returns the raw value of the first line with a name, or "".
func (c *Component) Value(name string) string {
	for _, line := range c.Lines {
		if head, value, _ := strings.Cut(line, ":"); head == name || strings.HasPrefix(head, name+";") {
			return value
		}
	}
	return ""
}
