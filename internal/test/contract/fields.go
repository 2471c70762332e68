package contract

import "github.com/agendahq/agenda/calendar"

func bound(n float64) *float64 { return &n }

// HostFields returns fields that a host declares: fields of events of each type, and some of venues and terms. Two fields
// of terms have the same key.
func HostFields() []calendar.Field {
	list := []calendar.Field{
		{Name: "dress", Type: calendar.FieldText, Max: bound(20), Example: "Black tie", Texts: map[string]string{"nl": "Wat je aantrekt."}},
		{Name: "seats", Type: calendar.FieldNumber, Min: bound(0), Max: bound(5000)},
		{Name: "wheelchairs", Type: calendar.FieldYesNo},
		{Name: "doors", Type: calendar.FieldDate},
		{Name: "level", Type: calendar.FieldChoice, Choices: []string{"easy", "hard"}},
		{Name: "patrons", Type: calendar.FieldList, Max: bound(3)},
		{Name: "report", Type: calendar.FieldPost},
		{Name: "poster", Type: calendar.FieldImage},
		{Name: "budget", Type: calendar.FieldNumber, Read: "read_budget"},
		{Name: "remark", Type: calendar.FieldText},
		{Name: "words", Type: calendar.FieldText, Max: bound(3000)},
		{Name: "story", Type: calendar.FieldText, Max: bound(5000)},
		{Kind: "venues", Name: "lift", Type: calendar.FieldYesNo},
		{Kind: "categories", Name: "colour", Type: calendar.FieldText, Max: bound(10)},
		{Kind: "categories", Name: "aliases", Type: calendar.FieldList},
		{Kind: "categories", Name: "rank", Type: calendar.FieldNumber, Read: "read_budget"},
		{Kind: "tags", Name: "shade", Key: "_host_colour", Type: calendar.FieldText},
	}
	for i := range list {
		f := &list[i]
		f.Description = "What " + f.Name + " is."
		if f.Kind == "" {
			f.Kind = "events"
		}
		if f.Key == "" {
			f.Key = "_host_" + f.Name
		}
	}
	return list
}

// HostFilters returns filters by HostFields.
func HostFilters() []calendar.Filter {
	list := []calendar.Filter{
		{Field: "dress", Op: calendar.FilterEquals},
		{Name: "dress_has", Field: "dress", Op: calendar.FilterContains},
		{Field: "seats", Op: calendar.FilterRange, Example: 1234},
		{Name: "seats_of", Field: "seats", Op: calendar.FilterOneOf},
		{Field: "wheelchairs", Op: calendar.FilterEquals},
		{Field: "doors", Op: calendar.FilterRange},
		{Field: "level", Op: calendar.FilterOneOf, Texts: map[string]string{"nl": "Welk niveau."}},
		{Name: "patroned", Field: "patrons", Op: calendar.FilterContains},
		{Name: "patroned_by", Field: "patrons", Op: calendar.FilterOneOf},
		{Field: "report", Op: calendar.FilterEquals},
		{Field: "budget", Op: calendar.FilterEquals},
		{Kind: "venues", Field: "lift", Op: calendar.FilterEquals},
		{Kind: "categories", Field: "colour", Op: calendar.FilterEquals},
		{Kind: "tags", Field: "shade", Op: calendar.FilterOneOf},
	}
	for i := range list {
		if list[i].Kind == "" {
			list[i].Kind = "events"
		}
		list[i].Description = "Selects by " + list[i].Field + "."
	}
	return list
}
