package wp

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// TermName returns the name of a term as WordPress stores it: on one line, without tags, with "&", "<" and ">" escaped.
func TermName(s string) string {
	// No tags are left, so the differences between releases do not matter.
	return escapeMarkup(kses.Filter(TextField(s), kses.Title(release.WP69)))
}

// TermDescription returns the description of a term as WordPress stores it, with only simple markup.
func TermDescription(s string, rel release.Release) string {
	return kses.Filter(s, kses.TermDescription(rel))
}

// TextField returns a string on one line without tags and surrounding white space. Backslashes and percent-encoded
// characters are kept. It is similar to WordPress's sanitize_text_field.
func TextField(s string) string {
	s = strings.ToValidUTF8(s, "")
	if strings.IndexByte(s, '<') >= 0 {
		s = phpval.Trim(StripTags(dropScripts(kses.EscapeUnclosed(s, EscapeHTML))))
		// Joining lines must not turn a "<" that began no tag into one that does.
		s = strings.ReplaceAll(s, "<\n", "&lt;\n")
	}
	return phpval.Trim(joinLines(s))
}

// joinLines replaces every run of spaces, tabs and line breaks by a space.
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

// dropScripts removes script and style elements with their content. An element that is not closed is kept.
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

// scriptName returns "script" or "style" if a tag begins with that name, whatever follows it, else "".
func scriptName(s string) string {
	for _, name := range []string{"script", "style"} {
		if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
			return name
		}
	}
	return ""
}

// scriptEnd returns the end of the element that begins at i, or -1.
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
