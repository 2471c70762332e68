package event

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Names of fields of writes. Some of them are names of list parameters too, whose values have other types.
const (
	fieldTitle   param.Key[string]   = "title"
	fieldZone    param.Key[string]   = "timezone"
	fieldAllDay  param.Key[bool]     = "all_day"
	fieldCost    param.Key[[]string] = "cost"
	fieldWebsite param.Key[string]   = "website"

	fieldStart      = param.Key[string](paramStart)
	fieldEnd        = param.Key[string](paramEnd)
	fieldCategories = param.Key[term.Assignment](paramCategories)
	fieldTags       = param.Key[term.Assignment](paramTags)
)

// table returns the fields of an event, in the order of a response.
func (k *UseCases) table() (list item.Fields) {
	text := jsonschema.Text()
	s := k.Service.Shared(item.SharedOptions{
		Docs: k.Texts.Fields, Title: fieldTitle, Example: "Summer concert", Slug: "summer-concert",
		Page: "https://example.org/event/summer-concert/",
	})
	s.Description.Shape = text.Example("<p>An evening in the open air.</p>")
	list = append(list, s.ID, s.GlobalID, s.Lineage, s.Author, s.Status, s.Date, s.DateUTC, s.Modified, s.ModifiedUTC, s.URL,
		&item.Field{
			Name: "rest_url", Shape: text.Example("https://example.org/wp-json/vendor/events/v1/events/123"),
			Text: func(it *item.Item) string { return it.Call.Root.URL + "/events/" + itoa(it.ID()) },
		},
		s.Title, s.TitleRaw, s.Description, s.DescriptionRaw, s.Excerpt, s.ExcerptRaw, s.Slug, s.Image, allDay(),
	)
	list = append(list, dateFields{k}.dates()...)
	list = append(list, costFields()...)
	list = append(list, website(),
		toggle("show_map", "param_events_field_show_map", schema.MetaShowMap, shown(schema.MetaShowMap), setMap(schema.MetaShowMap)),
		toggle("show_map_link", "param_events_field_show_map_link", schema.MetaShowMapLink, shown(schema.MetaShowMapLink),
			setMap(schema.MetaShowMapLink)),
		toggle("hide_from_listings", "param_events_field_hide_from_listings", schema.MetaHideFromUpcoming, hidden, setHidden),
		toggle("sticky", "param_events_field_sticky", "", func(it *item.Item) bool { return it.Post.MenuOrder == stickyOrder }, setSticky),
		Flag(paramFeatured, "param_events_field_featured", schema.MetaFeatured),
	)
	list = append(list, relations{k}.terms(fieldCategories, k.Categories, 12, "Music"), relations{k}.terms(fieldTags, k.Tags, "Jazz"))
	for i, kind := range k.Linked {
		list = append(list, linkedField(i, kind))
	}
	list = append(list, customFields(), ldWriter{k}.linkedData(), s.Language, s.Translations)
	list = append(list, status()...)
	list = append(append(list, severalDates()...), item.DistanceField(k.venueIDs))
	return append(append(list, k.More...), ticketed(), s.ImageAlt, s.TranslationOf, item.OmittedField())
}

// venueIDs returns the ids of the venues that an item shows.
func (k *UseCases) venueIDs(it *item.Item) (ids []int64) {
	for i, kind := range k.Linked {
		if kind == k.Venues && i < len(it.Linked) {
			for _, venue := range it.Linked[i] {
				ids = append(ids, venue.Post.ID)
			}
		}
	}
	return ids
}

// toggle returns a field for a boolean that is stored in rows of the meta key, or elsewhere if meta is "". doc
// describes the parameter of writes. set is called by every write, with nil if the request does not contain the field.
func toggle(name param.Key[bool], doc, meta string, on func(*item.Item) bool, set func(e *content.Edit, given *bool)) *item.Field {
	f := &item.Field{
		Name: string(name), Shape: jsonschema.Bool(), Masked: "null",
		Value: func(w *phpjson.Writer, it *item.Item) { w.Bool(on(it)) },
		Param: func(bool) *param.Param { return name.Param(jsonschema.Bool(), nil, param.Doc(doc)) },
	}
	if set != nil {
		f.Apply = func(_ context.Context, in *item.Input, e *content.Edit) error {
			set(e, name.Given(in.Values))
			return nil
		}
	}
	if meta != "" {
		f.Keys = []string{meta}
	}
	return f
}

// Text returns a field for a string that is stored in a row of the meta key. The member is omitted if there is no row,
// and a password hides it. doc describes the parameter of writes.
func Text(name param.Key[string], doc, meta string) *item.Field {
	f := &item.Field{
		Name: string(name), Shape: jsonschema.Text(), Masked: item.Omitted, Sparse: true, Maybe: true, Keys: []string{meta},
		Text: func(it *item.Item) string { return it.Meta.Text(meta) },
		Apply: func(_ context.Context, in *item.Input, e *content.Edit) error {
			given := name.Given(in.Values)
			if given == nil {
				return nil
			}
			text := fieldText(*given)
			if err := item.CheckShort(string(name), text, e.Text(meta), *given); err != nil {
				return err
			}
			if text != "" {
				e.Set(meta, text)
			} else {
				e.Set(meta)
			}
			return nil
		},
	}
	f.Param = func(bool) *param.Param {
		return name.Param(f.Shape, param.Checked(param.String), param.Doc(doc))
	}
	return f
}

