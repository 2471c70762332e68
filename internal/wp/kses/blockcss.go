package kses

import (
	"encoding/json"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// FilterContent is Filter for content with blocks. It also removes the custom CSS of blocks: before filtering, as
// WordPress does, and again afterwards, since what the filter removes may have hidden a block.
func FilterContent(html string, list *Allowed) string {
	return withoutBlockCSS(Filter(withoutBlockCSS(html), list))
}

// withoutBlockCSS removes the custom CSS of blocks (the member "css" of the attribute "style"), which WordPress prints
// into pages since 7.0. It also removes a style and attributes that become empty.
func withoutBlockCSS(s string) string {
	if !strings.Contains(s, "wp:") {
		return s
	}
	var b strings.Builder
	from := 0
	for d := range Delimiters(s) {
		if d.Closer && !d.Void {
			continue
		}
		kept, changed := attributesWithoutCSS(d.Attrs)
		if !changed {
			continue
		}
		i := d.Start + strings.IndexByte(s[d.Start:], '{')
		b.WriteString(s[from:i])
		b.WriteString(kept)
		from = i + len(d.Attrs)
		if kept == "" {
			from += len(s[from:d.End]) - len(skipSpace(s[from:d.End]))
		}
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// attributesWithoutCSS returns the attributes of a block without custom CSS. The second result reports whether there
// was any.
func attributesWithoutCSS(attrs string) (string, bool) {
	if !strings.Contains(attrs, "css") && !strings.Contains(attrs, `\`) { // an escape sequence may stand for a letter of "css"
		return attrs, false
	}
	v, ok := decodeJSON(attrs)
	if !ok { // other JSON parsers may accept it, and then it might contain CSS
		return "", json.Valid([]byte(attrs))
	}
	list, _ := v.(*phpval.Array)
	style := list.ArrayAt("style")
	if style.At("css") == nil {
		return attrs, false
	}
	style.Delete(phpval.StrKey("css"))
	if style.Len() == 0 {
		list.Delete(phpval.StrKey("style"))
	}
	if list.Len() == 0 {
		return "", true
	}
	return string(appendJSON(nil, list)), true
}
