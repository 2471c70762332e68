package registry

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/schema"
)

// NobodysRight is a capability that no caller has.
const NobodysRight = "do_not_allow"

// DeclaredName matches the names of what a host declares.
var DeclaredName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

var fieldKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,190}$`)

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

// Check returns the errors in the fields and filters that the host declares, each with the name of its declaration.
// languageParam is the name of the parameter for the language of texts.
func (m More) Check(n schema.Names, languageParam string) (errs []error) {
	if len(m.Own) == 0 && len(m.By) == 0 {
		return nil
	}
	c := check{more: m, languageParam: languageParam, kinds: map[string]*item.Resource{}}
	for _, k := range Declared().Resources() {
		c.kinds[k.Collection] = k
	}
	return append(c.fields(slices.Collect(maps.Values(Types(n, m).LinkKeys()))), c.filters()...)
}

// TermFields reports whether categories or tags have fields that are stored in meta rows, which must then be read.
func (m More) TermFields() bool {
	return slices.ContainsFunc(Declared().Resources(), func(k *item.Resource) bool {
		own := slices.ContainsFunc(m.Own, func(f item.Own) bool { return f.Kind == k.Collection })
		return k.Taxonomy != "" && (own || len(k.Fields.Keys().Names()) > 0)
	})
}

// LogUnindexed logs which filters of the host read all rows of their meta keys. indexes are those of schema.OwnIndexes.
func (m More) LogUnindexed(ctx context.Context, indexes map[string]bool, logger *slog.Logger) {
	var names []string
	for _, f := range m.By {
		if !indexes[f.Index()] {
			names = append(names, f.Kind+" "+f.Name)
		}
	}
	if len(names) > 0 {
		logger.InfoContext(ctx, "no index covers the values of these filters: they read every row of their meta key",
			"filters", strings.Join(names, ", "),
			"advice", "'agenda doctor' shows the index "+item.ValueIndex+", which helps filters that compare whole values")
	}
}

// check checks what a host declares.
type check struct {
	more          More
	languageParam string
	kinds         map[string]*item.Resource // by collection
}

// fields returns the errors in the fields. links are the meta keys of links between items.
func (c check) fields(links []string) (errs []error) {
	names, keys := map[[2]string]bool{}, map[[2]string]bool{}
	for i, f := range c.more.Own {
		wrong := wrongIn("Fields", i, f.Name, &errs)
		kind := c.kinds[f.Kind]
		if kind == nil {
			wrong(true, "Kind %q: use events, venues, organizers, categories or tags", f.Kind)
			continue
		}
		name, key := [2]string{f.Kind, f.Name}, [2]string{f.Kind, strings.ToLower(f.Key)}
		wrong(!DeclaredName.MatchString(f.Name), "Name %q: use lower-case letters, digits and underscores", f.Name)
		wrong(c.reserved(kind, f.Name), "the name belongs to the API")
		wrong(f.Name != "" && names[name], "another field of %s has this name", f.Kind)
		wrong(!fieldKey.MatchString(f.Key), "Key %q: use letters, digits, underscores and dashes", f.Key)
		wrong(keyOf(kind, f.Key, links), "the key %q already has a meaning", f.Key)
		wrong(f.Key != "" && keys[key], "another field of %s has the key %q", f.Kind, f.Key)
		names[name], keys[key] = true, true
		wrongValues(f, wrong)
		WrongTexts(wrong, f.Description, f.Texts)
	}
	return errs
}

// filters returns the errors in the filters.
func (c check) filters() (errs []error) {
	names := map[[2]string]bool{}
	for i, f := range c.more.By {
		wrong := wrongIn("Filters", i, f.Name, &errs)
		kind := c.kinds[f.Kind]
		at := slices.IndexFunc(c.more.Own, func(of item.Own) bool { return of.Kind == f.Kind && of.Name == f.Field })
		switch {
		case kind == nil:
			wrong(true, "Kind %q: use events, venues, organizers, categories or tags", f.Kind)
			continue
		case at < 0:
			wrong(true, "Field %q: there is no such field of %s", f.Field, f.Kind)
			continue
		}
		field := c.more.Own[at]
		wrong(field.Read == NobodysRight, "Field %q: nobody may read it", f.Field)
		wrong(!slices.Contains(item.Compares(field.Type), f.Op), "Op %q: use one of %s", f.Op,
			strings.Join(item.Compares(field.Type), ", "))
		for _, name := range f.Params() {
			wrong(!DeclaredName.MatchString(name), "Name %q: use lower-case letters, digits and underscores", name)
			wrong(c.reserved(kind, name), "the name %q belongs to the API", name)
			wrong(names[[2]string{f.Kind, name}], "another filter of %s has the parameter %q", f.Kind, name)
			names[[2]string{f.Kind, name}] = true
		}
		field.Example = f.Example
		if _, isText := f.Example.(string); field.Type == item.OwnList && isText {
			field.Type = item.OwnText
		}
		wrong(!fits(field), "Example %v: it is not a value of the field", f.Example)
		WrongTexts(wrong, f.Description, f.Texts)
	}
	return errs
}

// reserved reports whether a name already has a meaning in lists or writes of a resource.
func (c check) reserved(kind *item.Resource, name string) bool {
	return slices.Contains(reservedNames, name) || name == c.languageParam || nameOf(kind, name)
}

// wrongIn returns a function that, if bad is true, appends an error to errs with the option, the index and the name of
// the declaration.
func wrongIn(option string, i int, name string, errs *[]error) func(bad bool, format string, args ...any) {
	return func(bad bool, format string, args ...any) {
		if bad {
			which := fmt.Sprintf("%s[%d]", option, i)
			if name != "" {
				which += fmt.Sprintf(" %q", name)
			}
			*errs = append(*errs, fmt.Errorf("%s: %s", which, fmt.Sprintf(format, args...)))
		}
	}
}

// WrongTexts reports the errors in a description.
func WrongTexts(wrong func(bad bool, format string, args ...any), description string, texts map[string]string) {
	wrong(description == "", "Description is missing")
	wrong(strings.Contains(description, "{{"), "a text must not contain {{")
	for tag, text := range texts {
		_, err := language.Parse(tag)
		wrong(err != nil || text == "", "Texts: %q: use a language tag and a text", tag)
		wrong(strings.Contains(text, "{{"), "a text must not contain {{")
	}
}

// wrongValues reports the errors in what a field says about its values.
func wrongValues(f item.Own, wrong func(bad bool, format string, args ...any)) {
	types := []string{item.OwnText, item.OwnNumber, item.OwnYesNo, item.OwnDate, item.OwnChoice, item.OwnList, item.OwnPost, item.OwnImage}
	wrong(!slices.Contains(types, f.Type), "Type %q: use one of %s", f.Type, strings.Join(types, ", "))
	wrong(f.Type == item.OwnChoice && len(f.Choices) == 0, "Choices is empty")
	wrong(f.Type != item.OwnChoice && len(f.Choices) > 0, "only a %s can have Choices", item.OwnChoice)
	for i, choice := range f.Choices {
		wrong(choice == "" || choice != strings.TrimSpace(choice), "Choices: %q is empty or has blanks around it", choice)
		wrong(slices.Contains(f.Choices[:i], choice), "Choices: %q occurs twice", choice)
	}
	counts := f.Type == item.OwnText || f.Type == item.OwnList
	wrong(f.Min != nil && f.Type != item.OwnNumber, "Min is a bound of a %s", item.OwnNumber)
	wrong(f.Max != nil && f.Type != item.OwnNumber && !counts, "only a %s, %s or %s can have Max", item.OwnNumber, item.OwnText,
		item.OwnList)
	wrong(f.Max != nil && counts && (*f.Max < 1 || *f.Max != math.Trunc(*f.Max) || *f.Max > math.MaxInt32),
		"Max: use a whole number above 0")
	wrong(f.Min != nil && f.Max != nil && *f.Min > *f.Max, "Min is greater than Max")
	wrong(!fits(f), "Example %v: it is not a value of the field", f.Example)
}

// fits reports whether the example is a value of the field.
func fits(f item.Own) bool {
	v := reflect.ValueOf(f.Example)
	if f.Example == nil {
		return true
	}
	text, isText := f.Example.(string)
	switch f.Type {
	case item.OwnNumber:
		if !v.CanInt() && !v.CanFloat() {
			return false
		}
		n := v.Convert(reflect.TypeFor[float64]()).Float()
		return (f.Min == nil || n >= *f.Min) && (f.Max == nil || n <= *f.Max)
	case item.OwnYesNo:
		return v.Kind() == reflect.Bool
	case item.OwnDate:
		_, err := time.Parse(time.DateOnly, text)
		return isText && err == nil
	case item.OwnChoice:
		return slices.Contains(f.Choices, text)
	case item.OwnList:
		return v.Kind() == reflect.Slice
	case item.OwnPost, item.OwnImage:
		return v.CanInt() && v.Int() > 0
	}
	return isText
}

// nameOf reports whether a resource has a field, or its list a parameter, with a name.
func nameOf(k *item.Resource, name string) bool {
	return slices.ContainsFunc(k.Fields, func(f *item.Field) bool { return f.Name == name }) ||
		slices.ContainsFunc(k.Filters.Params(), func(p *param.Param) bool { return p.Name == name })
}

// keyOf reports whether a meta key already has a meaning. Letter case is ignored, as the database ignores it.
func keyOf(k *item.Resource, key string, links []string) bool {
	same := func(other string) bool { return strings.EqualFold(other, key) }
	begins := func(prefix string) bool { return len(key) >= len(prefix) && same(prefix+key[len(prefix):]) }
	stores := func(f *item.Field) bool { return slices.ContainsFunc(f.Keys, same) }
	if slices.ContainsFunc(ownKeys, begins) || slices.ContainsFunc(k.Fields, stores) {
		return true
	}
	if k.PostType == "" {
		return false
	}
	own := []string{k.Origin, schema.MetaRecurrence, schema.MetaCurrencyCode}
	return slices.ContainsFunc(slices.Concat(own, siteKeys, links, k.Rows), same)
}
