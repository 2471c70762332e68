package render

import "strings"

// withoutNotes removes the mark elements of editors' notes and keeps their content.
func withoutNotes(html string) string {
	if !strings.Contains(html, noteClass) {
		return html
	}
	var out strings.Builder
	var open []bool // for each enclosing mark element, whether it is a note
	last := 0
	for i := 0; ; {
		t, ok := nextTag(html, i, true)
		if !ok {
			break
		}
		i = t.next
		if t.name != "mark" {
			continue
		}
		note := false
		if t.closer {
			if n := len(open); n > 0 {
				note, open = open[n-1], open[:n-1]
			}
		} else {
			note = t.hasClass(html, noteClass)
			open = append(open, note)
		}
		if note {
			out.WriteString(html[last:t.start])
			last = t.end
		}
	}
	if last == 0 {
		return html
	}
	out.WriteString(html[last:])
	return out.String()
}

const noteClass = "wp-note"
