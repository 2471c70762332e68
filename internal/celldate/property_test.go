package celldate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
)

// locales are layouts of dates with the name of the month, from short to long. %d is the day, %m the month, %w the
// weekday.
var locales = []struct {
	months, weekdays string
	dates            []string
	times            []string // with a 24-hour clock
	half             []string // with a 12-hour clock; "a" and "p" for "am" and "pm"
}{
	{"January February March April May June July August September October November December",
		"Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
		[]string{"%m %d, %Y", "%w, %m %d, %Y", "%d %m %Y", "%w %d %m %Y", "%m %dth %Y"}, []string{"15:04", "15:04:05"},
		[]string{"3:04 PM", "3:04:05 PM", "3:04pm", "3.04 p.m."}},
	{"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", "Mon Tue Wed Thu Fri Sat Sun",
		[]string{"%w %m %d %Y", "%d-%m-%y", "%d-%m-%Y", "%w, %d %m %Y"}, []string{"15:04:05", "1504"}, []string{"3:04 PM", "3:04 p"}},
	{"januari februari maart april mei juni juli augustus september oktober november december",
		"maandag dinsdag woensdag donderdag vrijdag zaterdag zondag", []string{"%w %d %m %Y om", "%d %m %Y", "%d-%m-%y"},
		[]string{"15:04", "15.04 uur", "15u04", "15:04 uur"}, nil},
	{"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"lundi mardi mercredi jeudi vendredi samedi dimanche", []string{"%w %d %m %Y à", "le %d %m %Y", "%d %m %Y"},
		[]string{"15h04", "15 h 04", "15:04", "15 h 04 min 05 s"}, nil},
	{"Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
		"Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag", []string{"%w, %d. %m %Y um", "%d. %m %Y", "%d. %m %Y,"},
		[]string{"15:04", "15.04 Uhr", "15:04 Uhr"}, nil},
	{"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"lunes martes miércoles jueves viernes sábado domingo", []string{"%w, %d de %m de %Y,", "%d de %m de %Y a las", "%d %m %Y"},
		[]string{"15:04", "15:04 h"}, []string{"3:04 p. m.", "3:04 p.m."}},
	{"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"lunedì martedì mercoledì giovedì venerdì sabato domenica", []string{"%w %d %m %Y alle ore", "%d %m %Y"},
		[]string{"15:04", "15.04"}, nil},
	{"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
		[]string{"%w, %d de %m de %Y às", "%d de %m de %Y"}, []string{"15:04", "15h04"}, nil},
	{"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
		"poniedziałek wtorek środa czwartek piątek sobota niedziela", []string{"%w, %d %m %Y r., godz.", "%d %m %Y"},
		[]string{"15:04", "15:04:05"}, nil},
	{"januari februari mars april maj juni juli augusti september oktober november december",
		"måndag tisdag onsdag torsdag fredag lördag söndag", []string{"%w %d %m %Y kl.", "den %d %m %Y"},
		[]string{"15:04", "15.04"}, nil},
}

// numeric are layouts of dates in digits, with their order of day and month.
var numeric = []struct {
	form  string
	order Order
}{
	{"2006-01-02", Unknown}, {"2006/1/2", Unknown}, {"2006.01.02", Unknown}, {"20060102", Unknown}, {"2.1.2006", Unknown}, {"02.01.06",
		Unknown},
	{"1/2/2006", MonthFirst}, {"1/2/06", MonthFirst}, {"01-02-2006", MonthFirst}, {"2/1/2006", DayFirst}, {"02/01/06", DayFirst},
	{"2-1-2006", DayFirst},
}

// TestGivenTimesAreNeverLost checks that times are never ignored: 5,000 random dates in the layouts of ten locales are
// read to the minute, with their offset.
func TestGivenTimesAreNeverLost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	spaces := []string{" ", " ", "\u00a0", "\u202f", "  "}
	for range 5000 {
		at := time.Date(1970+r.IntN(98), 1, 1+r.IntN(365), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)
		l := locales[r.IntN(len(locales))]
		text, order := "", Unknown
		if r.IntN(2) == 0 {
			text = strings.NewReplacer("%d", fmt.Sprint(at.Day()), "%Y", fmt.Sprint(at.Year()), "%y", at.Format("06"),
				"%m", strings.Fields(l.months)[at.Month()-1], "%w", strings.Fields(l.weekdays)[(at.Weekday()+6)%7]).Replace(pick(l.dates))
		} else {
			n := numeric[r.IntN(len(numeric))]
			text, order = at.Format(n.form), n.order
			text += pick([]string{"", ","})
		}
		layout := pick(l.times)
		clock := at.Format(layout)
		if l.half != nil && r.IntN(2) == 0 {
			layout = pick(l.half)
			clock = at.Format(layout)
			if form, rest, found := strings.Cut(layout, " p"); found {
				clock = at.Format(form) + " " + map[bool]string{true: "p", false: "a"}[at.Hour() >= 12] + rest
			}
		}
		want := at
		if !strings.Contains(layout, "05") {
			want = at.Truncate(time.Minute)
		}
		offset := ""
		if strings.Contains(clock, ":") && r.IntN(4) == 0 && !strings.ContainsAny(clock, "hu") {
			zone := [][2]string{{"+02:00", "+02:00"}, {" GMT-5", "-05:00"}, {" UTC", "+00:00"}, {" CEST", "+02:00"}, {" -0330",
				"-03:30"}}[r.IntN(5)]
			clock, offset = clock+zone[0], zone[1]
		}
		text = strings.ReplaceAll(text+" "+clock, " ", pick(spaces))
		m, err := Read(text, order)
		if err != nil || m.Text() != want.Format(time.DateTime)+offset || !m.Timed {
			t.Fatalf("%q: %s %v, want %s", text, m.Text(), err, want.Format(time.DateTime)+offset)
		}
		damaged := []rune(text)
		i := r.IntN(len(damaged))
		damaged[i] = []rune("0:/.- x7pma")[r.IntN(11)]
		if m, err := Read(string(damaged), order); err == nil && !m.Timed && aTime.MatchString(string(damaged)) {
			t.Fatalf("%q lost its time", string(damaged))
		}
	}
}

var aTime = regexp.MustCompile(`\d[:h]\d\d|[ap]m\b`)
