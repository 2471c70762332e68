package render

import (
	"strconv"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// Names of the blocks that make up tabs.
const (
	tabsBlock      = "core/tabs"
	tabListBlock   = "core/tab-list"
	tabPanelsBlock = "core/tab-panels"
	tabPanelBlock  = "core/tab-panel"
)

// maxAnchor is the greatest length of ids of tabs and panels, which occur many times in the HTML. Longer ones are
// ignored.
const maxAnchor = 255

// tabsRun is the state of the tabs that enclose the current block.
type tabsRun struct {
	id     string
	panels []string // ids of the panels
}

// openTabs begins tabs and returns the enclosing ones.
func (r *blockRenderer) openTabs(b *block) *tabsRun {
	around := r.tabs
	if !r.has(release.Tabs) {
		return around
	}
	id, anchored := b.attrs().At("anchor").(string)
	if !anchored || len(id) > maxAnchor {
		id = "tabs_" + r.id()
	}
	r.tabs = &tabsRun{id: id}
	for _, p := range b.content {
		if p.inner != nil && p.inner.name == tabPanelsBlock {
			r.tabs.addPanels(p.inner)
		}
	}
	return around
}

func (t *tabsRun) addPanels(panels *block) {
	for _, p := range panels.content {
		if p.inner == nil || p.inner.name != tabPanelBlock {
			continue
		}
		id, _ := p.inner.attrs().At("anchor").(string)
		if id == "" || len(id) > maxAnchor {
			id = panelID(t.id, len(t.panels))
		}
		t.panels = append(t.panels, id)
	}
}

// panelID returns the default id of the nth panel in tabs with an id.
func panelID(tabs string, n int) string {
	if tabs != "" {
		tabs += "-"
	}
	return tabs + "tab-" + strconv.Itoa(n)
}

// changeTabs adds the attributes with which WordPress's script switches tabs. All panels are hidden until the script
// shows the active one.
func changeTabs(r *blockRenderer, b, _ *block, html string) string {
	if !r.has(release.Tabs) {
		return html
	}
	if r.tabs.id == "" {
		return ""
	}
	if _, ok := findTag(html, "", "wp-block-tabs"); !ok {
		return html
	}
	html = closeTabs(html)
	t, _ := findTag(html, "", "wp-block-tabs")
	context := appendPHPJSON(nil, phpval.Members("tabsId", r.tabs.id, "activeTabIndex", phpval.Int(b.attrs().At("activeTabIndex"))))
	return t.setAttrs(html, tagAttr{name: "data-wp-context", value: string(context)},
		tagAttr{name: "data-wp-init", value: "callbacks.onTabsInit"}, tagAttr{name: "data-wp-interactive", value: tabsBlock},
		tagAttr{name: "data-wp-on--keydown", value: "actions.handleTabKeyDown"})
}

const panelIsHidden = "!state.isActiveTab"

// closeTabs hides all panels, and removes from the buttons the attributes that show which is active, which the script
// sets.
func closeTabs(html string) string {
	return changeTags(html, func(tag string, t htmlTag) string {
		if a, _ := t.attr(tag, "data-wp-bind--hidden"); a.value == panelIsHidden {
			return t.setAttrs(tag, tagAttr{name: "hidden", bare: true})
		}
		if _, ok := t.attr(tag, "data-wp-bind--aria-selected"); ok {
			return t.withoutAttr(t.withoutAttr(tag, "aria-selected"), "tabindex")
		}
		return tag
	})
}

// changeTabList labels a list of tabs and links its buttons with the panels.
func changeTabList(r *blockRenderer, b, _ *block, html string) string {
	if !r.has(release.Tabs) {
		return html
	}
	if r.tabs != nil {
		n := 0
		html = changeTags(html, func(tag string, t htmlTag) string {
			if t.name != "button" || n == len(r.tabs.panels) || !r.makes() {
				return tag
			}
			n++
			return t.setAttrs(tag, tabButton(wp.EscapeHTML(r.tabs.panels[n-1]), n-1)...)
		})
	}
	t, ok := findTag(html, "", "wp-block-tab-list")
	if !ok {
		return html
	}
	label, _ := b.attrs().At("ariaLabel").(string)
	if label = wp.StripToText(label); label == "" {
		label = "Tabbed content"
	}
	return t.setAttrs(html, tagAttr{name: "aria-label", value: label})
}

func tabButton(panel string, n int) []tagAttr {
	return []tagAttr{
		{name: "aria-controls", value: panel}, {name: "data-wp-bind--aria-selected", value: "state.isActiveTab"},
		{name: "data-wp-bind--tabindex", value: "state.tabIndexAttribute"},
		{name: "data-wp-context", value: `{"tabIndex":` + strconv.Itoa(n) + "}"},
		{name: "data-wp-on--click", value: "actions.handleTabClick"}, {name: "data-wp-on--keydown", value: "actions.handleTabKeyDown"},
		{name: "id", value: "tab__" + panel},
	}
}

// changeTabPanel sets the id of a panel and links it with its button.
func changeTabPanel(r *blockRenderer, _, _ *block, html string) string {
	if !r.has(release.Tabs) {
		return html
	}
	tabs := ""
	if r.tabs != nil {
		tabs = r.tabs.id
	}
	n := r.panels[tabs]
	if r.panels == nil {
		r.panels = map[string]int{}
	}
	r.panels[tabs]++
	t, ok := findTag(html, "", "wp-block-tab-panel")
	if !ok {
		return html
	}
	set := []tagAttr{{name: "data-wp-bind--hidden", value: panelIsHidden}}
	own, _ := t.attr(html, "id")
	id := own.decoded()
	if id == "" {
		id = panelID(tabs, n)
		set = append(set, tagAttr{name: "id", value: id})
	}
	return t.setAttrs(html, append(set, tagAttr{name: "aria-labelledby", value: "tab__" + id})...)
}
