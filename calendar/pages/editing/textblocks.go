package editing

import (
	"regexp"
	"strings"
)

// chunk is a top-level piece of a stored description: a block, or what is between two blocks.
type chunk struct {
	raw     string // with the white space after it
	classic bool   // part of a description without blocks, in which line breaks are shown as such
}

const blockMark = "<!-- wp:"

// isClassic reports whether a description was written without blocks. An empty one is written with blocks.
func isClassic(stored string) bool {
	return strings.TrimSpace(stored) != "" && !strings.Contains(stored, blockMark)
}

var delimiter = regexp.MustCompile(`<!-- (/)?wp:([a-z][a-z0-9_-]*(?:/[a-z][a-z0-9_-]*)?)\s+(?:\{[^\n]*?\}\s+)?(/)?-->`)

// chunks splits a description at its top level. The concatenation of the chunks is the description.
func chunks(stored string) []chunk {
	if isClassic(stored) {
		return classicChunks(stored)
	}
	var list []chunk
	add := func(raw string) {
		if body := strings.TrimLeft(raw, " \t\r\n"); len(body) < len(raw) && len(list) > 0 {
			list[len(list)-1].raw += raw[:len(raw)-len(body)]
			raw = body
		}
		if raw != "" {
			list = append(list, chunk{raw: raw})
		}
	}
	depth, from := 0, 0
	for _, at := range delimiter.FindAllStringSubmatchIndex(stored, -1) {
		closing, single := at[2] >= 0, at[6] >= 0
		switch {
		case closing:
			depth = max(depth-1, 0)
		case depth == 0:
			add(stored[from:at[0]])
			from = at[0]
		}
		if !closing && !single {
			depth++
		}
		if depth == 0 {
			add(stored[from:at[1]])
			from = at[1]
		}
	}
	add(stored[from:])
	return list
}

