package release

// Behaviour is a way in which WordPress has behaved since a certain release.
type Behaviour int

// Rendering of content.
const (
	ParagraphClass Behaviour = iota
	ThemeGaps
	ViewportLayout
	LayoutTag
	ChildLayout
	ElementsCounter
	FetchPriority
	AccordionHidden
	ViewportVisibility
	HiddenFreeform
	CustomCSS
	States
	ButtonWidth
	Icons
	IconTurns
	Tabs
	Playlists
	OverlayClose
	WrapperOrder
	NoteMarks
	BackgroundGradient
	CoverRatio
	LightboxPreload
	DynamicGallery
	CaptionCounter
	HiddenInSummary

	// Filtering of HTML.

	ParsedAttributes
	DecodedStyles
	StyleDisplay
	StyleDrawing
	StyleFunctions
	StyleGradients
	FocusAttributes

	// Slugs.

	CapitalSharpS

	behaviourCount
)

// Change describes a behaviour in the table of behaviours.
type Change struct {
	Since Release
	Words string // description, for documentation
	Lacks string // what of it is not implemented; "" if it is complete
}

var changes = [behaviourCount]Change{
	ParagraphClass:     {Since: WP70, Words: "paragraph blocks have the class `wp-block-paragraph`; shortcodes alone in one stay in it"},
	ThemeGaps:          {Since: WP70, Words: "classes of layouts depend on the gaps of the theme and of its changes by users"},
	ViewportLayout:     {Since: WP71, Words: "classes of layouts depend on those for small windows; galleries have such classes"},
	LayoutTag:          {Since: WP71, Words: "classes of layouts are on the last open tag around inner blocks"},
	ChildLayout:        {Since: WP71, Words: "classes of blocks that have a place of their own in a layout, also for small windows"},
	ElementsCounter:    {Since: WP71, Words: "classes `wp-elements-N` are counted instead of hashed, and those of known blocks alone"},
	FetchPriority:      {Since: WP70, Words: "pictures in closed details and accordions have a low priority"},
	AccordionHidden:    {Since: WP71, Words: "panels of accordions are hidden by `hidden`, not `inert`"},
	ViewportVisibility: {Since: WP70, Words: "blocks can be hidden in windows of a size"},
	HiddenFreeform:     {Since: WP70, Words: "classic blocks can be hidden"},
	CustomCSS:          {Since: WP70, Words: "blocks with CSS of their own have classes `wp-custom-css-…`"},
	States:             {Since: WP71, Words: "blocks with styles for states and small windows have classes `wp-states-…`"},
	ButtonWidth:        {Since: WP71, Words: "widths of buttons of any size"},
	Icons:              {Since: WP70, Words: "icon blocks", Lacks: "the pictures are drawings of our own"},
	IconTurns:          {Since: WP71, Words: "icons that are flipped or turned"},
	Tabs:               {Since: WP71, Words: "tabs"},
	Playlists:          {Since: WP71, Words: "playlist blocks"},
	OverlayClose: {
		Since: WP70, Words: "the button that closes a navigation", Lacks: "the picture is a drawing of our own",
	},
	WrapperOrder:       {Since: WP70, Words: "order of attributes and classes of blocks that the server writes; their anchors"},
	NoteMarks:          {Since: WP71, Words: "marks of notes are left out"},
	BackgroundGradient: {Since: WP71, Words: "gradients as backgrounds"},
	CoverRatio:         {Since: WP71, Words: "covers with an aspect ratio have no height of their own"},
	LightboxPreload:    {Since: WP70, Words: "pictures that open in a lightbox are loaded before, and know their gallery"},
	DynamicGallery:     {Since: WP71, Words: "galleries of the files of a post show nothing here"},
	CaptionCounter:     {Since: WP71, Words: "ids of captions are counted"},
	HiddenInSummary:    {Since: WP71, Words: "hidden blocks are left out of `json_ld.description`"},
	ParsedAttributes: {
		Since: WP70, Words: "attributes are read as browsers do, and written anew: in double quotes, lower case, each once",
	},
	DecodedStyles:   {Since: WP70, Words: "`style` is filtered after its references are decoded"},
	StyleDisplay:    {Since: WP70, Words: "`display` is kept"},
	StyleDrawing:    {Since: WP71, Words: "properties of SVG, of text and of transformations are kept"},
	StyleFunctions:  {Since: WP71, Words: "functions of transformations and shapes are kept"},
	StyleGradients:  {Since: WP71, Words: "gradients are kept beside other values, with any functions of colors"},
	FocusAttributes: {Since: WP71, Words: "`tabindex`; `command` and `commandfor` of buttons; `autofocus` of dialogs are kept"},
	CapitalSharpS:   {Since: WP70, Words: "ẞ in slugs of German sites is `ss`"},
}

// Has reports whether the release has a behaviour.
func (r Release) Has(b Behaviour) bool { return r >= changes[b].Since }

// Changes returns the descriptions of all behaviours, in order.
func Changes() []Change { return changes[:] }
