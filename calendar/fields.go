package calendar

import (
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/schema"
)

// Types of a Field, and the JSON of their values. A value that is not stored is omitted from answers, as is a stored
// value that the type does not allow; only a FieldYesNo is false then.
const (
	FieldText   = item.OwnText   // a string without line breaks and HTML; "" removes it
	FieldNumber = item.OwnNumber // a number between -1e15 and 1e15; null removes it
	FieldYesNo  = item.OwnYesNo  // true or false, stored as "1" or not at all
	FieldDate   = item.OwnDate   // a day such as "2031-05-01"; "" removes it
	FieldChoice = item.OwnChoice // one of Choices; "" removes it
	FieldList   = item.OwnList   // a list of strings, stored in a row each; an empty list or null removes them
	FieldPost   = item.OwnPost   // the id of a post that the writer may read; null removes it
	FieldImage  = item.OwnImage  // the id of an image of the site; null removes it
)

// Field declares a field of the host's own, stored as post or term metadata. Answers show it after the API's members,
// in lists and single items. Writes accept and validate it. The index and the OpenAPI document describe it; exports and
// imports as CSV and JSON lines contain it. A password-protected event hides it. Event.Own contains its value in Go.
type Field struct {
	// Kind is the collection whose items have the field: "events", "venues", "organizers", "categories" or "tags". The
	// fields of categories and tags are also shown in the terms of an event.
	Kind string

	// Name is the name of the member and of the parameter: lower-case letters, digits and underscores.
	Name string

	// Key is the meta key under which the site stores the values, in postmeta or termmeta. Other programs may use it
	// too.
	Key string

	// Type is one of the constants FieldText to FieldImage.
	Type string

	// Choices are the values of a FieldChoice.
	Choices []string

	// Min and Max are the limits of values in writes; nil is no limit. They limit the values of a FieldNumber; Max also
	// limits the characters of a FieldText and the elements of a FieldList. Unless its Max is above 4,096, a FieldText
	// has at most 4 KiB, as has each element of a FieldList.
	Min, Max *float64

	// Read is the capability that callers need to read the field, such as "edit_others_tribe_events". For other callers
	// the item lacks the member. Default: everybody who may read the item may read the field.
	Read string

	// Write is the capability that callers need to write the field, in addition to the right to write the item.
	// Default: the value of Read.
	Write string

	// Description describes the field in one or two sentences. Texts are its translations, by language tag ("nl").
	// Languages without one use Description.
	Description string
	Texts       map[string]string

	// Label is the name of the field on pages, such as "Seats". The page of an event shows the field's value, and the
	// calendar's page the filters by the field. Labels are translations, by language tag. Default: pages show neither.
	// They never show fields that not everybody may read.
	Label  string
	Labels map[string]string

	// Example is a value, for the OpenAPI document. Default: none.
	Example any
}

// Fields returns Options.Fields.
func (c *Calendar) Fields() []Field { return slices.Clone(c.options.Fields) }

