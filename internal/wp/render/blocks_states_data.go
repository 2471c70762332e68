package render

import "strings"

// styleProperty is a style setting with its CSS declaration.
type styleProperty struct {
	path, property string
	sides          string // name of the property for a side, with "%" for the side; or one of the constants below
}

// Values of styleProperty.sides for settings that do not have a value for each side.
const (
	picture   = "picture"   // an image file
	onlySides = "onlySides" // the sides of a border, which have no common property
)

// styleProperties are the settings that styles of states may contain, in the order of their declarations.
var styleProperties = []styleProperty{
	{path: "background.backgroundImage", property: "background-image", sides: picture},
	{path: "background.backgroundPosition", property: "background-position"},
	{path: "background.backgroundRepeat", property: "background-repeat"},
	{path: "background.backgroundSize", property: "background-size"},
	{path: "background.backgroundAttachment", property: "background-attachment"},
	{path: "background.gradient", property: "background-image"},
	{path: "color.text", property: "color"},
	{path: "color.background", property: "background-color"},
	{path: "color.gradient", property: "background"},
	{path: "border.color", property: "border-color", sides: "border-%-color"},
	{path: "border.radius", property: "border-radius", sides: "border-%-radius"},
	{path: "border.style", property: "border-style", sides: "border-%-style"},
	{path: "border.width", property: "border-width", sides: "border-%-width"},
	{path: "border.top", property: "border-top", sides: onlySides},
	{path: "border.right", property: "border-right", sides: onlySides},
	{path: "border.bottom", property: "border-bottom", sides: onlySides},
	{path: "border.left", property: "border-left", sides: onlySides},
	{path: "shadow", property: "box-shadow"},
	{path: "dimensions.aspectRatio", property: "aspect-ratio"},
	{path: "dimensions.height", property: "height"},
	{path: "dimensions.minHeight", property: "min-height"},
	{path: "dimensions.minWidth", property: "min-width"},
	{path: "dimensions.objectFit", property: "object-fit"},
	{path: "dimensions.width", property: "width"},
	{path: "spacing.padding", property: "padding", sides: "padding-%"},
	{path: "spacing.margin", property: "margin", sides: "margin-%"},
	{path: "typography.fontSize", property: "font-size"},
	{path: "typography.fontFamily", property: "font-family"},
	{path: "typography.fontStyle", property: "font-style"},
	{path: "typography.fontWeight", property: "font-weight"},
	{path: "typography.lineHeight", property: "line-height"},
	{path: "typography.textColumns", property: "column-count"},
	{path: "typography.textDecoration", property: "text-decoration"},
	{path: "typography.textIndent", property: "text-indent"},
	{path: "typography.textTransform", property: "text-transform"},
	{path: "typography.letterSpacing", property: "letter-spacing"},
	{path: "typography.writingMode", property: "writing-mode"},
	{path: "typography.textAlign", property: "text-align"},
}

// selectors are the CSS selectors of a type of block: of the whole block, and of some settings or groups of settings.
type selectors struct {
	root string
	by   map[string]string
}

// selectorFor returns the selector of a setting, "" if there is none.
func (s selectors) selectorFor(path string) string {
	if own := s.by[path]; own != "" {
		return own
	}
	group, _, _ := strings.Cut(path, ".")
	if own := s.by[group]; own != "" {
		return own
	}
	return s.root
}

// around returns the selector that precedes those of elements in a block.
func (s selectors) around(block string) string {
	if s.root != "" {
		return s.root
	}
	return ".wp-block-" + strings.ReplaceAll(strings.TrimPrefix(block, "core/"), "/", "-")
}

const (
	imageBox    = ".wp-block-image img, .wp-block-image .wp-block-image__crop-area, .wp-block-image .components-placeholder"
	tabButtons  = ".wp-block-tab-list button"
	toggleTitle = ".wp-block-accordion-heading .wp-block-accordion-heading__toggle-title"
)

// selectorsOf contains the selectors of blocks. Other blocks have none.
var selectorsOf = map[string]selectors{
	"core/button": {".wp-block-button .wp-block-button__link", map[string]string{
		"typography.writingMode": ".wp-block-button", "dimensions": ".wp-block-button",
	}},
	"core/paragraph": {"p", map[string]string{"typography.textIndent": ".wp-block-paragraph + .wp-block-paragraph"}},
	imageBlock: {"", map[string]string{
		"dimensions": ".wp-block-image img, .wp-block-image .components-placeholder", "border": imageBox, "shadow": imageBox,
	}},
	"core/list": {"", map[string]string{"border": ".wp-block-list:not(.wp-block-list .wp-block-list)"}},
	"core/list-item": {".wp-block-list > li", map[string]string{
		"border": ".wp-block-list:not(.wp-block-list .wp-block-list) > li",
	}},
	"core/table": {".wp-block-table > table", map[string]string{"spacing": ".wp-block-table"}},
	"core/icon":  {".wp-block-icon svg", map[string]string{"spacing.margin": ".wp-block-icon"}},
	"core/tab-list": {"", map[string]string{
		"border": tabButtons, "color.background": tabButtons, "color.text": tabButtons, "spacing.padding": tabButtons,
	}},
	"core/accordion-heading": {"", map[string]string{
		"typography.letterSpacing": toggleTitle, "typography.textDecoration": toggleTitle,
	}},
}

// elementSelectors contains the selectors of elements in blocks.
var elementSelectors = map[string]string{
	"link":    "a:where(:not(.wp-element-button))",
	"heading": "h1, h2, h3, h4, h5, h6",
	"h1":      "h1", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6",
	"button": ".wp-element-button, .wp-block-button__link",
	"caption": ".wp-element-caption, .wp-block-audio figcaption, .wp-block-embed figcaption, .wp-block-gallery figcaption, " +
		".wp-block-image figcaption, .wp-block-table figcaption, .wp-block-video figcaption",
	"cite":      "cite",
	"textInput": "textarea, input:where([type=email],[type=number],[type=password],[type=search],[type=text],[type=tel],[type=url])",
	"select":    "select",
}
