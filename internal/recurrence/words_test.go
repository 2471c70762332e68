package recurrence

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/locales"
)

// saying returns the messages of each language.
func saying(t *testing.T) func(tag string) Say {
	t.Helper()
	bundle := must.Get(locales.Bundle())(t)
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
	brussels := must.Get(time.LoadLocation("Europe/Brussels"))(t)
	times := func(text string) (list []time.Time) {
		for field := range strings.FieldsSeq(text) {
			at := must.Get(time.Parse("2006-01-02T15", field))(t)
			list = append(list, at)
		}
		return list
	}
	golden.Each(t, "words.txt", func(start, rule, excluded, added, en, nl, fr string) {
		for tag, want := range map[string]string{"en": en, "nl": nl, "fr": fr} {
			got := Words(Said{rule, times(start + "T20")[0], ClockIn(brussels), times(excluded), times(added)}, say(tag))
			if got != want {
				t.Errorf("%s of %s, %s: %s, want %s", rule, start, tag, got, want)
			}
		}
	})
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
		r := must.Get(Parse(rule, start))(t)
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

func TestD70Text(t *testing.T) {
	brussels := must.Get(time.LoadLocation("Europe/Brussels"))(t)
	golden.Each(t, "texts.txt", func(rule string, days bool, fewer int, want string) {
		golden.Equal(t, rule, Text(rule, ClockIn(brussels), days, fewer), want)
	})
	start := time.Date(2031, 5, 1, 10, 0, 0, 0, time.UTC) // a Thursday
	for rule, want := range map[string]bool{
		"FREQ=DAILY": true, "FREQ=WEEKLY;BYDAY=TH": true, "FREQ=WEEKLY;BYDAY=FR": false, "FREQ=MONTHLY;BYDAY=1TH": true,
		"FREQ=MONTHLY;BYDAY=TH,FR;BYSETPOS=2": false, "FREQ=DAILY;BYHOUR=9": false, "FREQ=WEEKLY;INTERVAL=2": true,
	} {
		r, err := Parse(rule, start)
		if err != nil || r.Regular() != want {
			t.Errorf("%s: %v, %v", rule, err, !want)
		}
	}
}
