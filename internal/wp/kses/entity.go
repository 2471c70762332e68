package kses

import (
	"regexp"
	"strconv"
	"strings"
)

// windows1252 contains the characters that "&#128;" to "&#159;" stand for in texts of old editors; 0 if there is none.
var windows1252 = [32]rune{
	8364, 0, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 0, 381, 0,
	0, 8216, 8217, 8220, 8221, 8226, 8211, 8212, 732, 8482, 353, 8250, 339, 0, 382, 376,
}

// repairEntities replaces numeric entities of control characters, which old editors wrote for Windows-1252 characters.
// It is applied to the content and excerpts of all authors.
func repairEntities(s string) string {
	if !strings.Contains(s, "&#1") {
		return s
	}
	return controlEntity.ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.Atoi(e[len("&#"):len("&#128")])
		switch {
		case n < 128 || n > 159:
			return e
		case windows1252[n-128] == 0:
			return ""
		}
		return "&#" + strconv.Itoa(int(windows1252[n-128])) + ";"
	})
}

var controlEntity = regexp.MustCompile(`&#1[0-9][0-9];`)

// normalizeEntities replaces every "&" that does not begin a known entity by "&amp;", and normalizes numeric entities.
// It corresponds to WordPress's wp_kses_normalize_entities.
func normalizeEntities(s string) string {
	return rewrite(s, '&', 4, func(s string) (string, int) {
		e, n := Entity(s)
		if n == 0 {
			e, n = "&amp;", 1
		}
		return e, n
	})
}

// rewrite replaces text at each occurrence of a mark. with is called with the rest of the string; it returns the
// replacement and the number of bytes that are replaced. more is the expected growth of each replacement, in bytes.
func rewrite(s string, mark byte, more int, with func(string) (string, int)) string {
	i := strings.IndexByte(s, mark)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + more*strings.Count(s, string(mark)))
	for i >= 0 {
		b.WriteString(s[:i])
		text, n := with(s[i:])
		b.WriteString(text)
		s = s[i+n:]
		i = strings.IndexByte(s, mark)
	}
	b.WriteString(s)
	return b.String()
}

// longestName is the length of the longest name of an entity.
const longestName = len("thetasym")

// Entity parses the entity at the beginning of s. It returns its normalized form and its length in bytes, which is 0 if
// there is no entity.
func Entity(s string) (string, int) {
	if strings.HasPrefix(s, "&#") {
		return numericEntity(s)
	}
	end := strings.IndexByte(s[:min(len(s), longestName+2)], ';')
	if end < 0 || !data.entities[s[1:end]] {
		return "", 0
	}
	return s[:end+1], end + 1
}

// numericEntity parses the numeric entity at the beginning of s. It returns its normalized form and its length in
// bytes, which is 0 if there is none, or if XML does not allow its character.
func numericEntity(s string) (string, int) {
	i, base, most := 2, 10, 7
	if i < len(s) && s[i]|0x20 == 'x' {
		i, base, most = 3, 16, 6
	}
	from := i
	for i < len(s) && s[i] == '0' {
		i++
	}
	significant := i
	for i < len(s) && i-significant <= most && isDigitOf(s[i], base) {
		i++
	}
	d := s[significant:i]
	if i == from || len(d) > most || i == len(s) || s[i] != ';' {
		return "", 0
	}
	if n, err := strconv.ParseInt(d, base, 32); err != nil || !inXML(rune(n)) {
		return "", 0
	}
	if base == 16 {
		return "&#x" + d + ";", i + 1
	}
	if len(d) < 3 {
		d = "000"[len(d):] + d
	}
	return "&#" + d + ";", i + 1
}

func isDigitOf(c byte, base int) bool {
	return isDigit(c) || base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f'
}

// inXML reports whether XML allows a character.
func inXML(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r >= 0x20 && r <= 0xD7FF, r >= 0xE000 && r <= 0xFFFD:
		return true
	}
	return r >= 0x10000 && r <= 0x10FFFF
}

// escaped returns markup as text. Its entities are already normalized, so only "&apos;", which HTML 4 does not define,
// is escaped again.
func escaped(s string) string { return escaper.Replace(s) }

var escaper = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#039;", "&apos;", "&amp;apos;")
