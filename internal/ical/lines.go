package ical

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/agendahq/agenda/internal/charset"
)

// maxRead is the greatest length of a content line, in bytes after unfolding. Longer lines are cut.
const maxRead = 1 << 20

// lineReader reads content lines and unfolds them.
type lineReader struct {
	b      *bufio.Reader
	ended  int      // how many lines of the file were read
	ahead  physical // the next line of the file, if peeked
	peeked bool
}

// physical is a line of the file, without its line break.
type physical struct {
	text   []byte
	number int  // counted from 1
	cut    bool // the line is longer than maxRead, so text is only its beginning
}

func (p physical) blank() bool { return len(bytes.TrimSpace(p.text)) == 0 }

// folded reports whether the line continues the previous one: it begins with a space or a tab.
func (p physical) folded() bool { return len(p.text) > 0 && (p.text[0] == ' ' || p.text[0] == '\t') }

// logical is an unfolded content line.
type logical struct {
	text   string
	number int // of its first line in the file
	cut    bool
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{b: bufio.NewReaderSize(charset.NewReader(r), 1<<16)}
}

// next returns the next content line that is not empty. It joins folded lines. It also joins lines that programs broke
// without inserting a space, and the lines of a text whose line breaks a program forgot to escape.
func (r *lineReader) next() (logical, error) {
	first, err := r.readLine()
	for err == nil && first.blank() {
		first, err = r.readLine()
	}
	if err != nil {
		return logical{}, err
	}
	first.text = bytes.TrimLeft(first.text, " \t")
	text, cut, last, blanks := first.text, first.cut, len(first.text), 0
	component, whole := isComponent(first.text)
	texts, soft := isText(first.text), isQuotedPrintable(first.text)
	for {
		p, err := r.peek()
		if err != nil && err != io.EOF {
			return logical{}, err
		}
		rest, broken := p.text, ""
		switch {
		case err == io.EOF:
			return logical{charset.String(text), first.number, cut}, nil
		case soft && bytes.HasSuffix(text, []byte("=")):
			text = text[:len(text)-1]
		case p.blank() && !p.folded():
			r.peeked, blanks = false, blanks+1
			continue
		case p.folded() && !whole:
			rest = rest[1:]
		case component || beginsProperty(p.text):
			return logical{charset.String(text), first.number, cut}, nil
		case last < shortest || last > longest || blanks > 0:
			if !texts {
				return logical{charset.String(text), first.number, cut}, nil
			}
			broken = strings.Repeat(`\n`, min(blanks, 1)+1)
		}
		r.peeked, blanks, last = false, 0, len(p.text)
		cut = cut || p.cut || len(text)+len(broken)+len(rest) > maxRead
		if room := maxRead - len(text) - len(broken); room > 0 {
			text = append(append(text, broken...), rest[:min(room, len(rest))]...)
		}
	}
}

// Lines of a length between these were probably broken because they were too long, with no line break in the text.
// Other lines were broken at a line break of the text.
const shortest, longest = maxLine - 3, maxLine + 2

// peek returns the line that readLine returns next.
func (r *lineReader) peek() (p physical, err error) {
	if !r.peeked {
		if r.ahead, err = r.readLine(); err != nil {
			return p, err
		}
		r.peeked = true
	}
	return r.ahead, nil
}

// readLine returns the next line of the file. Lines end with CR LF, LF or CR. It cuts a line that is longer than
// maxRead.
func (r *lineReader) readLine() (p physical, err error) {
	if r.peeked {
		r.peeked = false
		return r.ahead, nil
	}
	if _, err := r.b.Peek(1); err != nil {
		return p, err
	}
	r.ended++
	p.number = r.ended
	for {
		if _, err := r.b.Peek(1); err == io.EOF {
			return p, nil
		} else if err != nil {
			return p, err
		}
		held, _ := r.b.Peek(r.b.Buffered())
		end := bytes.IndexAny(held, "\r\n")
		piece := held
		if end >= 0 {
			piece = held[:end]
		}
		room := min(maxRead-len(p.text), len(piece))
		p.text = append(p.text, piece[:room]...)
		p.cut = p.cut || room < len(piece)
		if end < 0 {
			_, _ = r.b.Discard(len(held))
			continue
		}
		carriage := held[end] == '\r'
		_, _ = r.b.Discard(end + 1)
		if after, _ := r.b.Peek(1); carriage && len(after) == 1 && after[0] == '\n' {
			_, _ = r.b.Discard(1)
		}
		p.text = bytes.TrimPrefix(p.text, []byte(charset.BOM))
		return p, nil
	}
}

