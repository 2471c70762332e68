package recurrence

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"github.com/agendahq/agenda/locales"
)

// saying returns the messages of each language.
func saying(t *testing.T) func(tag string) Say {
	t.Helper()
	bundle, err := locales.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	return func(tag string) Say {
		texts := i18n.NewLocalizer(bundle, tag)
		return func(id string, data map[string]any) string {
			text, err := texts.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data, PluralCount: data["Count"]})
			if err != nil {
				t.Error(err)
			}
			return text
		}
	}
}

// TestWords checks descriptions of rules in English, Dutch and French, for events that begin at 20:00 in Brussels. ""
// is expected where no description would be correct.
func TestWords(t *testing.T) {
	say := saying(t)
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		t.Fatal(err)
	}
	times := func(text string) (list []time.Time) {
		for field := range strings.FieldsSeq(text) {
			at, err := time.Parse("2006-01-02T15", field)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, at)
		}
		return list
	}
	const seven = "2030-11-01T20 2030-11-02T20 2030-11-03T20 2030-11-04T20 2030-11-05T20 2030-11-06T20 2030-11-07T20"
	for _, c := range []struct {
		start, rule, excluded, added string
		en, nl, fr                   string
	}{
		// 1 October 2030 is a Tuesday.
		{"2030-10-01", "FREQ=DAILY", "", "", "every day", "elke dag", "chaque jour"},
		{"2030-10-01", "FREQ=DAILY;INTERVAL=2", "", "", "every 2 days", "elke 2 dagen", "tous les 2 jours"},
		{"2030-10-01", "FREQ=DAILY;BYMONTH=10,1;COUNT=40", "", "", "every day in January and October, 40 times",
			"elke dag in januari en oktober, 40 keer", "chaque jour, en janvier et octobre, 40 fois"},
		{"2030-10-01", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "", "", "every day from Monday to Friday",
			"elke dag van maandag tot en met vrijdag", "chaque jour du lundi au vendredi"},
		{"2030-10-01", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "", "", "every day", "elke dag", "chaque jour"},
		{"2030-10-01", "FREQ=WEEKLY", "", "", "every Tuesday", "elke dinsdag", "chaque mardi"},
		{"2030-10-01", "FREQ=WEEKLY;BYDAY=TH,TU", "", "", "every Tuesday and Thursday", "elke dinsdag en donderdag",
			"chaque semaine le mardi et le jeudi"},
		{"2030-10-08", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20310630T215959Z", "2030-12-31T20 2030-12-17T20 2030-12-03T19 2030-12-04T20", "",
			"every second Tuesday until 30 June 2031, except 17 and 31 December 2030",
			"om de twee weken op dinsdag tot en met 30 juni 2031, behalve op 17 en 31 december 2030",
			"un mardi sur deux, jusqu’au 30 juin 2031, sauf les 17 et 31 décembre 2030"},
		{"2030-10-01", "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU", "", "", "every 3 weeks on Tuesday", "elke 3 weken op dinsdag",
			"toutes les 3 semaines, le mardi"},
		{"2030-10-01", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU", "", "", "every 2 weeks on Tuesday and Sunday",
			"elke 2 weken op dinsdag en zondag", "toutes les 2 semaines, le mardi et le dimanche"},
		{"2030-10-01", "FREQ=WEEKLY;COUNT=10", "2030-12-03T20 2031-03-04T20", "2030-12-04T20",
			"every Tuesday, 9 times, except 3 December 2030, and also 4 December 2030",
			"elke dinsdag, 9 keer, behalve op 3 december 2030, en ook op 4 december 2030",
			"chaque mardi, 9 fois, sauf le 3 décembre 2030, et aussi le 4 décembre 2030"},
		// The end is the last possible day.
		{"2030-10-01", "FREQ=WEEKLY;UNTIL=20310501", "", "", "every Tuesday until 1 May 2031", "elke dinsdag tot en met 1 mei 2031",
			"chaque mardi, jusqu’au 1er mai 2031"},
		{"2030-10-01", "FREQ=WEEKLY;UNTIL=20310630T220000Z", "", "", "every Tuesday until 30 June 2031",
			"elke dinsdag tot en met 30 juni 2031", "chaque mardi, jusqu’au 30 juin 2031"},
		{"2030-10-01", "FREQ=WEEKLY;UNTIL=20310630T180000Z", "", "", "every Tuesday until 30 June 2031",
			"elke dinsdag tot en met 30 juni 2031", "chaque mardi, jusqu’au 30 juin 2031"},
		{"2030-10-01", "FREQ=WEEKLY;UNTIL=20310630T175959Z", "", "", "every Tuesday until 29 June 2031",
			"elke dinsdag tot en met 29 juni 2031", "chaque mardi, jusqu’au 29 juin 2031"},
		// A date that is moved within its day is not an exception, dates in the same month are grouped, and many are
		// only counted.
		{"2030-10-01", "FREQ=WEEKLY", "2030-12-24T20", "2030-12-24T17 2030-10-01T20 2030-10-08T20", "every Tuesday", "elke dinsdag",
			"chaque mardi"},
		{"2030-10-01", "FREQ=WEEKLY", "2030-10-08T20 2030-10-15T20 2030-11-05T20 2031-01-07T20", "",
			"every Tuesday, except 8 and 15 October 2030, 5 November 2030 and 7 January 2031",
			"elke dinsdag, behalve op 8 en 15 oktober 2030, 5 november 2030 en 7 januari 2031",
			"chaque mardi, sauf les 8 et 15 octobre 2030, le 5 novembre 2030 et le 7 janvier 2031"},
		{"2030-10-01", "FREQ=DAILY", seven, "",
			"every day, with 7 exceptions", "elke dag, met 7 uitzonderingen", "chaque jour, avec 7 exceptions"},
		{"2030-10-01", "FREQ=WEEKLY", "", strings.Replace(seven, "-05", "-08", 1),
			"every Tuesday, and 7 other dates", "elke dinsdag, en op 7 andere datums", "chaque mardi, et 7 autres dates"},
		{"2030-10-01", "FREQ=MONTHLY", "", "", "every month on the 1st", "elke maand op de 1e", "chaque mois, le 1er"},
		{"2030-10-01", "FREQ=MONTHLY;BYMONTHDAY=-1,15,1,15", "", "", "every month on the 1st, the 15th and the last day",
			"elke maand op de 1e, de 15e en de laatste dag", "chaque mois, le 1er, le 15 et le dernier jour"},
		{"2030-10-30", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-2", "", "", "every 2 months on the second-to-last day",
			"elke 2 maanden op de voorlaatste dag", "tous les 2 mois, l’avant-dernier jour"},
		{"2030-10-01", "FREQ=MONTHLY;BYDAY=1TU,3TU", "", "", "every month on the first Tuesday and the third Tuesday",
			"elke maand op de eerste dinsdag en de derde dinsdag", "chaque mois, le premier mardi et le troisième mardi"},
		{"2030-10-15", "FREQ=MONTHLY;INTERVAL=3;BYDAY=-3TU", "", "", "every 3 months on the third-to-last Tuesday",
			"elke 3 maanden op de op twee na laatste dinsdag", "tous les 3 mois, le troisième mardi en partant de la fin"},
		{"2030-10-01", "FREQ=MONTHLY;BYDAY=TU", "", "", "every Tuesday", "elke dinsdag", "chaque mardi"},
		{"2030-10-31", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "", "", "every month on the last weekday (Monday to Friday)",
			"elke maand op de laatste weekdag (maandag tot en met vrijdag)",
			"chaque mois, le dernier jour de semaine (du lundi au vendredi)"},
		{"2030-10-05", "FREQ=MONTHLY;BYDAY=SU,SA;BYSETPOS=1", "", "", "every month on the first Saturday or Sunday",
			"elke maand op de eerste zaterdag of zondag", "chaque mois, le premier samedi ou dimanche"},
		{"2030-10-31", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1", "", "", "every month on the last day",
			"elke maand op de laatste dag", "chaque mois, le dernier jour"},
		{"2030-12-13", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "", "", "every month on the 13th if that is a Friday",
			"elke maand op de 13e als dat een vrijdag is", "chaque mois, le 13 si c’est un vendredi"},
		{"2030-06-04", "FREQ=MONTHLY;BYMONTH=7,6;BYDAY=1TU", "", "", "every year on the first Tuesday in June and July",
			"elk jaar op de eerste dinsdag in juni en juli", "chaque année, le premier mardi, en juin et juillet"},
		{"2030-10-01", "FREQ=YEARLY", "", "", "every year on 1 October", "elk jaar op 1 oktober", "chaque année, le 1er octobre"},
		{"2030-06-10", "FREQ=YEARLY;BYMONTH=6,7;BYMONTHDAY=10,20", "", "", "every year on 10 and 20 June and 10 and 20 July",
			"elk jaar op 10 en 20 juni en 10 en 20 juli", "chaque année, les 10 et 20 juin et les 10 et 20 juillet"},
		{"2028-02-29", "FREQ=YEARLY;INTERVAL=4", "", "", "every 4 years on 29 February", "elke 4 jaar op 29 februari",
			"tous les 4 ans, le 29 février"},
		{"2030-10-29", "FREQ=YEARLY;BYMONTH=10;BYDAY=-1TU", "", "", "every year on the last Tuesday in October",
			"elk jaar op de laatste dinsdag in oktober", "chaque année, le dernier mardi, en octobre"},
		{"2030-10-31", "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=-1", "", "", "every year on the last day in October",
			"elk jaar op de laatste dag in oktober", "chaque année, le dernier jour, en octobre"},
		{"2030-10-08", "FREQ=YEARLY;BYMONTH=10;BYDAY=TU;BYSETPOS=2", "", "", "every year on the second Tuesday in October",
			"elk jaar op de tweede dinsdag in oktober", "chaque année, le deuxième mardi, en octobre"},
		{"2030-10-01", "FREQ=YEARLY;BYMONTH=10;BYDAY=TU", "", "", "every Tuesday in October", "elke dinsdag in oktober",
			"chaque mardi, en octobre"},
		{"2030-10-01", "FREQ=YEARLY;BYMONTHDAY=1", "", "", "every month on the 1st", "elke maand op de 1e", "chaque mois, le 1er"},
		// A start that does not match the rule.
		{"2030-10-01", "FREQ=WEEKLY;BYDAY=FR;COUNT=5", "2030-10-11T20", "2030-10-13T20",
			"every Friday, 3 times, except 11 October 2030, and also 1 and 13 October 2030",
			"elke vrijdag, 3 keer, behalve op 11 oktober 2030, en ook op 1 en 13 oktober 2030",
			"chaque vendredi, 3 fois, sauf le 11 octobre 2030, et aussi les 1er et 13 octobre 2030"},
		{"2030-10-01", "FREQ=WEEKLY;BYDAY=FR;COUNT=5", "2030-10-01T20", "", "every Friday, 4 times", "elke vrijdag, 4 keer",
			"chaque vendredi, 4 fois"},
		// Rules without a description.
		{start: "2030-10-01", rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"},
		{start: "2030-10-01", rule: "FREQ=HOURLY"},
		{start: "2030-10-01", rule: "FREQ=DAILY;BYHOUR=20,21"},
		{start: "2030-10-01", rule: "FREQ=DAILY;BYHOUR=21"},
		{start: "2030-10-01", rule: "FREQ=DAILY;INTERVAL=2;BYDAY=TU"},
		{start: "2030-10-01", rule: "FREQ=DAILY;INTERVAL=2;BYMONTHDAY=1"},
		{start: "2030-10-01", rule: "FREQ=WEEKLY;BYDAY=TU,WE;BYSETPOS=1"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;INTERVAL=2;BYMONTH=10"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;BYDAY=1TU,WE"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;BYDAY=1TU;BYSETPOS=1"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;BYDAY=-5TU,1TU"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;BYMONTHDAY=1,2,3;BYSETPOS=1"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7"},
		{start: "2030-10-01", rule: "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1,-5,2,3,4,5"},
		{start: "2030-10-01", rule: "FREQ=YEARLY;BYDAY=40TU"},
		{start: "2030-10-01", rule: "FREQ=YEARLY;BYYEARDAY=274"},
		{start: "2030-10-01", rule: "FREQ=YEARLY;BYWEEKNO=40;BYDAY=TU"},
		{start: "2030-10-01", rule: "FREQ=YEARLY;BYMONTH=10,11;BYDAY=TU;BYSETPOS=1"},
		{start: "2030-10-01", rule: "FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=1"},
		{start: "2030-10-01", rule: "FREQ=YEARLY;INTERVAL=2;BYMONTH=10;BYDAY=TU"},
		{start: "2030-10-01", rule: "FREQ=DAILY;COUNT=1"},
		{start: "2030-10-01", rule: "FREQ=DAILY;COUNT=2", excluded: "2030-10-02T20"},
		{start: "2030-10-01", rule: "FREQ=DAILY;COUNT=5;UNTIL=20301003"},
		{start: "2030-10-01", rule: "FREQ=DAILY", excluded: "2090-10-02T20"},
	} {
		for tag, want := range map[string]string{"en": c.en, "nl": c.nl, "fr": c.fr} {
			got := Words(Said{c.rule, times(c.start + "T20")[0], ClockIn(brussels), times(c.excluded), times(c.added)}, say(tag))
			if got != want {
				t.Errorf("%s of %s, %s: %s, want %s", c.rule, c.start, tag, got, want)
			}
		}
	}
}