var (
	tagPattern = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)|<(/?)([a-zA-Z][a-zA-Z0-9-]*)\b[^>]*?(/?)>|\n[ \t\r]*\n\s*`)
	inlineTags = " a strong em b i br span small code abbr cite sub sup u s del ins mark q kbd img "
	emptyTags  = " br img hr input wbr "
)

// classicChunks splits a description without blocks at blank lines and around block elements.
func classicChunks(stored string) (list []chunk) {
	depth, from := 0, 0
	cut := func(to int) {
		raw := stored[from:to]
		if strings.TrimSpace(raw) == "" && len(list) > 0 {
			list[len(list)-1].raw += raw
		} else if raw != "" {
			list = append(list, chunk{raw, true})
		}
		from = to
	}
	for _, at := range tagPattern.FindAllStringSubmatchIndex(stored, -1) {
		if at[4] < 0 { // a comment or a blank line
			if depth == 0 {
				cut(at[1])
			}
			continue
		}
		name := " " + strings.ToLower(stored[at[4]:at[5]]) + " "
		line, closing := strings.Contains(inlineTags, name), at[3] > at[2]
		switch {
		case strings.Contains(emptyTags, name) || line && depth == 0:
		case closing:
			if depth--; depth <= 0 && !line {
				depth = 0
				cut(at[1])
			}
		default:
			if depth == 0 {
				cut(at[0])
			}
			depth++
		}
	}
	cut(len(stored))
	return list
}

var (
	paragraphBlock = regexp.MustCompile(`(?s)^<!-- wp:paragraph -->\s*<p>(.*)</p>\s*<!-- /wp:paragraph -->\s*$`)
	paragraph      = regexp.MustCompile(`(?s)^\s*<p>(.*)</p>\s*$`)
	listBlock      = regexp.MustCompile(
		`(?s)^<!-- wp:list (?:\{"ordered":true\} )?-->\s*(<[uo]l(?: class="wp-block-list")?>.*</[uo]l>)\s*<!-- /wp:list -->\s*$`)
	listElement = regexp.MustCompile(`(?s)^\s*<([uo]l)(?: class="wp-block-list")?>(.*)</([uo]l)>\s*$`)
	itemElement = regexp.MustCompile(`(?s)^\s*(?:<!-- wp:list-item -->)?\s*<li>(.*?)</li>\s*(?:<!-- /wp:list-item -->)?\s*`)
	blockTag    = regexp.MustCompile(`(?i)</?(?:p|ul|ol|li|div)\b`)
)

// noted converts a chunk to the notation. It returns false if the notation cannot represent it completely.
func noted(raw string, classic bool) (text string, known bool) {
	inner := raw
	switch m := paragraphBlock.FindStringSubmatch(raw); {
	case m != nil:
		inner = m[1]
	case listBlock.MatchString(raw):
		return notedList(listBlock.FindStringSubmatch(raw)[1], raw)
	case strings.TrimSpace(raw) == "":
		return "", true
	case !classic:
		return "", false
	case listElement.MatchString(raw):
		return notedList(raw, raw)
	default:
		if m := paragraph.FindStringSubmatch(raw); m != nil {
			inner = m[1]
		}
	}
	if blockTag.MatchString(inner) {
		return "", false
	}
	tags := map[string]string{}
	linkTags(raw, tags)
	inner = brokenLines(inner, classic)
	if text, known = lineText(inner); !known {
		return "", false
	}
	if same := split(text); text != "" && (len(same) != 1 || same[0] != text) {
		return "", false
	}
	if element, _ := itemOf(text); element != "" {
		return "", false
	}
	return text, canonical(inner) == canonical(lineHTML(text, tags))
}

// notedList converts a list to the notation. It returns false if an item is more than one line.
func notedList(html, raw string) (text string, known bool) {
	m := listElement.FindStringSubmatch(html)
	if m == nil || m[1] != m[3] || strings.Contains(raw, `"ordered"`) != (m[1] == ordered && strings.Contains(raw, blockMark)) {
		return "", false
	}
	tags := map[string]string{}
	linkTags(raw, tags)
	var lines []string
	for rest := m[2]; strings.TrimSpace(rest) != ""; {
		item := itemElement.FindStringSubmatchIndex(rest)
		if item == nil {
			return "", false
		}
		inner := brokenLines(rest[item[2]:item[3]], false)
		rest = rest[item[1]:]
		line, ok := lineText(inner)
		if !ok || line == "" || strings.Contains(line, "\n") || blockTag.MatchString(inner) ||
			canonical(inner) != canonical(lineHTML(line, tags)) {
			return "", false
		}
		mark := dash
		if m[1] == ordered {
			mark = numbered(len(lines) + 1)
		}
		lines = append(lines, mark+line)
	}
	text = strings.Join(lines, "\n")
	same := split(text)
	return text, len(same) == 1 && same[0] == text
}

// pieceHTML converts a paragraph or a list in the notation to HTML.
func pieceHTML(text string, classic bool, tags map[string]string) string {
	element, _ := itemOf(text)
	block := func(name, html string) string {
		if classic {
			return html
		}
		name, _, _ = strings.Cut(name, " ")
		return html + "\n<!-- /wp:" + name + " -->"
	}
	open := func(name string) string {
		if classic {
			return ""
		}
		return blockMark + name + " -->\n"
	}
	if element == "" {
		return open("paragraph") + block("paragraph", "<p>"+lineHTML(text, tags)+"</p>")
	}
	name, class := "list", ""
	if !classic {
		class = ` class="wp-block-list"`
	}
	if element == ordered {
		name = `list {"ordered":true}`
	}
	var items []string
	for line := range strings.SplitSeq(text, "\n") {
		_, item := itemOf(line)
		items = append(items, open("list-item")+block("list-item", "<li>"+lineHTML(item, tags)+"</li>"))
	}
	return open(name) + block(name, "<"+element+class+">"+strings.Join(items, "\n\n")+"</"+element+">")
}
