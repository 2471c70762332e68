package exchange

import (
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// maxText is the maximum length, in bytes, of a text from an untrusted source as it is stored (D95). The columns of titles and excerpts
// hold as much.
const maxText = 64<<10 - 1

// maxLonger is the greatest number of bytes that the HTML filter writes for one byte: "&" becomes "&amp;".
const maxLonger = 5

// shorten truncates the texts of a record from an untrusted source, and those of the items that it links, to maxText (D95). It returns a
// problem for each truncated text. asStored returns a text that may contain HTML as it will be stored: the filter can make it longer.
func (rec *Record) shorten(asStored func(string) string) (problems []*Problem) {
	for _, name := range slices.Sorted(maps.Keys(rec.Values)) {
		text, isText := rec.Values[name].(string)
		if !isText {
			continue
		}
		html := name == rec.title || name == fieldDescription || name == fieldExcerpt
		if html && len(text) > maxText/maxLonger {
			text = asStored(text)
		}
		if len(text) <= maxText {
			continue
		}
		rec.Values[name] = shortText(text)
		p := rec.refuse(name, "was cut to 64 KiB, the limit for sources that are not trusted")
		p.Trust = true
		problems = append(problems, p)
	}
	for _, kind := range slices.Sorted(maps.Keys(rec.Linked)) {
		for _, one := range rec.Linked[kind] {
			problems = append(problems, one.shorten(asStored)...)
		}
	}
	if rec.Parent != nil {
		problems = append(problems, rec.Parent.shorten(asStored)...)
	}
	return problems
}

var (
	elementTag = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9-]*)[^<>]*>`)
	// voidTags lists the elements that have no end tag.
	voidTags = strings.Fields("area base br col embed hr img input link meta param source track wbr")
)

// shortText truncates HTML to maxText bytes, between characters, and closes the elements that are open.
func shortText(text string) string {
	closed := func(limit int) string {
		cut := cutText(text, limit)
		return cut + openTags(cut)
	}
	// The more is cut off, the fewer elements are left to close, so a binary search finds the least cut.
	least := sort.Search(maxText, func(left int) bool { return len(closed(maxText-left)) <= maxText })
	return closed(maxText - least)
}

// maxReference is the maximum length, in bytes, of a character reference, such as "&CounterClockwiseContourIntegral;".
const maxReference = 33

// cutText truncates HTML between characters, before a tag, comment or character reference that would be incomplete.
func cutText(text string, limit int) string {
	limit = min(limit, len(text))
	for limit > 0 && limit < len(text) && !utf8.RuneStart(text[limit]) {
		limit--
	}
	text = text[:limit]
	if at := strings.LastIndex(text, "<!--"); at > strings.LastIndex(text, "-->") {
		text = text[:at]
	}
	if at := strings.LastIndexByte(text, '<'); at > strings.LastIndexByte(text, '>') {
		text = text[:at]
	}
	if at := strings.LastIndexByte(text, '&'); at > strings.LastIndexByte(text, ';') && len(text)-at < maxReference {
		text = text[:at]
	}
	return text
}

// openTags returns the end tags of the elements that HTML leaves open.
func openTags(text string) string {
	var open []string
	for _, tag := range elementTag.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(tag[2])
		switch {
		case slices.Contains(voidTags, name):
		case tag[1] == "":
			open = append(open, name)
		default:
			if at := lastIndex(open, name); at >= 0 {
				open = open[:at]
			}
		}
	}
	var ends strings.Builder
	for _, name := range slices.Backward(open) {
		ends.WriteString("</" + name + ">")
	}
	return ends.String()
}

func lastIndex(list []string, one string) int {
	for i, s := range slices.Backward(list) {
		if s == one {
			return i
		}
	}
	return -1
}
