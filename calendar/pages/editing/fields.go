package editing

import (
	"net/url"
	"slices"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// editor is the list and the form with which the items of one resource are edited.
type editor struct {
	name   string // name of its collection, also in addresses
	title  string // parameter of the title or name
	family string // suffix of its capabilities
	events string // suffix of the capabilities of events
	terms  bool   // a taxonomy: no status and no bin
	fields []*entry
}

// entry is a field of a form. The values of its inputs belong together: they are changed, rejected and compared as a
// whole.
type entry struct {
	name   string // prefix of its messages, and parameter of the API
	widget string // name of the template "entry" that shows it
	inputs []string
	group  string   // fields with the same group depend on each other: changing one counts as changing all; "" for none
	params []string // further parameters of the API whose errors are shown at this field
	folded bool
	own    *calendar.Field // the host's own field
	// hidden is a hidden value with what is stored as a whole: more than the inputs show, but replaced with them. "" for none.
	hidden string

	read  func(s stored, in reading, v url.Values) // sets the stored values in v, in the form in which they are entered
	write func(w *writing)                         // sets the entered values in w.out, in the form of the API
}

// reading contains what is required, in addition to the item, to read it.
type reading struct {
	defaults defaults
	// beside returns the dates of an event that do not follow from its rule. known is false if they cannot be
	// determined.
	beside func(s stored) (dates []period, known bool)
	// label returns the label of another item of the resource, given its id. It is nil if forms name no other items.
	label func(id string) string
}

// faultOf is the error of a field: the key of a message and the values of its placeholders, or a message of the API.
type faultOf struct {
	Key  string
	Args []string
	Said string
}

// line returns a text field for the parameter with the same name.

func line(name string) *entry {
	return &entry{
		name: name, widget: "line", inputs: []string{name},
		read:  func(s stored, _ reading, v url.Values) { v.Set(name, s.stringMember(name)) },
		write: func(w *writing) { w.out[name] = w.one(name) },
	}
}

// escapedLine returns a line whose value is HTML in answers.
func escapedLine(name, widget string) *entry {
	f := line(name)
	f.widget = widget
	f.read = func(s stored, _ reading, v url.Values) { v.Set(name, s.plain(name)) }
	return f
}

// titleOf returns the field for the title of an item, which is required. HTML in stored titles is shown as text.
func titleOf(name string) *entry {
	f := line(name)
	f.widget = "title"
	f.read = func(s stored, _ reading, v url.Values) {
		title := s.stringMember(name)
		if raw, ok := s["title_raw"]; ok {
			title = textOf(raw)
		}
		v.Set(name, unescaped(title))
	}
	f.write = func(w *writing) {
		if w.out[name] = w.one(name); w.one(name) == "" {
			w.fault(name, "title.missing")
		}
	}
	return f
}

// unescaped returns a stored text with the entities of special characters decoded.
func unescaped(text string) string { return entities.Replace(text) }

var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#039;", "'")

func box(name string) *entry {
	return &entry{
		name: name, widget: "box", inputs: []string{name}, folded: true,
		read:  func(s stored, _ reading, v url.Values) { tick(v, name, s.stringMember(name) == yes) },
		write: func(w *writing) { w.out[name] = w.one(name) != "" },
	}
}

// website returns the field for the website of an item. For an event without a website, answers contain the address of
// its page.
func website() *entry {
	f := escapedLine("website", "address")
	read := f.read
	f.read = func(s stored, in reading, v url.Values) {
		if read(s, in, v); v.Get("website") == unescaped(s.stringMember("url")) {
			v.Del("website")
		}
	}
	f.write = func(w *writing) {
		to := w.one("website")
		if to != "" && !strings.Contains(to, ":") && strings.Contains(to, ".") {
			to = "https://" + to
		}
		w.out["website"] = to
	}
	return f
}

// storedText is a hidden value with the stored description, into which the entered text is merged. After a conflict,
// baseText is the description with the user's own changes, and the text is merged into that instead.
const (
	storedText = "description.stored"
	baseText   = "description.base"
)

// baseOf returns the description into which the entered text is merged.
func baseOf(was url.Values) string {
	if was.Has(baseText) {
		return was.Get(baseText)
	}
	return was.Get(storedText)
}

// description returns the field for the description of an item, in the notation of text.go.
func description() *entry {
	return &entry{
		name: "description", widget: "text", inputs: []string{"text"}, hidden: storedText,
		read: func(s stored, _ reading, v url.Values) {
			v.Set(storedText, s.stringMember("description_raw"))
			v["text"] = typed(parts(s.stringMember("description_raw")))
		},
		write: func(w *writing) { w.out["description"] = composed(baseOf(w.was), w.typed["text"]) },
	}
}

// termText returns the field for the description of a term, which has lines but no paragraphs.
func termText() *entry {
	f := line("description")
	f.widget = "lines"
	f.read = func(s stored, _ reading, v url.Values) {
		v.Set("description", unescaped(s.stringMember("description")))
	}
	return f
}

// shownImage is a hidden value with the id of the item's image.
const shownImage = "image.id"

// picture returns the field for the image of an item and its alternative text. A new image is taken from w.picture,
// since it is not among the entered values.
func picture() *entry {
	return &entry{
		name: "image", widget: "picture", inputs: []string{"image_alt", "image_remove", "image_new"}, params: []string{"image_alt"},
		hidden: shownImage,
		read: func(s stored, _ reading, v url.Values) {
			v.Set("image_alt", s.stringMember("image_alt"))
			if image := s.items("image"); len(image) > 0 {
				v.Set("image.shown", image[0].stringMember("url"))
				v.Set(shownImage, image[0].id())
			}
		},
		write: func(w *writing) {
			alt := w.one("image_alt")
			switch {
			case w.picture != nil:
				w.out["image"] = *w.picture
			case w.one("image_new") != "": // in a preview, which does not store it
				return
			case w.one("image_remove") != "":
				if !w.fresh {
					w.out["image"] = ""
				}
				return
			case w.fresh && w.was.Get(shownImage) != "":
				w.out["image"] = w.was.Get(shownImage)
			}
			if alt != w.was.Get("image_alt") || w.picture != nil && alt != "" {
				w.out["image_alt"] = alt
			}
		},
	}
}

// price returns the field for the cost of an event. Several stored prices are shown in one line.
func price() *entry {
	const between = "; "
	return &entry{
		name: "cost", widget: "line", inputs: []string{"cost"},
		read: func(s stored, _ reading, v url.Values) {
			details, _ := s["cost_details"].(map[string]any)
			values, _ := details["values"].([]any)
			list := []string{unescaped(s.stringMember("cost"))}
			if len(values) > 1 {
				list = nil
				for _, one := range values {
					list = append(list, unescaped(textOf(one)))
				}
			}
			v.Set("cost", strings.Join(list, between))
		},
		write: func(w *writing) {
			cost := w.one("cost")
			if !strings.Contains(w.was.Get("cost"), between) || !strings.Contains(cost, between) {
				w.out["cost"] = cost
				return
			}
			var list []any
			for one := range strings.SplitSeq(cost, ";") {
				list = append(list, strings.TrimSpace(one))
			}
			w.out["cost"] = list
		},
	}
}

// categories returns the checkboxes for categories, whose values are ids.
func categories() *entry {
	return &entry{
		name: "categories", widget: "categories", inputs: []string{"categories"},
		read: func(s stored, _ reading, v url.Values) {
			for _, t := range s.items("categories") {
				v.Add("categories", t.id())
			}
			slices.Sort(v["categories"])
		},
		write: func(w *writing) {
			ids := []any{}
			for _, id := range w.typed["categories"] {
				ids = append(ids, id)
			}
			w.out["categories"] = ids
		},
	}
}

// tags returns the field for tags, which are separated by commas.
func tags() *entry {
	return &entry{
		name: "tags", widget: "line", inputs: []string{"tags"}, folded: true,
		read: func(s stored, _ reading, v url.Values) {
			var names []string
			for _, t := range s.items("tags") {
				names = append(names, unescaped(t.stringMember("name")))
			}
			v.Set("tags", strings.Join(names, ", "))
		},
		write: func(w *writing) {
			names := []any{}
			for one := range strings.SplitSeq(w.one("tags"), ",") {
				if one = strings.TrimSpace(one); one != "" {
					names = append(names, one)
				}
			}
			w.out["tags"] = names
		},
	}
}

func fold(f *entry) *entry {
	f.folded = true
	return f
}

// editorsWith returns the editors of the resources that the pages edit, with the host's own fields.
func editorsWith(own []calendar.Field) []*editor {
	list := []*editor{
		{name: "events", title: "title", fields: slices.Concat([]*entry{titleOf("title")}, dateFields(),
			[]*entry{linkedField("venue", "venues", "place"), picture(), price(), categories(), description(), website()},
			foldedDates(),
			[]*entry{fold(linkedField("organizer", "organizers", "hosts")), tags(), box("featured"), box("hide_from_listings"),
				versionField(), fold(line("slug"))})},
		{name: "venues", title: "venue", fields: []*entry{titleOf("venue"), line("address"), line("zip"),
			line("city"), line("country"), line("phone"), website(), picture(), description(), fold(line("stateprovince")),
			versionField(), fold(line("slug"))}},
		{name: "organizers", title: "organizer", fields: []*entry{titleOf("organizer"), line("email"),
			line("phone"), website(), picture(), description(), versionField(), fold(line("slug"))}},
		{name: "categories", title: "name", terms: true, fields: []*entry{titleOf("name"), parentTerm(), termText(), fold(line("slug"))}},
	}
	for _, f := range own {
		for _, k := range list {
			if k.name == f.Kind {
				k.fields = append(k.fields, hostField(f))
			}
		}
	}
	return list
}

// parentTerm returns the field for the parent of a category.
func parentTerm() *entry {
	return &entry{
		name: "parent", widget: "parent", inputs: []string{"parent"},
		read: func(s stored, _ reading, v url.Values) {
			if id := s.stringMember("parent"); id != "0" {
				v.Set("parent", id)
			}
		},
		write: func(w *writing) {
			if w.out["parent"] = w.one("parent"); w.one("parent") == "" {
				w.out["parent"] = "0"
			}
		},
	}
}

// hostField returns the field for a host's own field.
func hostField(own calendar.Field) *entry {
	name := own.Name
	input := "own." + name
	f := &entry{name: name, inputs: []string{input}, own: &own, widget: "own-line"}
	f.read = func(s stored, _ reading, v url.Values) { v.Set(input, s.stringMember(name)) }
	f.write = func(w *writing) { w.out[name] = w.one(input) }
	switch own.Type {
	case calendar.FieldYesNo:
		f.widget = "own-box"
		f.read = func(s stored, _ reading, v url.Values) { tick(v, input, s.stringMember(name) == yes) }
		f.write = func(w *writing) { w.out[name] = w.one(input) != "" }
	case calendar.FieldChoice:
		f.widget = "own-choice"
	case calendar.FieldDate:
		f.widget = "own-day"
		f.write = func(w *writing) {
			day := w.one(input)
			if at, ok := readDay(day, w.language); ok {
				day = at.Format("2006-01-02")
			}
			w.out[name] = day
		}
	case calendar.FieldList:
		f.widget = "own-lines"
		f.read = func(s stored, _ reading, v url.Values) {
			list, _ := s[name].([]any)
			var texts []string
			for _, one := range list {
				texts = append(texts, textOf(one))
			}
			v.Set(input, strings.Join(texts, "\n"))
		}
		f.write = func(w *writing) {
			list := []any{}
			for _, one := range linesOf(w.one(input)) {
				list = append(list, one)
			}
			w.out[name] = list
		}
	case calendar.FieldNumber, calendar.FieldPost, calendar.FieldImage:
		f.write = func(w *writing) {
			w.out[name] = nil
			if number := w.one(input); number != "" {
				w.out[name] = strings.Replace(number, ",", ".", 1)
			}
		}
	}
	return f
}

// linesOf returns the lines of a text that are not blank.
func linesOf(text string) (list []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}
