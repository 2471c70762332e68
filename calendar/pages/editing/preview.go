package editing

import (
	"cmp"
	"html/template"
	"slices"
	"strings"
)

// previewView is an item in the form in which visitors will see it.
type previewView struct {
	Title, Text, Reason template.HTML
	When                []string
	Place, Price        string
	Picture, Alt        string
	Website             string
	Categories          []string
	Facts               []factView // all other fields
}

// factView is a field of a preview with its value in words.
type factView struct{ Label, Text string }

// apart are the fields that a preview shows in places of their own, or that visitors do not see.
var apart = []string{"venue", "description", "image", "when", "repeats", "all_day", "timezone", "cost", "categories",
	"slug", "featured", "hide_from_listings"}

// facts returns the fields of the preview that have a value and no place of their own.
func (f *sheet) facts() (list []factView) {
	for _, field := range f.w.editor.fields {
		website := field.name == "website" && f.preview != nil
		if website || field.name == f.w.editor.title || field.own == nil && slices.Contains(apart, field.name) || !f.shows(field) {
			continue
		}
		if slices.ContainsFunc(field.inputs, func(input string) bool { return strings.TrimSpace(f.seen.Get(input)) != "" }) {
			label := f.label(field)
			if short := f.r.lang.texts[f.w.editor.name+"."+field.name+".said"]; field.own == nil { // without advice for typing
				label = cmp.Or(short, label)
			}
			list = append(list, factView{label, f.said(field, f.seen)})
		}
	}
	return list
}

// shown returns the preview of the item, or nil if none was requested.
func (f *sheet) shown() *previewView {
	picture := f.w.was.Get("image.shown")
	if key := f.w.one("image_new"); key != "" {
		picture = f.r.link("/pictures/" + key + "/")
	}
	if f.w.one("image_remove") != "" {
		picture = ""
	}
	if f.previews != nil {
		return &previewView{Title: template.HTML(f.previews["title"]), Text: template.HTML(f.previews["text"]), Picture: picture,
			Alt: f.w.one("image_alt"), Facts: f.facts()}
	}
	e := f.preview
	if e == nil {
		return nil
	}
	v := &previewView{Title: template.HTML(e.Title), Text: template.HTML(e.Description), Picture: picture, Alt: f.w.one("image_alt"),
		Price: plainName(e.Cost), Facts: f.facts(), When: []string{f.r.lang.span(*e)}}
	if e.Recurrence != nil && e.Recurrence.Text != "" {
		v.When = append(v.When, e.Recurrence.Text)
	}
	for _, one := range e.Venues {
		v.Place = strings.Join(filled(plainName(one.Name), one.Address, one.City), ", ")
	}
	for _, t := range e.Categories {
		v.Categories = append(v.Categories, plainName(t.Name))
	}
	if e.Website != e.URL {
		v.Website = e.Website
	}
	return v
}
