// Package place serves the kinds of posts that events link to, venues and
// organizers: one engine, driven by what each kind declares.
package place

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Field is a field of the kind and the meta key that stores it.
type Field struct{ Name, Meta string }

// Kind declares a kind of linked posts.
type Kind struct {
	*resource.Service
	*content.Type
	Name       string              // of the field that holds the name: "venue"
	Fields     []Field             // in the order of the answer
	Writes     []param.Key[string] // names of the fields of its own that writes take, in the order of the index
	NoDefaults []string            // shared fields whose default the index does not print
	Origin     string              // meta key that says which program made a post
	SearchKeys []string            // meta keys that a search looks into
	Located    bool                // has coordinates and map switches
	Errors     Errors
	LDType     string                                       // type in JSON-LD
	LD         func(*phpjson.Writer, *resource.View, *Item) // writes its own members in JSON-LD
}

// Errors are the answers of a kind that name it.
type Errors struct {
	NotAccessible *rest.Error
	Page          *rest.Error // a page beyond the last
	NotCreated    *rest.Error // a name of nothing but blanks
	InTrash       *rest.Error
}

// MetaKeys are the meta keys that an answer needs.
func (k *Kind) MetaKeys() []string {
	keys := []string{schema.MetaThumbnailID, schema.MetaGlobalIDLineage}
	for _, f := range k.Fields {
		keys = append(keys, f.Meta)
	}
	if k.Located {
		keys = append(keys, schema.MetaVenueShowMap, schema.MetaVenueShowMapLink, schema.MetaVenueLat, schema.MetaVenueLng)
	}
	return keys
}

// Item is a linked post with what its answer shows.
type Item struct {
	Post   *store.Post
	Meta   store.Meta
	Masked bool // its password hides what it holds
	Raw    bool // its editor sees what is stored beside what is shown
}

// Write writes an item. Fields without a value are left out.
func (k *Kind) Write(ctx context.Context, w *phpjson.Writer, v *resource.View, it *Item) {
	p := it.Post
	visible := func(name, value string) {
		if value == "" || value == "0" {
			return
		}
		if it.Masked {
			value = ""
		}
		w.KeyString(name, value)
	}
	filled := func(name, value string) {
		if value != "" && value != "0" {
			w.KeyString(name, value)
		}
	}
	w.Object()
	w.KeyInt("id", p.ID)
	filled("author", resource.AuthorText(p))
	filled("status", p.Status)
	filled("date", p.Date)
	filled("date_utc", p.DateUTC)
	filled("modified", p.Modified)
	filled("modified_utc", p.ModifiedUTC)
	filled("url", v.Address(ctx, p))
	filled(k.Name, v.Title(p))
	it.raw(w, "title_raw", p.Title)
	visible("description", v.Content(p))
	it.raw(w, "description_raw", p.Content)
	visible("excerpt", v.Excerpt(p))
	it.raw(w, "excerpt_raw", p.Excerpt)
	filled("slug", p.Name)
	if image, ok := v.Images.Of(it.Meta); ok {
		w.Key("image")
		if it.Masked {
			w.Bool(false)
		} else {
			image.Write(w)
		}
	}
	for _, f := range k.Fields {
		visible(f.Name, it.Meta.Text(f.Meta))
	}
	if k.Located {
		writeCoordinates(w, it)
	}
	if v.Single && !it.Masked {
		w.Key("json_ld")
		k.WriteLD(w, v, it)
	}
	if k.Located {
		writeSwitches(w, it)
	}
	v.WriteGlobalID(w, p, it.Meta)
	v.Versions.WritePost(ctx, w, p)
	w.End()
}

// raw writes a text as it is stored, for the post's editor.
func (it *Item) raw(w *phpjson.Writer, name, text string) {
	if it.Raw {
		w.KeyString(name, text)
	}
}

func writeCoordinates(w *phpjson.Writer, it *Item) {
	lat, _, okLat := wp.Numeric(it.Meta.Text(schema.MetaVenueLat))
	lng, _, okLng := wp.Numeric(it.Meta.Text(schema.MetaVenueLng))
	if okLat && okLng {
		if it.Masked {
			lat, lng = 0, 0
		}
		w.Key("geo_lat")
		w.Float(lat)
		w.Key("geo_lng")
		w.Float(lng)
	}
}

func writeSwitches(w *phpjson.Writer, it *Item) {
	for _, f := range [...]Field{{"show_map", schema.MetaVenueShowMap}, {"show_map_link", schema.MetaVenueShowMapLink}} {
		value, stored := it.Meta.First(f.Meta)
		w.Key(f.Name)
		if it.Masked {
			w.Null()
		} else {
			w.Bool(!stored || wp.Truthy(value))
		}
	}
}

// unknown refuses a path variable that names no post of this kind.
func unknown(name, message string) error { return param.Refuse(name, param.Invalid(message)) }

func format(n int64) string { return strconv.FormatInt(n, 10) }
