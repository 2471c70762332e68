package editing

import (
	"regexp"
	"slices"
	"strings"
)

// Stored descriptions are edited as plain text: paragraphs separated by blank lines, lists with a dash or a number
// before each line, [text](address), **strong** and *emphasized*. Everything that this notation cannot represent is
// preserved between the editable parts.

// part is a piece of a stored description: editable or preserved.
type part struct {
	Kept string // stored HTML of a preserved part; "" if the part is editable
	Text string // editable text, in the notation
	lead string // white space before the first piece
	pcs  []piece
}

// piece is a paragraph or a list: as stored, with the white space after it, and in the notation.
type piece struct{ raw, text string }

// parts splits a stored description. The first part, the last part and every part between two preserved ones are
// editable. The concatenation of all parts is the description.
func parts(stored string) []part {
	list := []part{{}}
	for _, c := range chunks(stored) {
		last := &list[len(list)-1]
		text, known := noted(c.raw, c.classic)
		switch {
		case known && text == "" && len(last.pcs) == 0:
			last.lead += c.raw
		case known && text == "":
			last.pcs[len(last.pcs)-1].raw += c.raw
		case known:
			last.pcs = append(last.pcs, piece{c.raw, text})
		case len(list) > 1 && len(last.pcs) == 0: // nothing is between it and the preserved part before it
			before := &list[len(list)-2]
			before.Kept += last.lead + c.raw
			last.lead = ""
		default:
			list = append(list, part{Kept: c.raw}, part{})
		}
	}
	for i := range list {
		texts := make([]string, len(list[i].pcs))
		for j, p := range list[i].pcs {
			texts[j] = p.text
		}
		list[i].Text = strings.Join(texts, "\n\n")
	}
	return list
}

// typed returns the texts of the editable parts, in order.
func typed(list []part) (texts []string) {
	for _, p := range list {
		if p.Kept == "" {
			texts = append(texts, p.Text)
		}
	}
	return texts
}

// composed returns the description to be stored, given the stored one and the texts of its editable parts, in order.
// Unchanged pieces are preserved byte by byte. Further texts are appended to the last part.
func composed(stored string, texts []string) string {
	list, b := parts(stored), strings.Builder{}
	classic := isClassic(stored)
	for i, p := range list {
		switch {
		case p.Kept != "":
			b.WriteString(p.Kept)
			continue
		case len(texts) == 0:
			b.WriteString(p.raw())
			continue
		}
		text := texts[0]
		if texts = texts[1:]; i == len(list)-1 && len(texts) > 0 {
			text, texts = strings.Join(append([]string{text}, texts...), "\n\n"), nil
		}
		b.WriteString(p.typedAnew(text, classic))
	}
	return b.String()
}

// joined returns the description mine with the changes that somebody else made to was meanwhile, in theirs. If both
// changed the same chunks, it returns mine as it is.
func joined(was, theirs, mine string) string {
	base, other, own := trimmed(was), trimmed(theirs), trimmed(mine)
	first, last := unequal(base, own)
	from, to := unequal(base, other)
	change := own[first : len(own)-(len(base)-last)]
	switch {
	case last <= from: // the change is before the other one
		other = slices.Concat(other[:first], change, other[last:])
	case to <= first:
		shift := len(other) - len(base)
		other = slices.Concat(other[:first+shift], change, other[last+shift:])
	default:
		return mine
	}
	return strings.Join(other, "\n\n")
}

// trimmed returns the chunks of a description without the white space around them.
func trimmed(stored string) (list []string) {
	for _, c := range chunks(stored) {
		if raw := strings.TrimSpace(c.raw); raw != "" {
			list = append(list, raw)
		}
	}
	return list
}

// unequal returns the range of was that differs from now.
func unequal(was, now []string) (first, last int) {
	for first < min(len(was), len(now)) && was[first] == now[first] {
		first++
	}
	last = len(was)
	for n := len(now); last > first && n > first && was[last-1] == now[n-1]; n-- {
		last--
	}
	return first, last
}

func (p part) raw() string {
	raw := p.lead
	for _, one := range p.pcs {
		raw += one.raw
	}
	return raw
}

// typedAnew returns the HTML of a part with another text. Unchanged pieces at its beginning and end are preserved.
func (p part) typedAnew(text string, classic bool) string {
	now := split(text)
	was := make([]string, len(p.pcs))
	for i, one := range p.pcs {
		was[i] = one.text
	}
	if slices.Equal(now, was) {
		return p.raw()
	}
	first, last := 0, 0
	for first < min(len(now), len(was)) && now[first] == was[first] {
		first++
	}
	for last < min(len(now), len(was))-first && now[len(now)-1-last] == was[len(was)-1-last] {
		last++
	}
	tags := map[string]string{}
	for _, one := range p.pcs {
		linkTags(one.raw, tags)
	}
	var list []string
	for _, one := range p.pcs[:first] {
		list = append(list, one.raw)
	}
	for _, one := range now[first : len(now)-last] {
		list = append(list, pieceHTML(one, classic, tags))
	}
	for _, one := range p.pcs[len(was)-last:] {
		list = append(list, one.raw)
	}
	b := strings.Builder{}
	b.WriteString(p.lead)
	for i, raw := range list {
		b.WriteString(raw)
		if i < len(list)-1 && !strings.HasSuffix(raw, "\n") {
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// split returns the paragraphs and lists of a text in the notation, each in the form that noted returns.
func split(text string) (list []string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	var lines []string
	kind := ""
	end := func() {
		if len(lines) > 0 {
			list = append(list, strings.Join(lines, "\n"))
		}
		lines = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Join(strings.FieldsFunc(line, isBlank), " ")
		mark, item := itemOf(line)
		if line == "" || mark != kind {
			end()
		}
		kind = mark
		switch {
		case line == "":
		case mark == ordered:
			lines = append(lines, numbered(len(lines)+1)+item)
		case mark == unordered:
			lines = append(lines, dash+item)
		default:
			lines = append(lines, line)
		}
	}
	end()
	return list
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }

// Elements of lists, and the mark before each line of an unordered one.
const (
	unordered = "ul"
	ordered   = "ol"
	dash      = "- "
)

var itemPattern = regexp.MustCompile(`^(?:([-*•–])|(\d{1,3})[.)]) +(\S.*)$`)

// itemOf returns the list element to which a line belongs, or "" if none, and the line without its mark. Only the first
// line of text is used.
func itemOf(text string) (element, item string) {
	line, _, _ := strings.Cut(text, "\n")
	m := itemPattern.FindStringSubmatch(line)
	switch {
	case m == nil:
		return "", line
	case m[1] != "":
		return unordered, m[3]
	}
	return ordered, m[3]
}

func numbered(n int) string { return decimal(int64(n)) + ". " }
