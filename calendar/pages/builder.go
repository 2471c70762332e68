package pages

import (
	"html/template"
	"net/http"
	"strconv"
)

// builderPage is the page on which a visitor chooses events to be shown on another site, sees a preview, and copies the
// HTML for it.
type builderPage struct {
	frame
	Form    form
	View    string // month or list
	Frames  bool   // whether other sites may frame pages
	Way     string // script or frame
	Limit   string
	Limits  []string
	Part    template.HTML // the HTML to be copied, shown as a preview with relative addresses
	Snippet string        // the HTML to be copied, with absolute addresses, shown as text
}

// Parameters of the builder, in addition to those of the calendar.
const (
	paramWay  = "way"
	wayFrame  = "frame"
	wayScript = "script"
)

// showBuilder shows the form with the current choices.
func (s *Site) showBuilder(w http.ResponseWriter, r *http.Request, v *version) error {
	q := r.URL.Query()
	way := wayScript
	if values := given(q[paramWay]); len(values) > 0 {
		if way = values[0]; len(values) > 1 || way != wayFrame && way != wayScript || way == wayFrame && !s.policy.frames() {
			return notFound()
		}
	}
	chosen := r.URL.Query()
	switch chosen.Get(paramView) {
	case "month": // month is the default of the calendar, but one of two radio buttons here
		chosen.Del(paramView)
	case "":
		chosen.Set(paramView, "list")
	}
	st, known := readPart(chosen, s.client.own)
	if !known || st.page > 1 || !st.month.IsZero() {
		return notFound()
	}
	menu, err := s.client.menu(r.Context(), v)
	if err != nil {
		return err
	}
	filters, err := s.client.filters(r.Context(), v, st, menu.tree)
	if err != nil {
		return err
	}
	to := route{kind: builder}
	p := builderPage{
		frame: s.frame(r, v, v.link(to), same(to), noItem), Form: v.form(st, filters, menu), View: "month", Way: way,
		Frames: s.policy.frames(),
		Limits: []string{"5", "10", "20", "50"},
	}
	if st.view == listView {
		p.View = "list"
	}
	if st.limit > 0 {
		p.Limit = strconv.Itoa(st.limit)
	}
	p.Form.Action, p.Script = v.link(to), s.buttons()
	p.Title, p.Description = v.texts.word("embed.title"), v.fill("embed.lead", v.name)
	script := s.at.assets + scriptPath
	p.Part, p.Snippet = v.part(way, st, "", script, v.name), string(v.part(way, st, s.at.base(r), script, v.name))
	return s.render(w, r, v, http.StatusOK, builderTemplate, p)
}

// part returns the HTML that shows the events of a state on another page: an iframe, or a custom element that the
// script fills. The content of the element is for visitors without scripts.
func (v *version) part(way string, st state, base, script, name string) template.HTML {
	text := template.HTMLEscapeString
	if way == wayFrame {
		return template.HTML(`<iframe src="` + text(base+v.home(st)) + `" title="` + text(name) +
			`" width="100%" height="640" loading="lazy" frameborder="0"></iframe>`)
	}
	attributes := ` src="` + text(base+v.link(route{kind: home})) + `"`
	add := func(key, value string) {
		if value != "" {
			attributes += " " + key + `="` + text(value) + `"`
		}
	}
	for i, f := range filterParams {
		add(f.name, st.slugs[i])
	}
	add(paramQuery, st.query)
	if st.free {
		add(paramFree, "1")
	}
	if st.limit > 0 {
		add(paramLimit, strconv.Itoa(st.limit))
	}
	add(paramNear, st.near)
	add("filters", st.own)
	if st.view == monthView {
		add(paramView, "month")
	}
	return template.HTML(`<script async src="` + text(base+script) + `"></script>` + "\n" +
		`<agenda-events` + attributes + `><a href="` + text(base+v.home(st.whole())) + `">` + text(name) + `</a></agenda-events>`)
}
