package pagechecks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// ownSite is a site that "agenda init" creates and a separate server serves, for what the demo does not contain.
type ownSite struct {
	title  string
	locale string
	flags  []string // of serve
	host   string   // another program that serves the site, "" for the example
	fill   func(s *ownSite) error

	start    sync.Once
	err      error
	address  string // of its pages
	password string
	server   *exec.Cmd
	dir      string
}

// ownSites lists all of them.
var ownSites = []*ownSite{german, arabic, town, village}

// endSites kills the servers that were started.
func endSites() {
	for _, s := range ownSites {
		if s.server != nil {
			_ = s.server.Process.Kill()
			_ = s.server.Wait()
		}
		os.RemoveAll(s.dir)
	}
}

// at returns the address of the site, which is created, served and filled by the first test that needs it.
func (s *ownSite) at(t *testing.T) string {
	t.Helper()
	s.start.Do(func() { s.err = s.make() })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.address
}

func (s *ownSite) make() (err error) {
	if s.dir, err = os.MkdirTemp("", "pagechecks"); err != nil {
		return err
	}
	said, err := exec.Command(program, "init", "--data", s.dir, "--email", "a@example.org", "--locale", s.locale, "--title", s.title,
		"--time-zone", "Europe/Brussels", "--currency", "EUR").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	lines := strings.Fields(string(said))
	s.password = lines[len(lines)-1]
	s.server = exec.Command(program, append([]string{"--data", s.dir, "--addr", "127.0.0.1:0", "--log-level", "error"}, s.flags...)...)
	if s.host != "" {
		s.server = exec.Command(s.host)
		s.server.Env = append(os.Environ(), "FILE="+filepath.Join(s.dir, "agenda.db"), "ADDR=127.0.0.1:0")
	}
	var out, log output
	s.server.Stdout, s.server.Stderr = &out, &log
	if err := s.server.Start(); err != nil {
		return err
	}
	announced := regexp.MustCompile(`pages (http://\S+)/  API`)
	for deadline := time.Now().Add(time.Minute); s.address == ""; time.Sleep(20 * time.Millisecond) {
		if found := announced.FindStringSubmatch(out.String()); found != nil {
			s.address = found[1]
		} else if time.Now().After(deadline) {
			return fmt.Errorf("%s does not start: %s", s.title, log.String())
		}
	}
	return s.fill(s)
}

// output collects what a program writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// values are the values of an item for the API.
type values map[string]any

