package demo

import "strings"

// event is one entry of the calendar as an editor would write it, in one language. The empty slug belongs to entries that were never
// published.
type event struct {
	lang, slug, title, excerpt string
	text                       string // paragraphs, separated by empty lines
	at                         slot
	venue                      string   // key of a venue, "" for an event that takes place online
	organizers                 []string // keys of organizers, first named first
	categories, tags           []string // keys
	image                      string   // key of an image, "" for none
	cost                       []string // one stored row each: numbers in euros, amounts with a sign, or words
	symbol, position           string   // currency of a cost that is written with its own sign
	website                    string
	status                     string // "" is publish
	author                     string // login, "" for one of the regular authors in turn
	password                   string
	featured, sticky, hidden   bool
}

// telling is an event in another language than that of its announcement, the slug of which is of. All that it does not tell is the
// same: when, where and for whom.
type telling struct {
	of, slug, title, excerpt, text string
	cost                           []string // where it is told in words
}

// named is what a thing is called and how it is described in one language.
type named struct{ slug, name, text string }

// told is a thing by language: each is told in all of them. A name that is the same everywhere has slugs with the language.
type told map[string]named

// venue is a place. Its key is the same in all languages.
type venue struct {
	key, zip, phone, website string
	lat, lng                 string // empty where nobody has put the place on a map
	image                    string
	in                       map[string]sign
}

// sign is a venue in one language, with its address as printed on a poster. Without a city it is in the town.
type sign struct{ slug, name, text, street, city, country string }

// organizer is who invites.
type organizer struct {
	key, phone, website, email string
	in                         told
}

// term is a category or a tag. The parent is a key.
type term struct {
	key, parent string
	in          told
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

// groups returns the whole calendar in a fixed order: each event in the language in which it was announced, and then in the others.
func groups() [][]event {
	others := map[string][]event{}
	for i, part := range [][]telling{toldEN, toldNL, toldFR} {
		for _, t := range part {
			others[t.of] = append(others[t.of], event{
				lang: languages[i].code, slug: t.slug, title: t.title, excerpt: t.excerpt, text: t.text, cost: t.cost,
			})
		}
	}
	var all [][]event
	for _, part := range [][]event{townNL, stageNL, townEN, stageEN, townFR, stageFR} {
		for _, e := range part {
			group := []event{e}
			for _, o := range others[e.slug] {
				group = append(group, e.as(o))
			}
			all = append(all, group)
		}
	}
	return all
}

// as is the event as another one tells it.
func (e event) as(o event) event {
	e.lang, e.slug, e.title, e.excerpt, e.text = o.lang, o.slug, o.title, o.excerpt, o.text
	if o.cost != nil {
		e.cost = o.cost
	}
	return e
}
