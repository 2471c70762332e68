package exchange

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// maxText is how many bytes a text of a source without trust has at most (D95).
const maxText = 64 << 10

var (
	elementTag = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9-]*)[^<>]*>`)
	// voidTags have no end.
	voidTags = strings.Fields("area base br col embed hr img input link meta param source track wbr")
)

// shortText cuts a text to maxText, at a character, and closes its tags.
func shortText(text string) string {
	closed := func(limit int) string {
		cut := cutText(text, limit)
		return cut + openTags(cut)
	}
	// The more is left out, the fewer tags are left to close.
	least := sort.Search(maxText, func(left int) bool { return len(closed(maxText-left)) <= maxText })
	return closed(maxText - least)
}

// cutText cuts a text at a character, before a tag or comment that would not be whole.
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
	return text
}

// openTags returns the ends of the elements that a text leaves open.
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