// createItem creates an item through the API of the language version with a prefix, and returns its id.
func (s *ownSite) createItem(prefix, kind string, item values) (int64, error) {
	body, err := json.Marshal(item)
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequest(http.MethodPost, s.address+prefix+"/wp-json/vendor/events/v1/"+kind, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth("admin", s.password)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	var made struct{ ID int64 }
	if err := json.Unmarshal(answer, &made); err != nil || resp.StatusCode != http.StatusCreated {
		return 0, fmt.Errorf("%s: %d %s", kind, resp.StatusCode, answer)
	}
	return made.ID, nil
}

// month is the month in which the sites have their events: the next month in Brussels.
var month = func() time.Time {
	now := time.Now()
	if zone, err := time.LoadLocation("Europe/Brussels"); err == nil {
		now = now.In(zone)
	}
	return time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
}()

// monthPath is the page of that month.
var monthPath = "/?month=" + month.Format("2006-01")

// saturday is the day of its second Saturday.
var saturday = 8 + int(time.Saturday-month.Weekday()+7)%7

// timeOn returns a time on a day of the month.
func timeOn(day int, clock string) string {
	return month.AddDate(0, 0, day-1).Format(time.DateOnly) + " " + clock + ":00"
}

// german is a site in a single language for which the pages have no texts. Each of its twelve categories has an event.
var german = &ownSite{title: "Kulturkalender Lüneburg", locale: "de_DE", fill: func(s *ownSite) error {
	orangerie := values{"venue": "Orangerie am Schloss", "address": "Am Schlosspark 3", "city": "Lüneburg", "zip": "21335",
		"country": "Deutschland", "phone": "+49 4131 5550 123"}
	for i, e := range []struct{ category, title, text, cost string }{
		{"Ausstellungen", "Fotografien aus dem Hafen", "Bilder von Kränen, Möwen und Nachtschichten.", "6"},
		{"Film", "Der lange Sommer", "Im Anschluss ein Gespräch mit der Regisseurin.", "8"},
		{"Führungen", "Mit der Nachtwächterin durch die Altstadt", "Bitte eine Laterne mitbringen.", ""},
		{"Kinder", "Kasper und der Drache", "Für alle ab vier Jahren.", "4"},
		{"Konzerte", "Sommerkonzert der Stadtkapelle", "Werke von Mendelssohn und Clara Schumann.", "12"},
		{"Lesungen", "Gedichte zur Mittagszeit", "Eine halbe Stunde, danach gibt es Suppe.", "0"},
		{"Märkte", "Töpfermarkt auf dem Rathausplatz", "Vierzig Werkstätten zeigen ihre Arbeit.", "0"},
		{"Sport", "Lauf um den See", "Zehn Kilometer, ohne Zeitnahme.", "5"},
		{"Tanz", "Walzer, Polka und Rheinländer", "Mit Unterricht für den Anfang.", "7"},
		{"Theater", "Minna von Barnhelm", "Ein Lustspiel von Lessing.", "18"},
		{"Vorträge", "Wie das Salz in die Stadt kam", "Mit Bildern aus dem Archiv.", ""},
		{"Werkstatt", "Fahrräder selbst reparieren", "Werkzeug ist da, Ersatzteile auch.", "0"},
	} {
		category, err := s.createItem("", "categories", values{"name": e.category})
		if err != nil {
			return err
		}
		day := 3 + 2*i
		_, err = s.createItem("", "events",
			values{"title": e.title, "description": "<p>" + e.text + "</p>", "categories": []int64{category},
				"cost": e.cost, "start_date": timeOn(day, fmt.Sprint(9+i, ":30")), "end_date": timeOn(day, fmt.Sprint(10+i, ":30")),
				"venue":     orangerie,
				"organizer": values{"organizer": "Bürgerstiftung", "email": "post@example.org"}, "tags": []string{"Barrierefrei"}})
		if err != nil {
			return err
		}
	}
	_, err := s.createItem("", "events", values{"title": "Nacht der Chöre", "start_date": timeOn(saturday, "20:00"),
		"end_date": timeOn(saturday+3, "23:00")})
	if err != nil {
		return err
	}
	_, err = s.createItem("", "events", values{"title": "Donaudampfschifffahrtsgesellschaftskapitänsmützen und ihre Geschichte",
		"start_date": timeOn(21, "17:00"), "end_date": timeOn(21, "18:00"), "event_status": "postponed",
		"event_status_reason": "Der Hutmacher ist noch auf See."})
	return err
}}

// arabic is a Dutch site with events in Arabic: in the site's Arabic version, and within its Dutch version.
var arabic = &ownSite{title: "Agenda van de bibliotheken", locale: "nl_NL,ar", flags: []string{"--languages", "nl,ar"},
	fill: func(s *ownSite) error {
		const text = "<p>قراءات من شعر محمود درويش مع موسيقى العود. الدخول مجاني والأماكن محدودة.</p>" +
			"<ul><li>يُفتح الباب الساعة 18:30</li><li>للحجز: info@example.org</li></ul>"
		library := values{"venue": "مكتبة المدينة", "address": "شارع الكتب 12", "city": "بروكسل", "phone": "+32 2 555 01 23"}
		for _, e := range []struct{ prefix, title, category, text, from, to string }{
			{"", "Voorlezen in de kinderhoek", "Lezen", "<p>Voor kinderen van drie tot zes.</p>", "14:00", "15:00"},
			{"", "أمسية «شعرية» في المكتبة!", "شعر", text, "19:00", "21:00"},
			{"/ar", "ليلة الشعر العربي", "شعر وموسيقى", text, "20:00", "22:00"},
		} {
			category, err := s.createItem(e.prefix, "categories", values{"name": e.category})
			if err != nil {
				return err
			}
			place := library
			if e.category == "Lezen" {
				place = values{"venue": "Bibliotheek De Brug", "city": "Brussel"}
			}
			_, err = s.createItem(e.prefix, "events", values{"title": e.title, "description": e.text, "categories": []int64{category},
				"start_date": timeOn(saturday, e.from), "end_date": timeOn(saturday, e.to), "cost": "5 – 8", "venue": place,
				"organizer": values{"organizer": e.category}})
			if err != nil {
				return err
			}
		}
		return nil
	}}