// head returns the name at the beginning of a line, as written, and the rest of the line, which begins with ";" or ":".
func head(line []byte) (name, rest []byte) {
	i := bytes.IndexAny(line, ";:")
	if i < 0 {
		return nil, nil
	}
	return bytes.TrimSpace(line[:i]), line[i:]
}

// isComponent reports whether a line begins or ends a component. whole is true if the component is one of the
// standards', so that its name cannot be continued on the next line.
func isComponent(line []byte) (component, whole bool) {
	name, rest := head(line)
	if !bytes.EqualFold(name, []byte("BEGIN")) && !bytes.EqualFold(name, []byte("END")) {
		return false, false
	}
	component, named := true, strings.ToUpper(strings.TrimSpace(string(rest[1:])))
	return component, named == "VCALENDAR" || topmost[named] || named == "STANDARD" || named == "DAYLIGHT" || named == "VALARM"
}

// isText reports whether a property's value is of type TEXT, which may contain line breaks.
func isText(line []byte) bool {
	name, _ := head(line)
	switch upper := string(bytes.ToUpper(name)); upper {
	case "SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT", "CATEGORIES", "STYLED-DESCRIPTION":
		return true
	default:
		return strings.HasPrefix(upper, "X-")
	}
}

// isQuotedPrintable reports whether a value is encoded as quoted-printable, as in vCalendar 1.0. There, a line that
// ends with "=" is continued.
func isQuotedPrintable(line []byte) bool {
	i := bytes.IndexByte(line, ':')
	return i > 0 && bytes.Contains(bytes.ToUpper(line[:i]), []byte("QUOTED-PRINTABLE"))
}

// beginsProperty reports whether a line begins a property, rather than being part of a text with unescaped line breaks.
// Such a part may look like a property: "Location: the garden".
func beginsProperty(line []byte) bool {
	name, rest := head(line)
	upper := bytes.ToUpper(name)
	text := bytes.HasPrefix(rest, []byte(": "))
	switch {
	case len(name) == 0 || !isName(upper):
		return false
	case known[string(upper)]:
		return !text || bytes.Equal(name, upper)
	case bytes.HasPrefix(upper, []byte("X-")):
		return true
	}
	return !text && bytes.Equal(name, upper) && len(name) > 2
}

// isName reports whether a string can be the name of a property.
func isName(upper []byte) bool {
	for _, c := range upper {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return len(upper) > 0
}

// known contains the names of properties and components that the iCalendar and vCalendar standards define.
var known = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`BEGIN END CALSCALE METHOD PRODID VERSION ATTACH CATEGORIES CLASS COMMENT DESCRIPTION
		GEO LOCATION PERCENT-COMPLETE PRIORITY RESOURCES STATUS SUMMARY COMPLETED DTEND DUE DTSTART DURATION FREEBUSY TRANSP
		TZID TZNAME TZOFFSETFROM TZOFFSETTO TZURL ATTENDEE CONTACT ORGANIZER RECURRENCE-ID RELATED-TO URL UID EXDATE EXRULE
		RDATE RRULE ACTION REPEAT TRIGGER CREATED DTSTAMP LAST-MODIFIED SEQUENCE REQUEST-STATUS NAME COLOR IMAGE SOURCE
		REFRESH-INTERVAL CONFERENCE ACKNOWLEDGED PROXIMITY TZUNTIL TZID-ALIAS-OF BUSYTYPE CALENDAR-ADDRESS LOCATION-TYPE
		PARTICIPANT-TYPE RESOURCE-TYPE STRUCTURED-DATA STYLED-DESCRIPTION CONCEPT LINK REFID DALARM AALARM TZ DAYLIGHT`) {
		set[name] = true
	}
	return set
}()
