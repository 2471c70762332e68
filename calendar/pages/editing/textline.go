package editing

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	anyBreak  = regexp.MustCompile(`(?i)[ \t\r\n]*<br ?/?>[ \t\r\n]*`)
	blanks    = regexp.MustCompile(`[ \t\r\n\f]+`)
	lineEnds  = regexp.MustCompile(`[ \t\r]*\n[ \t\r\n]*`)
	lineTag   = regexp.MustCompile(`(?is)<(/?)(strong|em|b|i|a)(\s[^<>]*)?>`)
	linkStart = regexp.MustCompile(`(?is)<a\s[^<>]*>`)
	hrefIn    = regexp.MustCompile(`(?is)\shref=("[^"]*"|'[^']*')`)
)

// brokenLines returns HTML with <br> in place of each line break that is shown, and spaces in place of all others. In a
// description without blocks, every line break is shown.
func brokenLines(html string, classic bool) string {
	html = anyBreak.ReplaceAllString(html, "<br>")
	if classic {
		html = lineEnds.ReplaceAllString(strings.TrimSpace(html), "<br>")
	}
	return strings.Trim(blanks.ReplaceAllString(html, " "), " ")
}

// linkTags adds the tags of links that have more attributes than an address to tags, by address.
func linkTags(raw string, tags map[string]string) {
	for _, tag := range linkStart.FindAllString(raw, -1) {
		if to, ok := hrefOf(tag); ok && tag != linkTag(to) {
			tags[to] = tag
		}
	}
}

func linkTag(to string) string { return `<a href="` + html.EscapeString(to) + `">` }

func hrefOf(tag string) (string, bool) {
	m := hrefIn.FindStringSubmatch(tag)
	if m == nil {
		return "", false
	}
	return html.UnescapeString(m[1][1 : len(m[1])-1]), true
}

// lineText converts the HTML of a paragraph to the notation. It returns false if the notation cannot represent it.
func lineText(line string) (string, bool) {
	var b strings.Builder
	href, from := "", 0
	for i, text := range strings.Split(line, "<br>") {
		if i > 0 {
			b.WriteByte('\n')
		}
		from = 0
		for _, at := range lineTag.FindAllStringSubmatchIndex(text, -1) {
			if !plainText(&b, text[from:at[0]]) {
				return "", false
			}
			from = at[1]
			closing, name := at[3] > at[2], strings.ToLower(text[at[4]:at[5]])
			switch {
			case name != "a" && at[6] >= 0:
				return "", false
			case name == "strong" || name == "b":
				b.WriteString("**")
			case name != "a":
				b.WriteString("*")
			case !closing:
				to, ok := hrefOf(text[at[0]:at[1]])
				if !ok || href != "" || to == "" {
					return "", false
				}
				href = to
				b.WriteByte('[')
			default:
				b.WriteString("](" + href + ")")
				href = ""
			}
		}
		if !plainText(&b, text[from:]) || href != "" {
			return "", false
		}
	}
	return shortLinks(b.String()), true
}

func plainText(b *strings.Builder, text string) bool {
	b.WriteString(html.UnescapeString(text))
	return !strings.ContainsAny(text, "<>")
}

// shortLinks replaces links whose text is their own address by the address.
func shortLinks(text string) string {
	return linkNote.ReplaceAllStringFunc(text, func(link string) string {
		m := linkNote.FindStringSubmatch(link)
		if address, to := addressAt(m[1]); address == m[1] && to == m[2] {
			return m[1]
		}
		return link
	})
}

var (
	linkNote    = regexp.MustCompile(`\[([^\[\]\n]+)\]\(((?:[^\s()]|\([^\s()]*\))+)\)`)
	linkAt      = regexp.MustCompile(`^` + linkNote.String())
	strongAt    = regexp.MustCompile(`^\*\*([^\s*](?:[^\n]*?[^\s*])?)\*\*`)
	stressedAt  = regexp.MustCompile(`^\*([^\s*](?:[^*\n]*[^\s*])?)\*`)
	webAt       = regexp.MustCompile(`^(?:https?://|www\.)[^\s<>"\[\]*]+`)
	mailAt      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*@[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)
	knownScheme = regexp.MustCompile(`^(?i:https?://[^/]|mailto:.|tel:.|/|#)`)
)

// lineHTML converts a paragraph in the notation to HTML. tags maps the addresses of links to their tags.
func lineHTML(text string, tags map[string]string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = spanHTML(line, tags, true)
	}
	return strings.Join(lines, "<br>")
}

