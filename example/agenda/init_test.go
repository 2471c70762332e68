package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

const chosenPassword = "abcd EFGH 1234 ijkl MNOP"

// onEmptyPlaces runs a test with the flags that name an empty database on a server, and with those that name a new
// file, at the same time.
func onEmptyPlaces(t *testing.T, test func(t *testing.T, database []string)) {
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		test(t, []string{"--data", filepath.Join(t.TempDir(), "new")})
	})
	t.Run("MariaDB", func(t *testing.T) {
		t.Parallel()
		test(t, []string{"--dsn", testdb.DSN(t), "--prefix", "town_"})
	})
	t.Run("MariaDB in MySQL mode", func(t *testing.T) {
		t.Parallel()
		test(t, []string{"--dsn", testdb.DSN(t, testdb.WithSQLMode(testdb.MySQL8))})
	})
}

func TestInitMakesASite(t *testing.T) {
	t.Parallel()
	onEmptyPlaces(t, func(t *testing.T, database []string) {
		make := append([]string{"init", "--email", "anna@example.org", "--title", "Town & Co", "--site-url", "https://town.example/x/",
			"--time-zone", "Europe/Amsterdam", "--locale", "nl_NL", "--week-start", "0",
			"--currency", "eur", "--currency-position", "postfix"}, database...)
		code, out, errOut := ran(t, make...)
		passwords := onePassword.FindAllString(out, -1)
		if code != 0 || errOut != "" || len(passwords) != 1 {
			t.Fatalf("%d %s%s", code, out, errOut)
		}
		for range 2 { // the second time does not change the database either
			if code, again, text := ran(t, make...); code != 2 || again != "" || strings.Count(text, "\n") != 1 ||
				!strings.Contains(text, "already has rows, and nothing is overwritten") {
				t.Errorf("a second time: %d %s%s", code, again, text)
			}
		}
		_, list, _ := ran(t, append([]string{"user", "list"}, database...)...)
		if !strings.Contains(list, "administrator  1          never") || strings.Count(list, "\n") != 2 {
			t.Errorf("users: %s", list)
		}
		address, end := server(t, append(database, "--languages", "nl")...)
		defer end()
		golden.Equal(t, "drafts", as(t, "admin", passwords[0], address+drafts), http.StatusOK)
		_, root := get(t, address+"/wp-json/")
		_, page := get(t, address+"/")
		for text, in := range map[string]string{
			`"name":"Town &amp; Co"`: root, `"timezone_string":"Europe\/Amsterdam"`: root, "Town &amp; Co</": page,
		} {
			if !strings.Contains(in, text) {
				t.Errorf("no %s in %.600s", text, in)
			}
		}
		for range 2 { // the first event of docs/operating.md, which names its venue, creates that venue only once (D71)
			if status, event := create(t, passwords[0], address+events, `{"title": "Summer concert", "start_date": "2031-07-01 20:00",
				"end_date": "2031-07-01 22:30", "venue": {"venue": "Town hall", "city": "Gent"}}`); status != http.StatusCreated {
				t.Errorf("the first event: %d %s", status, event)
			}
		}
		if _, venues := get(t, address+"/wp-json/vendor/events/v1/venues"); !strings.Contains(venues, `"total":1,`) {
			t.Errorf("the first event, twice, made the venues %s", venues)
		}
		status, event := create(t, passwords[0], address+events,
			`{"title":"Fair","start_date":"2040-01-01 10:00","end_date":"2040-01-01 11:00","cost":"12,50"}`)
		_, page = get(t, address+"/event/fair/")
		if status != http.StatusCreated || !strings.Contains(event, `"cost":"12,50\u20ac"`) ||
			!strings.Contains(page, `"priceCurrency":"EUR"`) {
			t.Errorf("an event with a cost: %d %s %s", status, event, page)
		}
	})
}

const events = "/wp-json/vendor/events/v1/events"

// create adds an event as the administrator that init created, and returns the response.
func create(t *testing.T, password, address, event string) (status int, answer string) {
	t.Helper()
	resp, text := sent(t, http.MethodPost, address, event, func(r *http.Request) {
		r.Header.Set("Content-Type", "application/json")
		r.SetBasicAuth("admin", password)
	})
	return resp.StatusCode, text
}

