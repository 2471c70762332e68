package wp

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// TermName is the name of a category or tag as it is stored: one line without
// tags, "&", "<" and ">" as entities.
func TermName(s string) string {
	// No tags are left, whose attributes releases would write in other ways.
	return escapeMarkup(kses.Filter(TextField(s), kses.Title(release.WP69)))
}

// TermDescription is the description of a category or tag as it is stored: only
// simple markup is left in it.
func TermDescription(s string, rel release.Release) string {
	return kses.Filter(s, kses.TermDescription(rel))
}

// TextField is a text without tags, on one line, without space around it.
// Backslashes and percent-encoded characters stay.
func TextField(s string) string {
	s = strings.ToValidUTF8(s, "")
	if strings.IndexByte(s, '<') >= 0 {
		s = phpval.Trim(StripTags(dropScripts(kses.EscapeUnclosed(s, EscapeHTML))))
		// Joining lines must not turn a "<" that started no tag into one that
		// does.
		s = strings.ReplaceAll(s, "<\n", "&lt;\n")
	}
	return phpval.Trim(joinLines(s))
}

// joinLines makes one space of every run of spaces, tabs and line breaks.
func joinLines(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r':
			if len(b) == 0 || b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// dropScripts drops script and style elements with their content. One that is
// not closed stays.
func dropScripts(s string) string {
	var b strings.Builder
	from := 0
	unclosed := map[string]bool{}
	for i := 0; i < len(s); i++ {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			break
		}
		i += n
		name := scriptName(s[i+1:])
		if name == "" || unclosed[name] {
			continue
		}
		end := scriptEnd(s, i, name)
		if end < 0 {
			unclosed[name] = true
			continue
		}
		b.WriteString(s[from:i])
		from, i = end, end-1
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// scriptName returns the element, script or style, that a tag starts, "" if
// neither. What follows the name does not matter.
func scriptName(s string) string {
	for _, name := range []string{"script", "style"} {
		if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
			return name
		}
	}
	return ""
}

// scriptEnd finds the end of the element that starts at i, -1 if there is none.
func scriptEnd(s string, i int, name string) int {
	n := strings.IndexByte(s[i:], '>')
	if n < 0 {
		return -1
	}
	for i += n + 1; ; i += len("</") {
		n := strings.Index(s[i:], "</")
		if n < 0 {
			return -1
		}
		i += n
		end := i + len("</>") + len(name)
		if end <= len(s) && s[end-1] == '>' && strings.EqualFold(s[i+len("</"):end-1], name) {
			return end
		}
	}
}