var (
	fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)
	fieldKey  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,190}$`)
)

// ownKeys are prefixes of meta keys that belong to this program, WordPress, The Events Calendar or other plugins.
var ownKeys = []string{"_agenda_", "_wp_", "_edit_", "_tribe_", "_tec_", "_ecp_custom_", "_oembed_", "_menu_item_", "_customize_"}

// siteKeys are meta keys of WordPress without one of these prefixes.
var siteKeys = []string{"_pingme", "_encloseme", "enclosure", schema.MetaThumbnailID}

// reservedNames have a fixed meaning in requests, answers or files.
var reservedNames = []string{
	"id", "slug", "page", "per_page", "search", "context", "view", "force", "password", "status", "order", "orderby", "include", "exclude",
	"uid", "group", "language", "location", "private", "sensitivity", "start_time", "end_time", "cost_symbol", "cost_position",
	"meeting_organizer", "geo_lat", "geo_lng", "image", "parent", "post_parent", "rest_route", "i18n_language", "event", "date_id",
	"sync", "sync_token", "next_sync_token", "complete_until", "deleted", "description_omitted", "near", "within", "distance", "dates",
	"recurrence", "total", "total_pages", "rest_url", "next_rest_url", "previous_rest_url", "code", "message", "data", "params", "kind",
	"values", "translation_of",
}

// wrongFields returns the errors in Options.Fields, each with the name of its field.
func (o *Options) wrongFields() (errs []error) {
	if len(o.Fields) == 0 {
		return nil
	}
	kinds := map[string]*item.Kind{}
	links := slices.Collect(maps.Values(registry.Types(o.Site.Names, o.more).LinkKeys()))
	for _, k := range registry.Declared().Kinds() {
		kinds[k.Collection] = k
	}
	names, keys := map[[2]string]bool{}, map[[2]string]bool{}
	for i, f := range o.Fields {
		wrong := wrongIn("Fields", i, f.Name, &errs)
		kind := kinds[f.Kind]
		if kind == nil {
			wrong(true, "Kind %q: use events, venues, organizers, categories or tags", f.Kind)
			continue
		}
		name, key := [2]string{f.Kind, f.Name}, [2]string{f.Kind, strings.ToLower(f.Key)}
		wrong(!fieldName.MatchString(f.Name), "Name %q: use lower-case letters, digits and underscores", f.Name)
		wrong(o.reserved(kind, f.Name), "the name belongs to the API")
		wrong(f.Name != "" && names[name], "another field of %s has this name", f.Kind)
		wrong(!fieldKey.MatchString(f.Key), "Key %q: use letters, digits, underscores and dashes", f.Key)
		wrong(keyOf(kind, f.Key, links), "the key %q already has a meaning", f.Key)
		wrong(f.Key != "" && keys[key], "another field of %s has the key %q", f.Kind, f.Key)
		names[name], keys[key] = true, true
		f.wrongValues(wrong)
		wrongTexts(wrong, f.Description, f.Texts)
	}
	return errs
}

// wrongValues reports the errors in what a field says about its values.
func (f Field) wrongValues(wrong func(bad bool, format string, args ...any)) {
	types := []string{FieldText, FieldNumber, FieldYesNo, FieldDate, FieldChoice, FieldList, FieldPost, FieldImage}
	wrong(!slices.Contains(types, f.Type), "Type %q: use one of %s", f.Type, strings.Join(types, ", "))
	wrong(f.Type == FieldChoice && len(f.Choices) == 0, "Choices is empty")
	wrong(f.Type != FieldChoice && len(f.Choices) > 0, "only a %s can have Choices", FieldChoice)
	for i, choice := range f.Choices {
		wrong(choice == "" || choice != strings.TrimSpace(choice), "Choices: %q is empty or has blanks around it", choice)
		wrong(slices.Contains(f.Choices[:i], choice), "Choices: %q occurs twice", choice)
	}
	counts := f.Type == FieldText || f.Type == FieldList
	wrong(f.Min != nil && f.Type != FieldNumber, "Min is a bound of a %s", FieldNumber)
	wrong(f.Max != nil && f.Type != FieldNumber && !counts, "only a %s, %s or %s can have Max", FieldNumber, FieldText, FieldList)
	wrong(f.Max != nil && counts && (*f.Max < 1 || *f.Max != math.Trunc(*f.Max) || *f.Max > math.MaxInt32),
		"Max: use a whole number above 0")
	wrong(f.Min != nil && f.Max != nil && *f.Min > *f.Max, "Min is greater than Max")
	wrong(!f.fits(), "Example %v: it is not a value of the field", f.Example)
}

// fits reports whether the example is a value of the field.
func (f Field) fits() bool {
	v := reflect.ValueOf(f.Example)
	if f.Example == nil {
		return true
	}
	text, isText := f.Example.(string)
	switch f.Type {
	case FieldNumber:
		if !v.CanInt() && !v.CanFloat() {
			return false
		}
		n := v.Convert(reflect.TypeFor[float64]()).Float()
		return (f.Min == nil || n >= *f.Min) && (f.Max == nil || n <= *f.Max)
	case FieldYesNo:
		return v.Kind() == reflect.Bool
	case FieldDate:
		_, err := time.Parse(time.DateOnly, text)
		return isText && err == nil
	case FieldChoice:
		return slices.Contains(f.Choices, text)
	case FieldList:
		return v.Kind() == reflect.Slice
	case FieldPost, FieldImage:
		return v.CanInt() && v.Int() > 0
	}
	return isText
}

// nameOf reports whether a resource has a field, or its list a parameter, with a name.
func nameOf(k *item.Kind, name string) bool {
	for _, f := range k.Fields {
		if f.Name == name {
			return true
		}
	}
	for _, p := range k.Filters.Params() {
		if p.Name == name {
			return true
		}
	}
	return false
}

// keyOf reports whether a meta key already has a meaning. Letter case is ignored, as the database ignores it.
func keyOf(k *item.Kind, key string, links []string) bool {
	same := func(other string) bool { return strings.EqualFold(other, key) }
	for _, prefix := range ownKeys {
		if len(key) >= len(prefix) && same(prefix+key[len(prefix):]) {
			return true
		}
	}
	for _, f := range k.Fields {
		if slices.ContainsFunc(f.Keys, same) {
			return true
		}
	}
	if k.Type == nil {
		return false
	}
	own := []string{k.Type.Origin, schema.MetaRecurrence, schema.MetaCurrencyCode}
	return slices.ContainsFunc(slices.Concat(own, siteKeys, links, k.Type.Rows), same)
}