// TestWordsSayTheDates checks that rules that begin on the same day and have the same description have the same dates.
func TestWordsSayTheDates(t *testing.T) {
	type said struct{ rule, dates string }
	found, say, random := map[string]said{}, saying(t)("en"), rand.New(rand.NewPCG(1, 2))
	some := func(most int, of string) string {
		list := strings.Fields(of)
		picked := make([]string, 1+random.IntN(most))
		for i := range picked {
			picked[i] = list[random.IntN(len(list))]
		}
		return strings.Join(picked, ",")
	}
	for range 1500 {
		start := time.Date(2030, 1, 1+random.IntN(2), 20, 0, 0, 0, time.UTC)
		rule := "FREQ=" + some(1, "DAILY WEEKLY MONTHLY YEARLY")
		for _, part := range []struct {
			name string
			of   int // one in n rules has the part
			most int
			list string
		}{
			{"INTERVAL", 4, 1, "1 2 3"}, {"BYDAY", 2, 3, "MO TU WE TH FR 1TU -1WE 2TU SA SU"}, {"BYMONTHDAY", 4, 3, "1 2 3 15 31 -1 -2"},
			{"BYMONTH", 4, 2, "1 2 3 6"}, {"BYSETPOS", 5, 2, "1 2 -1 3"}, {"COUNT", 8, 1, "5 6"},
			{"UNTIL", 8, 1, "20311231 20311230T200000Z 20320101T190000Z"},
		} {
			if random.IntN(part.of) == 0 {
				rule += ";" + part.name + "=" + some(part.most, part.list)
			}
		}
		words := Words(Said{Rule: rule, Start: start, Clock: ClockIn(time.UTC)}, say)
		r, err := Parse(rule, start)
		if err != nil {
			t.Fatal(err)
		}
		if words == "" {
			continue
		}
		dates, _ := r.Dates(ClockIn(time.UTC), start, start.AddDate(3, 0, 0), 5000)
		is, key := said{rule, fmt.Sprint(dates)}, start.Format(time.DateOnly)+": "+words
		if before, again := found[key]; again && before.dates != is.dates {
			t.Errorf("%s\n is %s\n and %s", key, before.rule, rule)
		}
		found[key] = is
	}
	if len(found) < 300 {
		t.Errorf("%d texts", len(found))
	}
}
