package ical

import (
	"io"
	"mime/quotedprintable"
	"strings"

	"github.com/agendahq/agenda/internal/charset"
)

// Property is a content line.
type Property struct {
	Name   string // in upper case, like the names of parameters
	Params []Param
	Value  string // as written, unfolded but not unescaped
	Line   int    // number of its first line in the file
	Cut    bool   // the line was longer than can be read, so Value is incomplete
}

// Param returns the value of a parameter, or "" if there is none. Several values are separated by commas.
func (p *Property) Param(name string) string {
	for _, param := range p.Params {
		if param.Name == name {
			return param.Value
		}
	}
	return ""
}

// Text returns the value as a TEXT, unescaped.
func (p *Property) Text() string { return unescape(p.Value) }

// Texts returns the value as a list of TEXT values, unescaped, without empty ones.
func (p *Property) Texts() (list []string) {
	from := 0
	for i := 0; i <= len(p.Value); i++ {
		switch {
		case i == len(p.Value) || p.Value[i] == ',':
			if text := strings.TrimSpace(unescape(p.Value[from:i])); text != "" {
				list = append(list, text)
			}
			from = i + 1
		case p.Value[i] == '\\':
			i++
		}
	}
	if from < len(p.Value) { // the value ends with a backslash
		list = append(list, unescape(p.Value[from:]))
	}
	return list
}

// unescape reverses escape. It keeps a backslash before a letter that needs no escaping, since some programs write
// C:\temp unescaped.
func unescape(value string) string {
	if !strings.Contains(value, `\`) {
		return clean(value)
	}
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' || i+1 == len(value) {
			b.WriteByte(value[i])
			continue
		}
		switch c := value[i+1]; c {
		case 'n', 'N':
			b.WriteByte('\n')
		case '\\', ',', ';', ':', '"':
			b.WriteByte(c)
		default:
			b.WriteString(value[i : i+2])
		}
		i++
	}
	return clean(b.String())
}

// encoded decodes the characters that RFC 6868 encodes in parameter values.
var encoded = strings.NewReplacer("^^", "^", "^n", "\n", "^N", "\n", "^'", `"`)

// parse parses a content line. ok is false if it is not a property.
func parse(line string) (p *Property, ok bool) {
	name, rest := head([]byte(line))
	upper := strings.ToUpper(string(name))
	if !isName([]byte(upper)) {
		return nil, false
	}
	at := colon(upper, string(rest))
	if at < 0 {
		return nil, false
	}
	p = &Property{Name: upper, Value: string(rest[at+1:])}
	for _, text := range split(string(rest[:at]), ';') {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		name, value, _ := strings.Cut(text, "=")
		value = encoded.Replace(strings.TrimSpace(strings.ReplaceAll(value, `"`, "")))
		p.Params = append(p.Params, Param{Name: strings.ToUpper(strings.TrimSpace(name)), Value: value})
	}
	if strings.EqualFold(p.Param("ENCODING"), "QUOTED-PRINTABLE") {
		decoded, _ := io.ReadAll(quotedprintable.NewReader(strings.NewReader(p.Value))) // what cannot be decoded is left out
		p.Value = strings.ReplaceAll(newlines.Replace(charset.String(decoded)), "\n", `\n`)
	}
	return p, true
}

// colon returns the index of the colon before the value: the first one outside quotes or, if a quote is not closed, the
// first one. Before dates, programs write names of time zones with an unquoted colon, such as (UTC+01:00) Brussels;
// there it is the colon that is followed by a year.
func colon(name, rest string) int {
	dated := false
	switch name {
	case "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "EXDATE", "RDATE":
		dated = true
	}
	quoted, first := false, -1
	for i := range len(rest) {
		switch {
		case rest[i] == '"':
			quoted = !quoted
		case rest[i] != ':' || quoted:
		case !dated || year(rest[i+1:]):
			return i
		case first < 0:
			first = i
		}
	}
	if first < 0 {
		first = strings.IndexByte(rest, ':')
	}
	return first
}

// year reports whether a string begins with four digits.
func year(text string) bool { return len(text) > 3 && strings.Trim(text[:4], "0123456789") == "" }

// split splits a string at a separator, except inside quotes.
func split(text string, at byte) (list []string) {
	quoted, from := false, 0
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == at && !quoted:
			list, from = append(list, text[from:i]), i+1
		}
	}
	return append(list, text[from:])
}
