package editing

import (
	"html/template"
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
			Alt: f.w.one("image_alt")}
	}
	e := f.preview
	if e == nil {
		return nil
	}
	v := &previewView{Title: template.HTML(e.Title), Text: template.HTML(e.Description), Picture: picture, Alt: f.w.one("image_alt"),
		Price: plainName(e.Cost), When: []string{f.r.lang.span(*e)}}
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