func TestInitTakesAPassword(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	writeTestFile(t, file, chosenPassword+"\r\n")
	for name, set := range map[string]func(t *testing.T) []string{
		"file":        func(*testing.T) []string { return []string{"--password-file", file} },
		"environment": func(t *testing.T) []string { t.Setenv(passwordVariable, chosenPassword); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			args := append([]string{"init", "--data", dir, "--email", "a@example.org", "--login", "anna"}, set(t)...)
			code, out, errOut := ran(t, args...)
			if code != 0 || errOut != "" || strings.Contains(out, "1234") || onePassword.MatchString(out) {
				t.Fatalf("%d %s%s", code, out, errOut)
			}
			address, end := server(t, "--data", dir)
			defer end()
			for password, want := range map[string]int{chosenPassword: http.StatusOK, "abcdEFGH": http.StatusUnauthorized} {
				golden.Equal(t, password, as(t, "anna", password, address+drafts), want)
			}
		})
	}
}

func TestMistakesOfInit(t *testing.T) {
	site := testdb.SiteA(t)
	short := filepath.Join(t.TempDir(), "short")
	writeTestFile(t, short, "abc")
	other := t.TempDir()
	writeTestFile(t, filepath.Join(other, "agenda.db"), "not a database, but longer than the header of one "+strings.Repeat("x", 100))
	values := strings.NewReplacer("{site}", testdb.DSNOf(t, site), "{other}", other, "{short}", short)
	golden.Each(t, "init-mistakes.txt", func(name string, args []string, want string) {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			mistake(t, values, want, append([]string{"init"}, args...)...)
			if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	})
	t.Setenv(passwordVariable, chosenPassword)
	says(t, 2, "both set", "init", "--email", "a@example.org", "--password-file", short)
}

// TestInitCompletesTables checks that init completes what an interrupted run left.
func TestInitCompletesTables(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
	moved(t, 0, "init", "--email", "a@example.org", "--dsn", testdb.DSNOf(t, db))
}

func TestInitReadsAPasswordFromAnotherProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out output
	cmd := command(t, &out, "init", "--data", dir, "--email", "a@example.org", "--password-file", "-")
	cmd.Stdin = strings.NewReader(chosenPassword + "\n")
	if err := cmd.Run(); err != nil || strings.Contains(out.String(), "1234") {
		t.Fatalf("%v %s", err, &out)
	}
	address, end := server(t, "--data", dir)
	defer end()
	golden.Equal(t, "drafts", as(t, "admin", chosenPassword, address+drafts), http.StatusOK)
}

func TestInitOfSeveralLanguages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, out, errOut := ran(t, "init", "--data", dir, "--email", "a@example.org", "--locale", "nl_NL,fr_FR",
		"--site-url", "http://x.example")
	if code != 0 || errOut != "" {
		t.Fatalf("%d %s%s", code, out, errOut)
	}
	address, end := server(t, "--data", dir, "--languages", "nl,fr")
	defer end()
	for language, want := range map[string]string{
		"?i18n_language=nl": `"language":"nl"`, "?i18n_language=fr": `"language":"fr"`, "": `"language":"nl"`,
	} {
		status, event := create(t, onePassword.FindString(out), address+events+language,
			`{"title":"Fair","start_date":"2040-01-01 10:00:00","end_date":"2040-01-01 11:00:00","status":"publish"}`)
		if status != http.StatusCreated || !strings.Contains(event, want) {
			t.Errorf("in %q: %d %s", language, status, event)
		}
	}
	_, list := get(t, address+events+"?i18n_language=fr&start_date=2039-01-01&end_date=2041-01-01")
	if !strings.Contains(list, `"language":"fr"`) || strings.Contains(list, `"language":"nl"`) {
		t.Errorf("events in French: %s", list)
	}
	for locales, want := range map[string]string{
		"nl_NL,nl_BE": "nl_NL and nl_BE have the same language", "nl_NL,": `--locale ""`, "xx1": `--locale "xx1"`,
	} {
		says(t, 2, want, "init", "--data", t.TempDir(), "--email", "a@example.org", "--locale", locales)
	}
}