// Flag returns a field for a boolean that is stored as the number 1, or by the absence of a row.
func Flag(name param.Key[bool], doc, meta string) *item.Field {
	isSet := func(value string) bool { n, _, _ := wp.Numeric(value); return n == 1 }
	on := func(it *item.Item) bool { return isSet(it.Meta.Text(meta)) }
	return toggle(name, doc, meta, on, func(e *content.Edit, given *bool) {
		switch {
		case given == nil || *given == isSet(e.Text(meta)):
		case *given:
			e.Set(meta, "1")
		default:
			e.Set(meta)
		}
	})
}

// switchedOn reads a boolean that is true unless its row is empty or "0".
func switchedOn(m store.Meta, key string) bool {
	v, stored := m.First(key)
	return !stored || phpval.Truthy(v)
}

func shown(key string) func(*item.Item) bool {
	return func(it *item.Item) bool { return switchedOn(it.Meta, key) }
}

// setMap returns a function that sets the meta key of a map option. A new event always gets a row; a stored event
// without one has the option on.
func setMap(key string) func(*content.Edit, *bool) {
	return func(e *content.Edit, on *bool) {
		if on == nil && !e.New() {
			return
		}
		want := on != nil && *on
		if e.New() || want != switchedOn(store.Meta{key: e.Meta(key)}, key) {
			e.Set(key, map[bool]string{true: "1", false: ""}[want])
		}
	}
}

func hidden(it *item.Item) bool { return it.Meta.Text(schema.MetaHideFromUpcoming) == "yes" }

// setHidden hides an event from lists, or shows it. The existence of a row hides it, so the row of a visible event is
// deleted.
func setHidden(e *content.Edit, hidden *bool) {
	switch {
	case hidden == nil:
	case !*hidden:
		e.Set(schema.MetaHideFromUpcoming)
	case e.Text(schema.MetaHideFromUpcoming) != "yes":
		e.Set(schema.MetaHideFromUpcoming, "yes")
	}
}

// stickyOrder is the menu_order of an event that is listed before others of the same date.
const stickyOrder = -1

// setSticky makes an event come before others of the same date, or undoes that.
func setSticky(e *content.Edit, sticky *bool) {
	switch {
	case sticky == nil || *sticky == (e.Row.MenuOrder == stickyOrder):
	case *sticky:
		e.Row.MenuOrder = stickyOrder
	default:
		e.Row.MenuOrder = 0
	}
}

// website returns the field for the URL of an event's website, by default that of its page on the site.
func website() *item.Field {
	example := jsonschema.Text().Example("https://example.org/")
	nothing := jsonschema.OneOf(jsonschema.Only(false), jsonschema.Only(0), jsonschema.EmptyList())
	takes := jsonschema.AnyOf(example, nothing.As("NoWebsite")).As("WebsiteInput").Example("https://example.org/")
	return &item.Field{
		Name: string(fieldWebsite), Shape: example, Masked: `""`, Keys: []string{schema.MetaURL},
		Text: func(it *item.Item) string {
			if stored, ok := it.Meta.First(schema.MetaURL); ok {
				return wp.EscapeHTML(stored)
			}
			return it.Link() // not escaped, unlike a stored URL
		},
		Stored: func(it *item.Item) any { return it.Meta.Text(schema.MetaURL) },
		Param: func(bool) *param.Param {
			return fieldWebsite.Param(takes, param.Checked(checkWebsite), param.Untyped(), param.Doc("param_events_field_website"))
		},
		Apply: func(_ context.Context, in *item.Input, e *content.Edit) error {
			given := fieldWebsite.Given(in.Values)
			if given == nil {
				return nil
			}
			stored := e.Text(schema.MetaURL)
			if err := item.CheckShort(string(fieldWebsite), *given, fieldText(stored)); err != nil && *given != stored {
				return err
			}
			// A removed URL leaves an empty row.
			if *given != "" || e.Has(schema.MetaURL) {
				e.Set(schema.MetaURL, *given)
			}
			return nil
		},
	}
}

// checkWebsite accepts an absolute URL, or an empty value, which removes the URL.
func checkWebsite(ctx context.Context, v any) (string, error) {
	if list, isList := param.Elements(v); isList && len(list) == 0 {
		return "", nil
	}
	if s, ok := param.Scalar(v); ok && (s == "" || s == "0") {
		return "", nil
	}
	s, err := linked.CheckWebsite(ctx, v)
	return fieldText(s), err
}

// customFields returns the field for the additional fields that editors of the site defined.
func customFields() *item.Field {
	text := jsonschema.Text()
	one := jsonschema.Object("CustomField", jsonschema.Has("label", text), jsonschema.Has("value", jsonschema.Any())).
		Doc("doc_custom_field").Undescribed()
	return &item.Field{
		Name: "custom_fields", Shape: jsonschema.OneOf(jsonschema.Map(one), jsonschema.EmptyList()).As("CustomFields"), Masked: "[]",
		Value: func(w *phpjson.Writer, it *item.Item) {
			w.Object()
			for _, f := range it.Settings.CustomFields {
				if value := phpval.Stored(it.Meta.Text(f.Name)); phpval.Truthy(value) {
					w.KeyObject(f.Name)
					w.KeyString("label", f.Label)
					w.Key("value")
					item.WriteValue(w, value)
					w.End()
				}
			}
			w.End()
		},
	}
}
