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

// These types contain the calendar as an editor would write it. References are keys, which are the same in all
// languages.
type (
	content struct {
		Languages        []language // the site's default one first
		Users            []user
		Categories, Tags []term // parents before their children
		Venues           []venue
		Organizers       []organizer
		Pictures         []picture // in the order of their attachments
		Events           []event   // in the order in which they were entered
		Series           []series  // of repeating events
	}

	language struct {
		Code, Name   string
		Locale, Flag string
		Town         string // the name of the town in it
		Country      string
	}

	// user is an account without a password; Passwords creates an application password for it.
	user struct{ Login, Role, Level, First, Last string }

	// named contains the name and description of an item in one language.
	named struct{ Slug, Name, Text string }

	term struct {
		Key, Parent string
		In          map[string]named // by language
	}

	venue struct {
		Key, Zip, Phone, Website string
		Lat, Lng                 string // empty for a place without coordinates
		Image                    string
		In                       map[string]sign
	}

	// sign is a venue in one language, with its address. Without a city it is in the town.
	sign struct{ Slug, Name, Text, Street, City, Country string }

	organizer struct {
		Key, Phone, Website, Email string
		In                         map[string]named
	}

	// picture is an image of the demo site. Its key is the base name of its file.
	picture struct{ Key, Title string }

	event struct {
		Announced        string // the language in which it was entered first
		At               slot
		Also             []int    // weeks after the first occurrence, for an event with several explicit ones
		Rule             string   // RRULE without its end, for an event whose occurrences follow from one
		Weeks            int      // for how many weeks the rule applies
		Except           []int    // excluded occurrences of the rule, from 0
		Venue            string   // "" for an online event
		Organizers       []string // in the order in which they are displayed
		Categories, Tags []string
		Image            string
		Cost             []string // one stored row each: numbers in euros, amounts with a sign, or words
		Symbol, Position string   // currency of a cost that has its own sign
		Website          string
		Status           string // "" is publish
		Becomes          string // "" takes place; "canceled", "postponed"
		Author           string // "" for one of the regular authors in turn
		Password         string

		Featured, Sticky, Hidden bool

		In map[string]version
	}

	// series is an event that is repeated as separate events.
	series struct {
		Every, Phase int   // in weeks
		Months       []int // empty for all
		Turns        map[string][]string
		event
	}

	// version is an event in one language. The slug is empty if it was never published.
	version struct {
		Slug, Title, Excerpt string
		Reason               string   // why it does not take place as planned
		Text                 string   // paragraphs, separated by empty lines
		Cost                 []string // if it is written in words
	}
)

//go:embed content
var files embed.FS

// calendar returns the content of the files. It panics if they are invalid: they are part of the program, and tested.
var calendar = sync.OnceValue(func() *content {
	c, err := readContent()
	if err != nil {
		panic(err)
	}
	return c
})

func readContent() (*content, error) {
	c := &content{}
	for _, name := range []string{"site", "categories", "tags", "venues", "organizers", "pictures", "events", "series"} {
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

// languages returns the languages of an event: the one in which it was announced, then the others.
func (c *content) languages(e event) []string {
	list := []string{e.Announced}
	for _, l := range c.Languages {
		if _, exists := e.In[l.Code]; exists && l.Code != e.Announced {
			list = append(list, l.Code)
		}
	}
	return list
}

// title returns the name of an event for errors.
func (e event) title() string { return e.In[e.Announced].Title }

func (u user) email() string { return u.Login + "@elzenburg.example" }

// unusable is the stored password of an account without one. It is no valid hash, so no password matches it.
const unusable = "!"

// flow joins the lines of each paragraph, since a line break within a stored paragraph would be displayed.
func flow(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
