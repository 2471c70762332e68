package event

import (
	"time"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// severalDates returns the fields that only recurring events have (D69), and which The Events Calendar lacks: all
// occurrences, or as many as a response shows; their number; and the recurrence rule. In a list whose items are
// occurrences, the occurrences are not repeated in each item. A password hides none of these fields, because it does
// not hide dates.
func severalDates() []*item.Field {
	moment := jsonschema.Text().Example("2031-05-01 10:00:00")
	date := jsonschema.Object("EventDate",
		jsonschema.Optional("id", jsonschema.Int().Example(10000123)), jsonschema.Has("start_date", moment),
		jsonschema.Has("end_date", moment), jsonschema.Has("utc_start_date", moment), jsonschema.Has("utc_end_date", moment))
	rule := jsonschema.Object("Recurrence",
		jsonschema.Has("rrule", jsonschema.Text().Example("FREQ=WEEKLY;BYDAY=TU;UNTIL=20310630T220000Z")).Doc("doc_recurrence_rrule"),
		jsonschema.Has("exdates", jsonschema.List(moment)).Doc("doc_recurrence_exdates"),
		jsonschema.Has("text", jsonschema.OneOf(jsonschema.Text(), jsonschema.Null()).Example("every Tuesday until 1 July 2031")).
			Doc("doc_recurrence_text"))
	one := func(it *item.Item) bool { return it.Dates == nil }
	return []*item.Field{
		{
			Name: string(fieldDates), Shape: jsonschema.List(date), Maybe: true, Value: writeDates,
			Param: takenDates, Stored: item.NotStored,
			Absent: func(it *item.Item) bool { return one(it) || it.Listed() && it.Call.Sync == nil },
		},
		{
			Name: string(fieldDatesTotal), Shape: jsonschema.Int().Example(9), Maybe: true, Absent: one,
			Value: func(w *phpjson.Writer, it *item.Item) { w.Int(it.Dates.Total) },
		},
		{
			Name: string(fieldRecurrence), Shape: jsonschema.OneOf(rule, jsonschema.Null()).As("EventRecurrence"), Maybe: true,
			Absent: one, Value: writeRecurrence, Param: takenRecurrence, Stored: item.NotStored,
		},
	}
}

func writeDates(w *phpjson.Writer, it *item.Item) {
	w.Array()
	for _, d := range it.Dates.Dates {
		w.Object()
		if d.ID != 0 { // it is 0 on a site whose lists contain events rather than occurrences
			w.KeyInt("id", d.ID)
		}
		w.KeyString("start_date", d.Start)
		w.KeyString("end_date", d.End)
		w.KeyString("utc_start_date", d.StartUTC)
		w.KeyString("utc_end_date", d.EndUTC)
		w.End()
	}
	w.End()
}

func writeRecurrence(w *phpjson.Writer, it *item.Item) {
	set := rset.Parse(it.Dates.Text)
	rule := set.Rule()
	if rule == "" {
		w.Null()
		return
	}
	w.Object()
	w.KeyString("rrule", rule)
	w.KeyArray("exdates")
	for _, at := range set.Excluded() {
		w.String(at.Format(time.DateTime))
	}
	w.End()
	w.Key("text")
	if words := inWords(it, set); words != "" {
		w.String(words)
	} else {
		w.Null()
	}
	w.End()
}

// inWords returns the rule of an event in words, in the requested language, or "" if words cannot express it correctly.
func inWords(it *item.Item, set *rset.Set) string {
	zone, known := Zone(it)
	start, ok := set.Start()
	if !known || !ok || set.Excepts() {
		return ""
	}
	return it.InWords(zone.String()+"\n"+set.String(), func(say recurrence.Say) string {
		said := recurrence.Said{Rule: set.Rule(), Start: start, Clock: recurrence.ClockIn(zone), Excluded: set.Excluded()}
		for _, p := range set.Dates() {
			said.Added = append(said.Added, p.Start)
		}
		return recurrence.Words(said, say)
	})
}
