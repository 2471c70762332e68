package place

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// switches are the fields of venues that say whether events show a map, with
// the rows that hold them, in their order: both events and venues are asked for
// each.
var switches = [...]struct{ name, key string }{
	{"show_map_link", schema.MetaShowMapLink}, {"show_map", schema.MetaShowMap},
	{"show_map_link", schema.MetaVenueShowMapLink}, {"show_map", schema.MetaVenueShowMap},
}

// sharedFields are the fields besides the name that all items have, as the
// index orders them; the image comes last.
var sharedFields = []string{"author", "date", "date_utc", "description", "status", "image"}

// writeParams declares the fields that writes take, in the order of the index.
// Nested in an event, values of texts may have other types, as far as the checks
// read them: a switch may be a boolean.
func (k *Kind) writeParams(create, nested bool) []*param.Param {
	nulls := append([]string{k.Name}, sharedFields...)
	nulls = slices.DeleteFunc(nulls, func(name string) bool { return slices.Contains(k.NoDefaults, name) })
	shared := k.WriteParams(k.Collection, param.Key[string](k.Name), "Town hall", nulls...)
	shared.Title.Required = create
	list := []*param.Param{shared.Author, shared.Date, shared.DateUTC, shared.Title, shared.Description, shared.Status}
	for _, key := range k.Writes {
		takes, rule, typed := shape.Text(), param.Checked(param.String), param.Typed()
		switch key {
		case "show_map", "show_map_link":
			if takes, rule = shape.Words("true", "false"), nil; nested {
				takes, rule, typed = shape.OneOf(shape.Bool(), takes), param.Checked(param.AnyScalar), param.LegacyType(shape.TypeText)
			}
		case "website":
			takes, rule = takes.Example("https://example.org/"), param.Checked(CheckWebsite)
		case "email":
			takes = takes.Example("info@example.org")
		}
		list = append(list, key.Param(takes, rule, typed, param.Default(nil), param.DocOf("param_"+k.Collection+"_field_")))
	}
	list = append(list, shared.Image)
	for _, p := range list {
		if nested && p.Type == shape.TypeText {
			param.AnyType()(p)
		}
	}
	return list
}

// input is what a request gives of an item: the fields that all kinds of posts
// share and, by name, those of the kind.
type input struct {
	shared *content.Fields
	own    map[string]string
}

// nameless reports whether the name of a new item is nothing but blanks.
func (in *input) nameless() bool {
	return in.shared.Title == nil || phpval.Trim(*in.shared.Title) == ""
}

func (k *Kind) input(v *param.Values) *input {
	in := &input{shared: k.ReadFields(v, param.Key[string](k.Name)), own: map[string]string{}}
	for _, key := range k.Writes {
		if s := key.Given(v); s != nil {
			in.own[string(key)] = *s
		}
	}
	return in
}

// apply puts what a request gives into a draft.
func (k *Kind) apply(ctx context.Context, r *rest.Request, d *content.Edit, in *input) error {
	if d.New() {
		d.Set(k.Origin, "events-calendar")
	}
	if k.Located {
		applySwitches(d, in)
	}
	if in.shared.Image != nil { // its place among the rows; Save knows which one it is
		d.Set(schema.MetaThumbnailID, d.Meta(schema.MetaThumbnailID)...)
	}
	k.applyTexts(d, in)
	return k.Apply(ctx, d, in.shared)
}

// applySwitches sets the switches that are given. A new venue has them on.
func applySwitches(d *content.Edit, in *input) {
	for _, s := range switches {
		value, given := in.own[s.name]
		on := ""
		if !given || wp.Truthy(value) {
			on = "1"
		}
		// A switch without a row is on.
		if d.New() || given && (d.Has(s.key) || on == "") {
			d.Set(s.key, on)
		}
	}
}

// applyTexts sets the texts of the kind that are given. A venue's region comes
// after its state, as other programs store it.
func (k *Kind) applyTexts(d *content.Edit, in *input) {
	before := regionOf(d)
	for _, f := range k.Fields {
		if f.Meta == schema.MetaVenueStateProvince {
			continue
		}
		if value, given := in.own[f.Name]; given {
			// On an item that exists an empty text is no text: no row is added.
			if value = wp.TextField(value); value != "" || d.New() || d.Has(f.Meta) {
				d.Set(f.Meta, value)
			}
		}
		if f.Meta == schema.MetaVenueState {
			applyRegion(d, in, before)
		}
	}
}

// region is what decides on the region that a venue's address shows.
type region struct{ country, state, province string }

func regionOf(d *content.Edit) region {
	return region{d.Text(schema.MetaVenueCountry), d.Text(schema.MetaVenueState), d.Text(schema.MetaVenueProvince)}
}

// text is the state in the United States and where no country is known, the
// province elsewhere.
func (g region) text() string {
	american := g.country == "" || g.country == "US" || g.country == "United States"
	if g.state != "" && american {
		return g.state
	}
	return g.province
}

// applyRegion sets the region: the one that is given, or, when the rest of the
// address changes, the one that follows from it. A region of its own, which did
// not follow from the address, stays.
func applyRegion(d *content.Edit, in *input, before region) {
	value, given := in.own["stateprovince"]
	value = wp.TextField(value)
	now := regionOf(d)
	switch {
	case value != "":
	case given || d.New() || now != before && d.Text(schema.MetaVenueStateProvince) == before.text():
		value = now.text()
	default:
		return
	}
	if value != "" || d.New() || d.Has(schema.MetaVenueStateProvince) {
		d.Set(schema.MetaVenueStateProvince, value)
	}
}
