package phpval

import "strings"

// Trim removes the same characters as PHP's trim: unlike strings.TrimSpace it keeps form feeds, and removes NUL.
func Trim(s string) string { return strings.Trim(s, " \t\n\r\x00\v") }

// Lower converts ASCII letters to lower case and keeps other characters.
func Lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// StoredText returns the form in which a string has to be stored for programs that unserialize whatever looks
// serialized: such a string is serialized itself. Otherwise the author of a text could make PHP instantiate any class
// and execute its code (object injection). WordPress does the same (maybe_serialize).
func StoredText(text string) string {
	if looksSerialized(text) {
		return Serialize(text)
	}
	return text
}

// TextOf reverses StoredText. It returns other values in their stored form.
func TextOf(stored string) string {
	if !strings.HasPrefix(stored, "s:") {
		return stored
	}
	if v, err := Unserialize(stored); err == nil {
		if text, ok := v.(string); ok {
			return text
		}
	}
	return stored
}

// looksSerialized reports whether a string begins like a serialized value and contains a character that may be its end.
func looksSerialized(text string) bool {
	text = Trim(text)
	if text == "N;" {
		return true
	}
	if len(text) < 4 || text[1] != ':' {
		return false
	}
	semicolon, brace := strings.IndexByte(text, ';'), strings.IndexByte(text, '}')
	if semicolon < 0 && brace < 0 || semicolon >= 0 && semicolon < 3 || brace >= 0 && brace < 4 {
		return false
	}
	digits, end := "0123456789", byte(':')
	switch text[0] {
	case 'b', 'i', 'd':
		digits, end = "0123456789.E+-", ';'
	case 's':
		if strings.IndexByte(text, '"') < 0 {
			return false
		}
	case 'a', 'O', 'E':
	default:
		return false
	}
	rest := strings.TrimLeft(text[2:], digits)
	return len(rest) < len(text)-2 && rest != "" && rest[0] == end
}
