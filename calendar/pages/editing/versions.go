package editing

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// versionField returns the field for the item whose translation this one is. It is entered by its title or by its
// number.
func versionField() *entry {
	const name = "translation_of"
	return &entry{
		name: name, widget: "version", inputs: []string{name}, folded: true,
		read: func(s stored, in reading, v url.Values) {
			v.Set(ownLanguage, s.stringMember("language"))
			if id := firstVersion(s); id != "" && in.label != nil {
				v.Set(name, in.label(id))
			}
		},
		write: func(w *writing) {
			typed := w.one(name)
			if typed == "" {
				w.out[name] = "0"
				return
			}
			found, err := w.versions(typed)
			if err != nil {
				w.failed = err
				return
			}
			same := slices.DeleteFunc(slices.Clone(found), func(one namedItem) bool { return !strings.EqualFold(one.name, typed) })
			number := numberBehind.FindStringSubmatch(typed)
			switch {
			case len(same) == 1:
				w.out[name] = decimal(same[0].id)
				return
			case len(same) > 1:
				w.fault(name, name+".several", typed)
				found = same
			case number != nil:
				w.out[name] = number[1]
				return
			default:
				w.fault(name, name+".unknown", typed)
			}
			for _, one := range found[:min(len(found), 5)] {
				w.alike[name] = append(w.alike[name], one.label())
			}
		},
	}
}

// ownLanguage is the name of the hidden input with the language of the item.
const ownLanguage = "item.language"

// numberBehind matches the id of an item, alone or after its title.
var numberBehind = regexp.MustCompile(`^(?:(?:.*\s)?#)?(\d{1,18})$`)

// firstVersion returns the id of the first version of an item in another language, or "" if there is none.
func firstVersion(s stored) string {
	versions, _ := s["translations"].(map[string]any)
	first, id := "", ""
	for tag, one := range versions {
		if version, ok := one.(map[string]any); ok && (first == "" || tag < first) {
			first, id = tag, textOf(version["id"])
		}
	}
	return id
}

// label returns a text that identifies the item, even among others with the same name.
func (n namedItem) label() string {
	text := n.name
	if n.day != "" {
		text += " (" + n.day + ")"
	}
	return text + " #" + decimal(n.id)
}

// labelOf returns the label of an item, or its number if the item cannot be read.
func (fs *forms) labelOf(ctx context.Context, collection, id string) string {
	number, err := parseID(id)
	one := namedItem{id: number}
	if err == nil {
		one, err = fs.one(ctx, collection, number)
	}
	if err != nil {
		return "#" + id
	}
	return one.label()
}

// one reads an item in any language.
func (fs *forms) one(ctx context.Context, collection string, id int64) (namedItem, error) {
	kinds := fs.site.Calendar.Kinds()
	switch collection {
	case "events":
		e, err := kinds.Events.Get(ctx, id, nil)
		if err != nil {
			return namedItem{}, err
		}
		return ofEvent(*e), nil
	case "venues":
		v, err := kinds.Venues.Get(ctx, id, nil)
		if err != nil {
			return namedItem{}, err
		}
		return ofVenue(*v), nil
	}
	o, err := kinds.Organizers.Get(ctx, id, nil)
	if err != nil {
		return namedItem{}, err
	}
	return ofOrganizer(*o), nil
}

func ofEvent(e calendar.Event) namedItem {
	return namedItem{e.EventID, plainName(e.Title), e.Start.Format(time.DateOnly)}
}

func ofVenue(v calendar.Venue) namedItem { return namedItem{id: v.ID, name: plainName(v.Name)} }

func ofOrganizer(o calendar.Organizer) namedItem { return namedItem{id: o.ID, name: plainName(o.Name)} }

// otherVersions returns items of a collection in all languages but the given one: those that contain a text, or the
// first ones if text is "".
func (fs *forms) otherVersions(ctx context.Context, collection, language, text string) (list []namedItem, err error) {
	for _, l := range fs.site.Languages {
		if l.Tag == language {
			continue
		}
		query := url.Values{"per_page": {"20"}, "status": {anyStatus}}
		if text != "" {
			query.Set("search", text)
		}
		found, err := fs.listed(calendar.WithLanguage(ctx, l.Tag), collection, query)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

const anyStatus = "publish,draft,pending,private,future"

// listed reads a page of a list. The occurrences of an event are one item.
func (fs *forms) listed(ctx context.Context, collection string, query url.Values) (list []namedItem, err error) {
	kinds := fs.site.Calendar.Kinds()
	switch collection {
	case "events":
		query.Set("start_date", "0001-01-02")
		if !query.Has("search") { // without a search, the past events would be too many to choose from
			query.Set("start_date", fs.site.Now().In(fs.site.Zone).Format(time.DateOnly))
		}
		query.Set("end_date", "9999-12-31")
		return itemsOf(kinds.Events.List(ctx, query))(ofEvent)
	case "venues":
		return itemsOf(kinds.Venues.List(ctx, query))(ofVenue)
	}
	return itemsOf(kinds.Organizers.List(ctx, query))(ofOrganizer)
}

// itemsOf returns the items of a page without duplicates. A page that does not exist has none.
func itemsOf[T any](p *calendar.Page[T], err error) func(func(T) namedItem) ([]namedItem, error) {
	return func(of func(T) namedItem) (list []namedItem, failed error) {
		if err = notFoundIsNone(err); err != nil || p == nil {
			return nil, err
		}
		for _, one := range p.Items {
			item := of(one)
			if !slices.ContainsFunc(list, func(known namedItem) bool { return known.id == item.id }) {
				list = append(list, item)
			}
		}
		return list, nil
	}
}

// language returns the language of the form's item. A new item is in the language of the page.
func (f *sheet) language() string {
	if own := f.w.was.Get(ownLanguage); own != "" && !f.w.fresh {
		return own
	}
	return f.r.lang.Tag
}

// versionNames returns the names of items in other languages, as suggestions while one is typed.
func (f *sheet) versionNames() (list []optionView) {
	found, err := f.site.forms.otherVersions(f.r.Context(), f.w.editor.name, f.language(), "")
	if err != nil {
		return nil
	}
	for _, one := range found {
		list = append(list, optionView{Value: one.label()})
	}
	return list
}
