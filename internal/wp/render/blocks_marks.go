package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/release"
)

// blockMarks are the classes of a block that are made before the blocks in it are rendered, so that numbers are
// given out in the order in which blocks begin.
type blockMarks struct {
	elements, style, css string
	className            string // the attribute className, and these
}

// marks returns the classes that a block gets by its settings.
func (r *blockRenderer) marks(b, parent *block, depth int) (m blockMarks) {
	if !strings.Contains(b.raw, "elements") && !strings.Contains(b.raw, "is-style-") && !strings.Contains(b.raw, "css") {
		return m
	}
	m.className, _ = b.attrs().At("className").(string)
	m.add(r.elementsClass(b, depth))
	m.style = r.styleClass(b)
	m.add(m.style)
	if r.has(release.CustomCSS) {
		if depth <= hashDepth {
			m.add(ownCSS(b, parent, m.className))
		}
		m.css = classWith(m.className, cssClass)
	}
	m.elements = classWith(m.className, elementsPrefix)
	return m
}

func (m *blockMarks) add(class string) {
	if class != "" && m.className != "" {
		m.className += " "
	}
	m.className += class
}

// classWith returns the first of some classes that starts with a prefix.
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