// spanHTML converts a part of a line in the notation to HTML. links is false within a link, which cannot contain another one.
func spanHTML(text string, tags map[string]string, links bool) string {
	var b strings.Builder
	open := func(to string) string {
		if tag, ok := tags[to]; ok {
			return tag
		}
		return linkTag(to)
	}
	before := ' '
	for i := 0; i < len(text); {
		rest := text[i:]
		length, out := 0, ""
		if m := linkAt.FindStringSubmatch(rest); m != nil && links {
			if to, ok := leadsTo(m[2]); ok {
				length, out = len(m[0]), open(to)+spanHTML(m[1], tags, false)+"</a>"
			}
		} else if m := strongAt.FindStringSubmatch(rest); m != nil && ends(before, rest, len(m[0])) {
			length, out = len(m[0]), "<strong>"+spanHTML(m[1], tags, links)+"</strong>"
		} else if m := stressedAt.FindStringSubmatch(rest); m != nil && ends(before, rest, len(m[0])) {
			length, out = len(m[0]), "<em>"+spanHTML(m[1], tags, links)+"</em>"
		} else if address, to := addressAt(rest); address != "" && links && !inWord(before) {
			length, out = len(address), open(to)+escaped(address)+"</a>"
		}
		if length == 0 {
			before, length = utf8.DecodeRuneInString(rest)
			out = escaped(rest[:length])
		} else {
			before, _ = utf8.DecodeLastRuneInString(rest[:length])
		}
		b.WriteString(out)
		i += length
	}
	return b.String()
}

// ends reports whether stars around words are next to word boundaries.
func ends(before rune, text string, length int) bool {
	after, _ := utf8.DecodeRuneInString(text[length:])
	return !inWord(before) && before != '*' && !inWord(after) && after != '*'
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// addressAt returns the web or e-mail address with which a text begins, and the target of a link to it.
func addressAt(text string) (address, to string) {
	if m := webAt.FindString(text); m != "" {
		m = strings.TrimRight(m, ".,;:!?'’”»…")
		if strings.HasSuffix(m, ")") && !strings.Contains(m, "(") {
			m = strings.TrimRight(m, ").,;:!?'’”»…")
		}
		to, ok := leadsTo(m)
		if rest, _ := strings.CutPrefix(m, "www"); !ok || strings.Trim(rest, ".") == "" {
			return "", ""
		}
		return m, to
	}
	if m := mailAt.FindString(text); m != "" {
		return m, "mailto:" + m
	}
	return "", ""
}

// leadsTo returns the target of a link to an address. It returns false for schemes other than those of web, e-mail and
// telephone links.
func leadsTo(address string) (string, bool) {
	if strings.HasPrefix(address, "www.") {
		address = "https://" + address
	}
	if m := mailAt.FindString(address); m != "" && m == address {
		address = "mailto:" + m
	}
	return address, knownScheme.MatchString(address)
}

// escaped returns a text as HTML. Quotes are not escaped, as in WordPress's editors.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// canonical returns the HTML of a paragraph in a canonical form, so that two can be compared: entities, names of
// elements and links whose text is their address are written in one way.
func canonical(line string) string {
	var b strings.Builder
	from := 0
	text := func(s string) { b.WriteString(escaped(html.UnescapeString(s))) }
	for _, at := range lineTag.FindAllStringSubmatchIndex(line, -1) {
		text2 := line[from:at[0]]
		for i, s := range strings.Split(text2, "<br>") {
			if i > 0 {
				b.WriteString("<br>")
			}
			text(s)
		}
		from = at[1]
		name := strings.ToLower(line[at[4]:at[5]])
		switch tag := line[at[0]:at[1]]; {
		case name == "b", name == "strong":
			b.WriteString("<" + line[at[2]:at[3]] + "strong>")
		case name == "i", name == "em":
			b.WriteString("<" + line[at[2]:at[3]] + "em>")
		case at[3] > at[2]:
			b.WriteString("</a>")
		default:
			to, _ := hrefOf(tag)
			if tag == linkTag(to) || strings.ReplaceAll(tag, "'", `"`) == linkTag(to) {
				tag = "<a\x00" + escaped(to) + "\x00>"
			}
			b.WriteString(tag)
		}
	}
	for i, s := range strings.Split(line[from:], "<br>") {
		if i > 0 {
			b.WriteString("<br>")
		}
		text(s)
	}
	return bareLink.ReplaceAllStringFunc(b.String(), func(link string) string {
		m := bareLink.FindStringSubmatch(link)
		words := html.UnescapeString(m[2])
		if address, to := addressAt(words); address == words && to == html.UnescapeString(m[1]) {
			return m[2]
		}
		return link
	})
}

var bareLink = regexp.MustCompile("<a\x00([^\x00]*)\x00>([^<]*)</a>")
