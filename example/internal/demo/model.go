package demo

import "strings"

// event is one entry of the calendar as an editor would write it. The empty slug belongs to entries that were never published.
type event struct {
	lang, slug, title, excerpt string
	text                       string // paragraphs, separated by empty lines
	at                         slot
	venue                      string   // key of a venue, "" for an event that takes place online
	organizers                 []string // keys of organizers, first named first
	categories, tags           []string // slugs
	image                      string   // key of an image, "" for none
	cost                       []string // one stored row each: numbers in euros, amounts with a sign, or words
	symbol, position           string   // currency of a cost that is written with its own sign
	website                    string
	status                     string // "" is publish
	author                     string // login, "" for one of the regular authors in turn
	password                   string
	featured, sticky, hidden   bool
}

// venue is a place with its address as printed on a poster.
type venue struct {
	key, slug, name, text                      string
	street, zip, city, country, phone, website string
	lat, lng                                   string // empty where nobody has put the place on a map
	image                                      string
}

// organizer is who invites.
type organizer struct {
	key, slug, name, text, phone, website, email string
}

// term is a category or a tag. The parent is a slug.
type term struct {
	slug, name, text, parent string
}

// user is an account without a password of its own; Passwords gives it one for programs.
type user struct {
	login, role, level, first, last string
}

func (u user) email() string { return u.login + "@elzenburg.example" }

// unusable stands for the password of an account. No hash has this form, so no password fits until one is set.
const unusable = "!"

// keys spares the events the noise of slice literals.
func keys(names ...string) []string { return names }

// flow joins the lines of each paragraph, since a line break inside a stored paragraph is shown as one.
func flow(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// events returns the whole calendar in a fixed order.
func events() []event {
	var all []event
	for _, part := range [][]event{townNL, stageNL, townEN, stageEN, townFR, stageFR} {
		all = append(all, part...)
	}
	return all
}
