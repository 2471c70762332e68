package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// withoutCSS are the blocks that cannot have custom CSS.
var withoutCSS = wp.NameSet("core/block core/html core/shortcode core/freeform core/more core/nextpage core/missing")

const cssClass = "wp-custom-css-"

// ownCSS returns the class of a block with custom CSS. It contains a hash of the block, whose class attribute is
// className. Pages contain the CSS itself; answers do not.
func ownCSS(b, parent *block, className string) string {
	if !strings.Contains(b.raw, `"css"`) || withoutCSS[b.name] {
		return ""
	}
	css, _ := b.attrs().ArrayAt("style").At("css").(string)
	if phpval.Trim(css) == "" || hasMarkup(css) {
		return ""
	}
	whole := b.value()
	if className != "" && className != phpval.Text(b.attrs().At("className")) {
		whole.Set(phpval.StrKey("attrs"), withMember(b.attrs(), "className", className))
	}
	if parent != nil {
		if layout := parent.attrs().At("layout"); layout != nil {
			whole.Set(phpval.StrKey("parentLayout"), layout)
		}
	}
	return cssClass + shortHash(whole)
}

// hasMarkup reports whether CSS contains a tag.
func hasMarkup(css string) bool {
	for _, s := range strings.Split(css, "<")[1:] {
		s = strings.TrimPrefix(s, "/")
		if s != "" && (isLetter(s[0]) || wp.IsDigit(s[0], 10) || s[0] == '_') {
			return true
		}
	}
	return false
}

// withMember returns a copy of an array with a member set.
func withMember(list *phpval.Array, name string, v phpval.Value) *phpval.Array {
	out := &phpval.Array{}
	for key, old := range list.All() {
		out.Set(key, old)
	}
	out.Set(phpval.StrKey(name), v)
	return out
}
