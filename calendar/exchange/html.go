package exchange

import (
	"net/url"
	"regexp"
	"strings"
)

// escaper converts plain text to HTML.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// breaks matches line breaks and tabs, which titles cannot contain.
var breaks = regexp.MustCompile(`\s*[\n\r\t]\s*`)

// oneLine converts plain text to the HTML of a title.
func oneLine(text string) string {
	return escaper.Replace(strings.TrimSpace(breaks.ReplaceAllString(text, " ")))
}

// blank matches the empty lines between paragraphs of plain text. It begins with a line break, for which the text is
// searched quickly; the spaces before it are the end of a line.
var blank = regexp.MustCompile(`\n[ \t]*(?:\n[ \t]*)+`)

// paragraphs converts plain text, whose paragraphs are separated by empty lines, to HTML.
func paragraphs(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\u00a0\n", "\n"))
	if text == "" {
		return ""
	}
	var list []string
	for _, part := range blank.Split(text, -1) {
		lines := strings.Split(escaper.Replace(part), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, " \t")
		}
		list = append(list, "<p>"+strings.Join(lines, "<br />\n")+"</p>")
	}
	return strings.Join(list, "\n")
}

// tag matches the HTML that some programs write where plain text is expected.
var tag = regexp.MustCompile(`(?i)</?(?:a|b|br|div|em|h[1-6]|html-blob|i|li|ol|p|span|strong|u|ul)(?:\s[^<>]*)?/?>`)

// bodyTag and hidden match the parts of an HTML document that are not its content. anyTag matches everything in the
// content that is not visible text.
var (
	bodyTag = regexp.MustCompile(`(?is)^.*<body(?:\s[^>]*)?>|</body\s*>.*$`)
	hidden  = regexp.MustCompile(`(?is)<(head|style|script|title)(?:\s[^>]*)?>.*?</(?:head|style|script|title)\s*>|<!--.*?-->|` +
		`<!doctype[^>]*>|` +
		`</?(?:html|body|html-blob|meta|link|o:p)(?:\s[^>]*)?>`)
	anyTag = regexp.MustCompile(`(?s)<[^>]*>|&nbsp;|&#160;|\s|\x{a0}`)
)

// documentBody returns the content of an HTML document, or "" if it has no visible text.
func documentBody(document string) string {
	text := strings.TrimSpace(hidden.ReplaceAllString(bodyTag.ReplaceAllString(document, ""), ""))
	if anyTag.ReplaceAllString(text, "") == "" {
		return ""
	}
	return text
}

// dataHTML returns the HTML that a data: address contains, or "" for any other address. Thunderbird writes such an
// address as ALTREP.
func dataHTML(address string) string {
	const prefix = "data:text/html"
	if len(address) < len(prefix) || !strings.EqualFold(address[:len(prefix)], prefix) {
		return ""
	}
	kind, data, _ := strings.Cut(address[len(prefix):], ",")
	if strings.Contains(kind, "base64") {
		return ""
	}
	text, err := url.PathUnescape(data)
	if err != nil {
		return ""
	}
	return documentBody(text)
}

// rendered matches the characters that WordPress's rendering would change again: quotes, dashes, smilies, addresses
// that become embeds, shortcodes.
var rendered = regexp.MustCompile(`["'\[\]:;=|8(]|-|\.\.\.|` + "`" + `|[0-9]x|Wordpress|\(tm\)`)

// feedHTML converts the plain text that a feed shows of a rendered description to HTML that a feed shows as the same text.
// In such text, a paragraph ends with a space before its line break.
func feedHTML(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	blocks := strings.Contains(text, "\n\n")
	for _, line := range lines {
		blocks = blocks || strings.HasPrefix(line, " ") || strings.HasSuffix(line, "  ")
	}
	var b strings.Builder
	open, end := "<p>", "</p>"
	if blocks {
		// White space is preserved only in content with blocks.
		b.WriteString("<!-- wp:paragraph -->")
		if strings.Contains(text, "\n\n\n\n") {
			b.WriteString("\n")
		}
	}
	b.WriteString(open)
	for i := 0; i < len(lines); i++ {
		line, last := lines[i], i == len(lines)-1
		closed := !last && strings.HasSuffix(line, " ")
		b.WriteString(entities(strings.TrimSuffix(line, map[bool]string{true: " "}[closed])))
		breaks := 1
		for ; closed && i+breaks < len(lines) && lines[i+breaks] == ""; breaks++ {
		}
		switch {
		case last:
		case !closed:
			b.WriteString("<br />\n")
		case !blocks:
			b.WriteString(end + "\n" + open)
		case breaks < 2:
			b.WriteString(end + "<!-- /wp:paragraph -->\n<!-- wp:paragraph -->" + open)
		default:
			b.WriteString(end + "\n<!-- /wp:paragraph -->" + strings.Repeat("\n", breaks-2) + "<!-- wp:paragraph -->\n" + open)
		}
		if closed {
			i += breaks - 1
		}
	}
	b.WriteString(end)
	if blocks {
		b.WriteString("\n<!-- /wp:paragraph -->")
	}
	return b.String()
}

// entities escapes the HTML of a line, and the characters that rendering would change.
func entities(line string) string {
	var b strings.Builder
	from := 0
	for _, at := range rendered.FindAllStringIndex(line, -1) {
		b.WriteString(escaper.Replace(line[from:at[0]]))
		found := line[at[0]:at[1]]
		// It suffices to encode the first character, except in "9x", where it is the second.
		i := 0
		if len(found) == 2 {
			i = 1
		}
		b.WriteString(found[:i] + "&#" + itoa3(found[i]) + ";" + found[i+1:])
		from = at[1]
	}
	return b.String() + escaper.Replace(line[from:])
}

// itoa3 returns the decimal code of a character with three digits, the way that WordPress stores entities.
func itoa3(c byte) string { return string([]byte{'0' + c/100, '0' + c/10%10, '0' + c%10}) }
