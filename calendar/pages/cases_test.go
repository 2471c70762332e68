package pages

import (
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// sites are the APIs that tests in testdata/pages.txt name.
var sites = map[string]func() *fakeAPI{
	"short": newFake, "long": newLongFake, "translated": translatedAPI, "empty": listing(emptyList), "german": newFake,
	"cancelled": cancelledAPI, "things": thingsAPI,
	"dateless": listing(listOf(1, datelessEvent)),
	"hidden": func() *fakeAPI {
		hidden := strings.Replace(todayEvent, `"id":30`, `"id":30,"hide_from_listings":true`, 1)
		return withOrganizers(listing(listOf(1, hidden, partyEvent))())
	},
	"found": func() *fakeAPI {
		api := listing(listOf(1, todayEvent, partyEvent))()
		api.past = map[string]string{"1": listOf(1, abroadEvent)}
		return api
	},
}

// siteOptions are the options of sites that are not in three languages.
var siteOptions = map[string]Options{"german": {Content: "de-DE", Title: "Kalender"}}

// listing returns an API with one list of events.
func listing(list string) func() *fakeAPI {
	return func() *fakeAPI { return &fakeAPI{lists: map[string]string{"1": list}} }
}

// continued matches the end of a line that the next one continues.
var continued = regexp.MustCompile(`\n +\+ `)

// TestPages runs the tests in testdata/pages.txt.
func TestPages(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/pages.txt"))(t)
	for _, test := range strings.Split(string(text), "\ntest ")[1:] {
		name, lines, _ := strings.Cut(test, "\n")
		t.Run(name, func(t *testing.T) {
			c := &pageCase{T: t, site: newFake}
			for line := range strings.Lines(continued.ReplaceAllString(lines, " ")) {
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
					c.play(line)
				}
			}
			for _, v := range c.visits {
				if t.Failed() {
					t.Log(v.path, v.Body)
				}
			}
		})
	}
}

// pageCase is a test in testdata/pages.txt.
type pageCase struct {
	*testing.T
	site   func() *fakeAPI
	of     string   // the name of the site
	name   string   // of the values of the last line "each"
	values []string // to send requests with
	visits []visited
}

// visited is a page that the last line with a path requested.
type visited struct {
	*httptest.ResponseRecorder
	api         *fakeAPI
	path, shown string // shown is the part of the page that the lines below look at
}

func (c *pageCase) play(line string) {
	word, text, _ := strings.Cut(line, " ")
	switch {
	case word == "on":
		if c.site, c.of = sites[text], text; c.site == nil {
			c.Fatalf("no such site: %s", text)
		}
	case word == "each":
		name, values, _ := strings.Cut(text, " in ")
		c.name, c.values = "$"+name, strings.Fields(values)
	case line[0] == '/':
		paths, want, _ := strings.Cut(line, " -> ")
		c.request(strings.Fields(paths), want)
	default:
		if len(c.visits) == 0 || text == "" {
			c.Fatalf("nothing to check: %s", line)
		}
		for i := range c.visits {
			c.check(&c.visits[i], word, text)
		}
	}
}

// request requests pages. If a status is given, they must have it and lead to the address that follows it.
func (c *pageCase) request(paths []string, want string) {
	c.visits = nil
	for _, path := range paths {
		values := c.values
		if c.name == "" || !strings.Contains(path, c.name) {
			values = []string{""}
		}
		for _, value := range values {
			api := c.site()
			target := strings.ReplaceAll(path, c.name, value)
			page := visit(c.T, api, target)
			if o, own := siteOptions[c.of]; own {
				page = open(c.T, target, o)
			}
			if got := strings.TrimSpace(strconv.Itoa(page.Code) + " " + page.Header().Get("Location")); want != "" && got != want {
				c.Errorf("%s: %s, want %s", target, got, want)
			}
			c.visits = append(c.visits, visited{page, api, target, page.Body.String()})
		}
	}
}

// check checks what a line says about a page.
func (c *pageCase) check(v *visited, word, text string) {
	if text[0] == '"' {
		plain, err := strconv.Unquote(text)
		if err != nil {
			c.Fatalf("%s: %v", text, err)
		}
		text = plain
	}
	switch word {
	case "has", "lacks":
		if strings.Contains(v.shown, text) != (word == "has") {
			c.Errorf("%s: not true: %s %q", v.path, word, text)
		}
	case "after":
		_, after, found := strings.Cut(v.shown, text)
		if v.shown = after; !found {
			c.Errorf("%s: not there: %q", v.path, text)
		}
	case "asks":
		want := strings.Fields(text)
		got := v.api.questions(c.T, len(want))
		slices.Reverse(got)
		if !slices.Equal(got, want) {
			c.Errorf("%s requests %q, want %q", v.path, got, want)
		}
	default:
		c.Fatalf("unknown: %s %s", word, text)
	}
}
