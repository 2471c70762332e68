package exchange

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// restItem is an item of an API's answer.
type restItem struct {
	members   map[string]any
	resources *resources
	at        SourceLine
	host      string
}

// within returns an item that is nested in the same answer.
func (i restItem) within(members map[string]any) restItem {
	i.members = members
	return i
}

func (i restItem) stringMember(name string) string {
	switch v := i.members[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func (i restItem) flag(name string) bool {
	switch v := i.members[name].(type) {
	case bool:
		return v
	case string:
		return wp.Truthy(v)
	}
	return false
}

// items returns the items of a list. A member that is a single item is a list of one.
func (i restItem) items(name string) (list []restItem) {
	switch v := i.members[name].(type) {
	case []any:
		for _, one := range v {
			if m, ok := one.(map[string]any); ok {
				list = append(list, i.within(m))
			}
		}
	case map[string]any:
		list = append(list, i.within(v))
	}
	return list
}

// image returns the address of an item's image.
func (i restItem) image() string {
	if m, ok := i.members["image"].(map[string]any); ok {
		return i.within(m).stringMember("url")
	}
	return ""
}

// group returns the item's language, and the key that its translations share: the id of the one in the alphabetically
// first language.
func (i restItem) group() (language, group string) {
	language = i.stringMember("language")
	versions, _ := i.members["translations"].(map[string]any)
	if len(versions) == 0 {
		return language, ""
	}
	first, id := language, i.stringMember("id")
	for code, v := range versions {
		if m, ok := v.(map[string]any); ok && code < first {
			first, id = code, i.within(m).stringMember("id")
		}
	}
	return language, id
}

// uid returns the UID that identifies an item of another calendar.
func (i restItem) uid(kind Collection) string {
	id := i.stringMember("id")
	if id == "" {
		return ""
	}
	if kind == Events {
		return id + "@" + i.host
	}
	return string(kind) + "-" + id + "@" + i.host
}

// values returns members that are plain text with HTML character references.
func (i restItem) values(names ...string) map[string]any {
	values := map[string]any{}
	for _, name := range names {
		if v := i.stringMember(name); v != "" {
			values[name] = html.UnescapeString(v)
		}
	}
	return values
}

// record returns the record of an item of a resource, with the values of its fields. Fields whose displayed value
// cannot be converted to one that a write accepts are listed in passed.
func (i restItem) record(k *resource) *Record {
	rec := &Record{Kind: k.Collection, Line: i.at, title: k.Title}
	if k.terms != nil {
		rec.Language, rec.Values = i.stringMember("language"), i.values(k.Title, fieldSlug)
		for _, f := range k.fields {
			if v, known := i.value(k, f); known && v != nil && v != "" && i.members[f.Name] != nil {
				rec.Values[f.Name] = v
			}
		}
		return rec
	}
	rec.UID, rec.Image = i.uid(k.Collection), i.image()
	rec.Language, rec.Group = i.group()
	rec.Values = map[string]any{}
	for _, f := range k.fields {
		switch v, known := i.value(k, f); {
		case i.members[f.Name] == nil:
		case !known:
			rec.passed = append(rec.passed, f.Name)
		case v != nil && v != "":
			rec.Values[f.Name] = v
		}
	}
	return rec
}

// value returns the value to write for what an answer displays of a field, and whether it can be converted. Members
// that The Events Calendar has contain escaped text; those that it does not have come from this program, which displays
// them in the form that writes accept.
func (i restItem) value(k *resource, f field) (v any, known bool) {
	switch {
	case f.Name == k.Title:
		return characters(i.stringMember(f.Name)), true
	case f.Name == fieldDescription, f.Name == fieldExcerpt:
		return i.stringMember(f.Name), true // HTML
	case k.field != "" && (f.Name == fieldStatus || f.Name == fieldDate || f.Name == fieldDateUTC):
		return nil, true // linked items become public together with the events that link them
	case f.Name == fieldAuthor:
		return nil, true // a user of the other site
	case f.Name == fieldImageAlt:
		return i.stringMember(f.Name), true // belongs to the image, whose file is fetched
	case f.Name == fieldDates, f.Name == fieldRecurrence:
		return nil, true // see several
	case f.Name == fieldWebsite && k.field == "":
		return i.website(), true
	case f.Name == fieldDate, f.Name == fieldDateUTC:
		if strings.HasPrefix(i.stringMember(fieldDateUTC), "0000") { // a draft without a date of publication
			return nil, true
		}
		return i.stringMember(f.Name), true
	case f.form == item.FormFlag:
		return i.flag(f.Name), true
	case (f.form == item.FormText || f.Name == fieldCost) && !f.added:
		return html.UnescapeString(i.stringMember(f.Name)), true
	}
	return i.members[f.Name], f.Stored == nil
}

// reference matches an HTML character reference.
var reference = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{2,31});`)

// characters converts the title in an answer to the form that people type, with characters instead of references, since
// searches compare characters. Escaped markup stays escaped.
func characters(title string) string {
	var b strings.Builder
	last := 0
	for _, at := range reference.FindAllStringIndex(title, -1) {
		text, rest := html.UnescapeString(title[at[0]:at[1]]), title[at[1]:]
		if text == "<" || text == ">" || text == "&" && reference.MatchString("&"+rest) && reference.FindStringIndex("&" + rest)[0] == 0 {
			continue
		}
		b.WriteString(title[last:at[0]] + text)
		last = at[1]
	}
	return b.String() + title[last:]
}

// website returns the website of an event, or "" if it is the event's own page.
func (i restItem) website() string {
	website := i.stringMember(fieldWebsite)
	if website == i.stringMember("url") || website == html.EscapeString(i.stringMember("url")) {
		return ""
	}
	return html.UnescapeString(website)
}

// event returns the record of an event.
func (i restItem) event() *Record {
	rec := i.record(i.resources.events)
	if state := i.stringMember(fieldState); state == StateCanceled || state == StatePostponed {
		rec.State = state
	}
	if zone, known := strtotime.Zone(i.stringMember(fieldZone)); known {
		for _, name := range []string{fieldStart, fieldEnd} {
			if wall := i.stringMember(name); wall != "" {
				rec.Values[name] = exactText(wall, i.stringMember("utc_"+name), zone)
			}
		}
	}
	for _, k := range i.resources.linked {
		if _, given := i.members[k.field]; given {
			rec.link(k.Collection) // states all links of the resource, even if there are none
		}
		for _, one := range i.items(k.field) {
			linked := one.record(k)
			if k.position {
				linked.Position = one.position()
			}
			rec.link(k.Collection, linked)
		}
	}
	rec.dates = i.several()
	for name, value := range i.members {
		_, isField := i.resources.events.has(name)
		isLink := slices.ContainsFunc(i.resources.linked, func(k *resource) bool { return k.field == name })
		if !isField && !isLink && !slices.Contains(restMembers, name) && !isEmptyValue(value) {
			rec.passed = append(rec.passed, name)
		}
	}
	return rec
}

// restMembers lists members of an event that follow from others or only concern the other calendar, and those that a
// Record contains outside of its Values.
var restMembers = []string{
	"id", "utc_start_date", "utc_end_date", "url", fieldImage, "language", "translations", fieldState,

	"global_id", "global_id_lineage", "modified", "modified_utc", "rest_url", "start_date_details", "end_date_details",
	"utc_start_date_details", "utc_end_date_details", "timezone_abbr", "cost_details", "json_ld", "ticketed",
	"title_raw", "description_raw", "excerpt_raw",
}

// isEmptyValue reports whether a member has no value.
func isEmptyValue(value any) bool {
	switch v := value.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return value == nil || value == false || value == ""
}

// position returns the position of an item, or nil if the answer contains none.
func (i restItem) position() *Position {
	lat, wrongLat := strconv.ParseFloat(i.stringMember(fieldLatitude), 64)
	lng, wrongLng := strconv.ParseFloat(i.stringMember(fieldLongitude), 64)
	if wrongLat != nil || wrongLng != nil {
		return nil
	}
	return &Position{lat, lng}
}
