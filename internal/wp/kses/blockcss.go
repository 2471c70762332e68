package kses

import (
	"encoding/json"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// FilterContent is Filter for contents, whose blocks are rendered: also the CSS of blocks is removed, before the filter as
// WordPress does, and after it since what the filter removes might have hidden a block.
func FilterContent(html string, list *Allowed) string {
	return withoutBlockCSS(Filter(withoutBlockCSS(html), list))
}

// withoutBlockCSS removes from the blocks of a text the CSS of their own (css in their attribute style), which
// WordPress prints into its pages since 7.0. A style and attributes that are empty then go, too.
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

// attributesWithoutCSS returns the attributes of a block without CSS, and whether they had some.
func attributesWithoutCSS(attrs string) (string, bool) {
	if !strings.Contains(attrs, "css") && !strings.Contains(attrs, `\`) { // which may write a letter of the name
		return attrs, false
	}
	v, ok := decodeJSON(attrs)
	if !ok { // what is JSON to other programs alone might have some
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
