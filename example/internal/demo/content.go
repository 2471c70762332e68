package demo

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// The calendar as an editor would write it. What refers to something else names
// its key, which is the same in all languages.
type (
	content struct {
		Languages        []language // the site's default one first
		Users            []user
		Categories, Tags []term // parents before their children
		Venues           []venue
		Organizers       []organizer
		Pictures         []picture // in the order of their attachments
		Events           []event   // in the order in which they were entered
	}

	language struct {
		Code, Name   string
		Locale, Flag string
		Town         string // what the town is called in it
		Country      string
	}

	// user is an account without a password of its own; Passwords gives it one for programs.
	user struct{ Login, Role, Level, First, Last string }

	// named is what a thing is called and how it is described in one language.
	named struct{ Slug, Name, Text string }

	term struct {
		Key, Parent string
		In          map[string]named // by language
	}

	venue struct {
		Key, Zip, Phone, Website string
		Lat, Lng                 string // empty where nobody has put the place on a map
		Image                    string
		In                       map[string]sign
	}

	// sign is a venue in one language, with its address as printed on a poster. Without a city it is in the town.
	sign struct{ Slug, Name, Text, Street, City, Country string }

	organizer struct {
		Key, Phone, Website, Email string
		In                         map[string]named
	}

	// picture is an image of the demo site: its key is the base of its file name.
	picture struct{ Key, Title string }

	event struct {
		Announced        string // in which language it was entered first
		At               slot
		Venue            string   // "" for an event that takes place online
		Organizers       []string // first named first
		Categories, Tags []string
		Image            string
		Cost             []string // one stored row each: numbers in euros, amounts with a sign, or words
		Symbol, Position string   // currency of a cost that is written with its own sign
		Website          string
		Status           string // "" is publish
		Author           string // "" for one of the regular authors in turn
		Password         string

		Featured, Sticky, Hidden bool

		In map[string]version
	}

	// version is an event in one language. The empty slug belongs to one that was never published.
	version struct {
		Slug, Title, Excerpt string
		Text                 string   // paragraphs, separated by empty lines
		Cost                 []string // where it is told in words
	}
)

//go:embed content
var files embed.FS

// calendar returns what the files hold. They are part of the program, and tested.
var calendar = sync.OnceValue(func() *content {
	c, err := readContent()
	if err != nil {
		panic(err)
	}
	return c
})

func readContent() (*content, error) {
	c := &content{}
	for _, name := range []string{"site", "categories", "tags", "venues", "organizers", "pictures", "events"} {
		text, err := files.ReadFile(path.Join("content", name+".toml"))
		if err != nil {
			return nil, err
		}
		if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(c); err != nil {
			return nil, fmt.Errorf("demo: %s: %w", name, err)
		}
	}
	return c, nil
}

// languages returns those in which an event is told: the one in which it was announced, then the others.
func (c *content) languages(e event) []string {
	list := []string{e.Announced}
	for _, l := range c.Languages {
		if _, told := e.In[l.Code]; told && l.Code != e.Announced {
			list = append(list, l.Code)
		}
	}
	return list
}

// title names an event where something is wrong with it.
func (e event) title() string { return e.In[e.Announced].Title }

func (u user) email() string { return u.Login + "@elzenburg.example" }

// unusable is the password of an account without one. No hash has this form, so no password fits until one is set.
const unusable = "!"

// flow joins the lines of each paragraph, since a line break inside a stored paragraph is shown as one.
func flow(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
