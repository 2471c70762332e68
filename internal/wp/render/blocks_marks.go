package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/release"
)

// blockMarks are the classes of a block that are determined before its inner blocks are rendered, so that numbered
// classes follow the order in which blocks begin.
type blockMarks struct {
	elements, style, css string
	className            string // the attribute className followed by these classes
}

// marks determines the classes that a block's settings imply.
func (r *blockRenderer) marks(b, parent *block, depth int) (m blockMarks) {
	if !strings.Contains(b.raw, "elements") && !strings.Contains(b.raw, "is-style-") && !strings.Contains(b.raw, "css") {
		return m
	}
	m.className, _ = b.attrs().At("className").(string)
	m.addClass(r.elementsClass(b, depth))
	m.style = r.styleClass(b)
	m.addClass(m.style)
	if r.has(release.CustomCSS) {
		if depth <= hashDepth {
			m.addClass(ownCSS(b, parent, m.className))
		}
		m.css = classWith(m.className, cssClass)
	}
	m.elements = classWith(m.className, elementsPrefix)
	return m
}

func (m *blockMarks) addClass(class string) {
	if class != "" && m.className != "" {
		m.className += " "
	}
	m.className += class
}

// classWith returns the first class that begins with a prefix, "" if there is none.
func classWith(classes, prefix string) string {
	if !strings.Contains(classes, prefix) {
		return ""
	}
	for _, c := range strings.Fields(classes) {
		if strings.HasPrefix(c, prefix) {
			return c
		}
	}
	return ""
}
