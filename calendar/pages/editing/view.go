package editing

import (
	"cmp"
	"encoding/json"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// formPage contains the values of the page of a form.
type formPage struct {
	Kind, Action, List string
	New, Gone          bool
	Clash              bool     // somebody else changed the item
	Rest               []string // errors of the whole form
	Fields, Folded     []fieldView
	Open               bool // folded fields are shown
	Was                string
	Status             string // key of a text
	Address            string // address of the public page
	Publishes          bool   // the user may publish without review
	Draft              bool   // the item is not published
	Terms              bool
	Hints              []string
	Dates              []dateRow
	Preview            *previewView
}

// fieldView contains the values of a field for its template.
type fieldView struct {
	Name, Widget string
	Label, Note  string // texts
	Required     bool
	Wrong        string   // error of the field
	Alike        []string // names similar to the one that was not found
	Values       url.Values
	Own          *calendar.Field
	Options      []optionView
	Parts        []partView
	Series       *seriesView
	Mine, Theirs string // both values of a field that somebody else changed
	TheirPicture string // address of the image that somebody else stored meanwhile
	Clash        bool
	Picture      string
	Input        string // name of the single input of a host's field
}

type optionView struct {
	Value, Name string
	Chosen      bool
}

// partView is a part of a description: editable or preserved.
type partView struct {
	Kept template.HTML
	Text string
	Rows int
}

// Value returns the value of an input.
func (v fieldView) Value(name string) string { return v.Values.Get(name) }

type dateRow struct{ Text, Link string }

// page returns the page of the form.
func (f *sheet) page(status int) (answer, error) {
	if err := f.lookAt(); err != nil {
		return answer{}, err
	}
	if len(f.clashes) > 0 {
		f.meet()
	}
	was, err := json.Marshal(f.w.was)
	if err != nil {
		return answer{}, err
	}
	k, r := f.w.editor, f.r
	if f.id != 0 && f.status == "" { // the buttons depend on it
		if now, err := k.get(r.Context(), f.site.Calendar, f.id); err == nil {
			f.about(now)
		}
	}
	p := formPage{
		Kind: k.name, List: r.link("/" + k.name + "/"), New: f.w.fresh, Gone: f.gone, Clash: len(f.clashes) > 0,
		Rest: f.rest, Was: string(was),
		Publishes: k.mayPublish(r.user()), Draft: f.status != "publish" && f.status != "future" && f.status != "private",
		Terms: k.terms, Address: f.address, Action: r.link("/" + k.name + "/new/"),
	}
	if !f.w.fresh {
		p.Action = r.link("/" + k.name + "/" + decimal(f.id) + "/")
	}
	if f.status != "" {
		p.Status = "status." + f.status
	}
	if f.w.was == nil {
		p.Was = ""
	}
	for _, field := range k.fields {
		if !f.shows(field) {
			continue
		}
		v := f.view(field)
		if field.folded {
			p.Open = p.Open || v.Wrong != "" || v.Clash
			p.Folded = append(p.Folded, v)
			continue
		}
		p.Fields = append(p.Fields, v)
	}
	if k.name == "events" {
		p.Hints = f.neighbours(r.Context())
		if p.Dates, err = f.dateRows(r.Context()); err != nil {
			return answer{}, err
		}
	}
	p.Preview = f.shown()
	title := k.name + ".edit"
	if f.w.fresh {
		title = k.name + ".new"
	}
	return answer{status: status, template: "form.html", title: title, data: p}, nil
}

// meet rebases the form on the item as somebody else changed it: fields that were not changed in the form get the
// current values.
func (f *sheet) meet() {
	was := f.w.was
	f.w.was = maps.Clone(f.theirs)
	if text := f.w.editor.entry("description"); slices.Contains(f.clashes, text) && text.hidden == storedText {
		mine := joined(was.Get(storedText), f.theirs.Get(storedText), composed(baseOf(was), f.w.typed["text"]))
		f.w.was.Set(baseText, mine)
		f.w.typed["text"] = typed(parts(mine))
	} else if was.Has(baseText) && text != nil && !text.same(f.w.typed, was) {
		f.w.was[baseText] = was[baseText]
	}
	for _, field := range f.w.editor.fields {
		if slices.Contains(f.clashes, field) || !field.same(f.w.typed, was) {
			continue
		}
		for _, input := range field.inputs {
			f.w.typed[input] = f.theirs[input]
		}
	}
}

// view returns the values of a field for its template.
func (f *sheet) view(field *entry) fieldView {
	lang := f.r.lang
	v := fieldView{
		Name: field.name, Widget: field.widget, Label: f.label(field), Values: f.w.typed, Own: field.own,
		Required: field.name == f.w.editor.title, Alike: f.w.alike[field.name],
	}
	if note := f.w.editor.name + "." + field.name + ".note"; lang.texts[note] != "" {
		v.Note = lang.word(note)
	}
	if wrong, ok := f.w.faults[field.name]; ok {
		if v.Wrong = wrong.Said; v.Wrong == "" {
			v.Wrong = lang.fill("wrong."+wrong.Key, wrong.Args...)
		}
	}
	if slices.Contains(f.clashes, field) {
		v.Clash, v.Mine, v.Theirs = true, f.said(field, f.w.typed), f.said(field, f.theirs)
		switch field.hidden {
		case storedText:
			v.Mine, v.Theirs = f.saidText(baseOf(f.w.was)), f.saidText(f.theirs.Get(storedText))
		case shownImage:
			v.TheirPicture = f.theirs.Get("image.shown")
		}
	}
	switch {
	case field.own != nil:
		f.viewOwn(&v, field)
	case field.widget == "repeats":
		for _, way := range repeatWays {
			v.Options = append(v.Options, optionView{way, lang.word("repeats." + way), f.w.one("repeats") == way})
		}
		v.Series = f.saidSeries(&v)
	case field.widget == "categories" || field.widget == "parent":
		v.Options = f.terms(f.w.typed[field.inputs[0]])
	case field.widget == "place":
		v.Options = f.venueNames()
	case field.widget == "version":
		v.Options = f.versionNames()
	case field.widget == "text":
		v.Parts = f.partViews()
	case field.widget == "picture":
		if v.Picture = f.w.was.Get("image.shown"); f.w.one("image_new") != "" {
			v.Picture = f.r.link("/pictures/" + f.w.one("image_new") + "/")
		}
	}
	return v
}

// label returns the label of a field.
func (f *sheet) label(field *entry) string {
	if own := field.own; own != nil {
		return cmp.Or(texted(f.r.lang.Tag, own.Labels, own.Label), own.Name)
	}
	return f.r.lang.word(f.w.editor.name + "." + field.name)
}

func (f *sheet) viewOwn(v *fieldView, field *entry) {
	own := field.own
	v.Input = field.inputs[0]
	v.Note = texted(f.r.lang.Tag, own.Texts, own.Description)
	for _, choice := range own.Choices {
		v.Options = append(v.Options, optionView{choice, choice, f.w.one(v.Input) == choice})
	}
}

// texted returns a text of the host in a language or in a more general one, and the default otherwise if there is none.
func texted(tag string, texts map[string]string, otherwise string) string {
	for {
		if text := texts[tag]; text != "" {
			return text
		}
		i := strings.LastIndexByte(tag, '-')
		if i < 0 {
			return otherwise
		}
		tag = tag[:i]
	}
}

// said returns the value of a field in words.
func (f *sheet) said(field *entry, v url.Values) string {
	var list []string
	for _, input := range field.inputs {
		for _, value := range settled(v[input]) {
			switch {
			case value == "":
			case field.widget == "categories":
				for _, t := range f.terms([]string{value}) {
					if t.Chosen {
						list = append(list, strings.TrimLeft(t.Name, "– "))
					}
				}
			case input == "image_new" || input == "image_remove":
				list = append(list, f.r.lang.word(strings.Replace(input, "_", ".", 1)))
			case field.widget == "box" || field.widget == "own-box":
				list = append(list, f.r.lang.word("yes"))
			case input == "repeats":
				list = append(list, f.r.lang.word("repeats."+value))
			case input == "endless" || input == "all_day":
				list = append(list, f.r.lang.word(f.w.editor.name+"."+input))
			default:
				list = append(list, value)
			}
		}
	}
	if len(list) == 0 {
		return f.r.lang.word("nothing")
	}
	return strings.Join(list, " · ")
}

// saidText returns a description in words, with the parts that are preserved.
func (f *sheet) saidText(stored string) string {
	var list []string
	for _, p := range parts(stored) {
		if p.Kept != "" {
			p.Text = readable(p.Kept)
		}
		list = append(list, p.Text)
	}
	if list = filled(list...); len(list) == 0 {
		return f.r.lang.word("nothing")
	}
	return strings.Join(list, " · ")
}

// partViews returns the parts of the description, editable and preserved ones.
func (f *sheet) partViews() (list []partView) {
	texts := slices.Clone(f.w.typed["text"])
	for _, p := range parts(baseOf(f.w.was)) {
		if p.Kept != "" {
			list = append(list, partView{Kept: template.HTML(template.HTMLEscapeString(readable(p.Kept)))})
			continue
		}
		text := ""
		if len(texts) > 0 {
			text, texts = texts[0], texts[1:]
		}
		list = append(list, partView{Text: text, Rows: min(max(strings.Count(text, "\n")+2, 2), 18)})
	}
	if len(list) == 1 {
		list[0].Rows = max(list[0].Rows, 6)
	}
	return list
}

// readable returns the plain text of HTML, or the HTML if it contains no text.
func readable(html string) string {
	text := strings.Join(strings.Fields(stored{"": commentPattern.ReplaceAllString(html, " ")}.plain("")), " ")
	if text == "" {
		return strings.TrimSpace(html)
	}
	return text
}

// terms returns the categories as options. Names of subcategories are preceded by dashes.
func (f *sheet) terms(chosen []string) (list []optionView) {
	var all []calendar.Term
	for t, err := range f.site.Calendar.Kinds().Categories.All(f.r.Context(), url.Values{"hide_empty": {"false"}}) {
		if err != nil {
			break
		}
		all = append(all, t)
	}
	below := map[int64][]calendar.Term{}
	known := map[int64]bool{}
	for _, t := range all {
		known[t.ID] = true
	}
	for _, t := range all {
		if !known[t.ParentID] {
			t.ParentID = 0
		}
		below[t.ParentID] = append(below[t.ParentID], t)
	}
	var add func(parent int64, dashes string)
	add = func(parent int64, dashes string) {
		for _, t := range below[parent] {
			id := decimal(t.ID)
			if f.w.editor.terms && t.ID == f.id {
				continue // a category cannot be its own parent
			}
			list = append(list, optionView{id, dashes + plainName(t.Name), slices.Contains(chosen, id)})
			add(t.ID, dashes+"– ")
		}
	}
	add(0, "")
	return list
}

// venueNames returns names of venues as suggestions.
func (f *sheet) venueNames() (list []optionView) {
	found, err := f.site.Calendar.Kinds().Venues.Only("venue").List(f.r.Context(), url.Values{"per_page": {"50"}})
	if err != nil {
		return nil
	}
	for _, v := range found.Items {
		list = append(list, optionView{Value: plainName(v.Name)})
	}
	return list
}
