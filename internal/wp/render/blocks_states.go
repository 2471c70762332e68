package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// statesClass returns the class of a block with styles for states such as hover or for small viewports. It contains a
// hash of the CSS rules, which pages contain. It is "" if the block has no such rules.
func (r *blockRenderer) statesClass(b *block) string {
	if !strings.Contains(b.raw, `":`) || !strings.Contains(b.raw, `"@`) && !strings.Contains(b.raw, `":h`) &&
		!strings.Contains(b.raw, `":f`) && !strings.Contains(b.raw, `":a`) || !isKnown(b.name, r.env.Release) {
		return ""
	}
	style := b.attrs().ArrayAt("style")
	s := stateRules{block: b.name, rules: &phpval.Array{}}
	s.addStates(style, "")
	for _, v := range viewports {
		set := style.ArrayAt(v.name)
		s.addRules("", set, v.media)
		s.addElements(set.ArrayAt("elements"), v.media)
		s.addStates(set, v.media)
	}
	if s.rules.Len() == 0 {
		return ""
	}
	return "wp-states-" + shortHash(phpval.Members("blockName", b.name, "rules", s.rules))
}

// viewports are the small viewports for which a block may have styles, in the order of the rules.
var viewports = []struct{ name, media string }{
	{"@mobile", "@media (width <= 480px)"}, {"@tablet", "@media (480px < width <= 782px)"},
}

// stateRules collects the CSS rules of a block, in the form of the PHP array that WordPress hashes.
type stateRules struct {
	block string
	rules *phpval.Array
}

// addStates adds the rules for a block's states. Only buttons and navigation links have states.
func (s *stateRules) addStates(style *phpval.Array, media string) {
	if s.block != "core/button" && s.block != "core/navigation-link" {
		return
	}
	for _, state := range []string{":hover", ":focus", ":focus-visible", ":active"} {
		s.addRules(state, style.ArrayAt(state), media)
	}
}

// addRules adds the rules for a state: one for each selector of the block's properties.
func (s *stateRules) addRules(state string, style *phpval.Array, media string) {
	if style.Len() == 0 {
		return
	}
	selectors := selectorsOf[s.block]
	var order []string
	rules := map[string]*phpval.Array{}
	for _, d := range declarationsOf(style) {
		selector := selectors.selectorFor(d.path)
		if rules[selector] == nil {
			order = append(order, selector)
			rules[selector] = &phpval.Array{}
		}
		rules[selector].Set(phpval.StrKey(d.property), d.value)
	}
	for _, selector := range order {
		var v phpval.Value = selector
		if selector == "" {
			v = nil
		}
		s.addRule(state, v, rules[selector], media)
	}
}

func (s *stateRules) addRule(state string, selector phpval.Value, declarations *phpval.Array, media string) {
	rule := phpval.Members("state", state, "selector", selector, "declarations", declarations)
	if media != "" {
		rule.Set(phpval.StrKey("rules_group"), media)
	}
	s.rules.Set(phpval.IntKey(int64(s.rules.Len())), rule)
}

// addElements adds the rules for elements in a block.
func (s *stateRules) addElements(elements *phpval.Array, media string) {
	for name, v := range elements.All() {
		style, _ := v.(*phpval.Array)
		selector := elementSelectors[name.String()]
		if style.Len() == 0 || selector == "" {
			continue
		}
		selector = within(selectorsOf[s.block].around(s.block), selector)
		s.addElement("", selector, style, media)
		if name.String() != "link" && name.String() != "button" {
			continue
		}
		for _, state := range []string{":link", ":any-link", ":visited", ":hover", ":focus", ":focus-visible", ":active"} {
			s.addElement(state, selector, style.ArrayAt(state), media)
		}
	}
}

func (s *stateRules) addElement(state, selector string, style *phpval.Array, media string) {
	declarations := &phpval.Array{}
	for _, d := range declarationsOf(style) {
		declarations.Set(phpval.StrKey(d.property), d.value)
	}
	if declarations.Len() > 0 {
		s.addRule(state, selector, declarations, media)
	}
}

// within prepends a selector to each selector in a list. White space after commas is kept.
func within(around, list string) string {
	parts := strings.Split(list, ",")
	for i, p := range parts {
		parts[i] = around + " " + p
	}
	return strings.Join(parts, ",")
}

// styleDeclaration is a CSS declaration that results from a setting.
type styleDeclaration struct {
	path     string // path of the setting
	property string
	value    phpval.Value
}

// declarationsOf returns the declarations of settings, in the order of styleProperties.
func declarationsOf(style *phpval.Array) []styleDeclaration {
	var list []styleDeclaration
	for _, p := range styleProperties {
		group, name, nested := strings.Cut(p.path, ".")
		v := style.At(group)
		if nested {
			v = style.ArrayAt(group).At(name)
		}
		list = p.appendTo(list, v)
	}
	background := slices.IndexFunc(list, func(d styleDeclaration) bool { return d.path == "background.backgroundImage" })
	gradient := slices.IndexFunc(list, func(d styleDeclaration) bool { return d.path == "background.gradient" })
	if background >= 0 && gradient >= 0 {
		list[background].value = phpval.Text(list[gradient].value) + ", " + phpval.Text(list[background].value)
		list = slices.Delete(list, gradient, gradient+1)
	}
	return list
}

func (p styleProperty) appendTo(list []styleDeclaration, v phpval.Value) []styleDeclaration {
	put := func(property string, v phpval.Value) {
		if text, ok := v.(string); ok {
			v = presetVariable(text)
		}
		if _, nested := v.(*phpval.Array); !nested && (phpval.Truthy(v) || v == "0") {
			list = append(list, styleDeclaration{p.path, property, v})
		}
	}
	sides, _ := v.(*phpval.Array)
	switch {
	case sides == nil:
		if p.sides != onlySides {
			put(p.property, v)
		}
	case p.sides == picture:
		if url, _ := sides.At("url").(string); url != "" {
			put(p.property, "url('"+url+"')")
		}
	case p.sides == onlySides:
		for key, v := range sides.All() {
			switch key.String() {
			case "width", "color", "style":
				put(p.property+"-"+key.String(), v)
			}
		}
	case p.sides != "":
		for key, v := range sides.All() {
			put(strings.Replace(p.sides, "%", kebab(key.String()), 1), v)
		}
	}
	return list
}
