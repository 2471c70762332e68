package fill

import (
	"fmt"

	"github.com/agendahq/agenda/internal/wp"
)

// How many of each a calendar has. Categories are as many as there are names.
const (
	venueCount     = 500
	organizerCount = 200
	tagCount       = 300
)

// venue is a place where events are held.
type venue struct{ name, text, street, city, country, zip, phone, website string }

// venueOf is the venue of a number: no two have one name.
func venueOf(n int) venue {
	town, round := n%len(towns), n/len(towns)
	hall := halls[(3*town+round)%len(halls)]
	v := venue{
		name: hall + " " + towns[town], text: fmt.Sprintf("%s of %s has room for %d visitors.", hall, towns[town], 40+n*7%960),
		street: fmt.Sprintf("%s %d", streets[n*7%len(streets)], 1+n*13%140), city: towns[town],
		country: countries[town%len(countries)], zip: fmt.Sprint(1000 + 210*town + round),
	}
	if n%3 != 0 {
		v.phone = fmt.Sprintf("+32 2 555 %04d", n)
	}
	if n%2 == 0 {
		v.website = "https://" + wp.Slug(v.name) + ".example.org/"
	}
	return v
}

// organizer is who holds events.
type organizer struct{ name, text, phone, website, email string }

// organizerOf is the organizer of a number: no two have one name.
func organizerOf(n int) organizer {
	topic, society := topics[n%50*2], societies[n/50]
	name := society + " " + capital(topic)
	if n/50 == 2 {
		name = capital(topic) + " Foundation"
	}
	o := organizer{name: name, text: "Since " + fmt.Sprint(1950+n*17%70) + ", " + name + " has brought " + topic + " to everybody."}
	if n%2 == 0 {
		o.phone = fmt.Sprintf("+32 9 444 %04d", n)
	}
	if n%3 != 0 {
		o.website = "https://" + wp.Slug(name) + ".example.org/"
	}
	if n%4 != 0 {
		o.email = "hello@" + wp.Slug(name) + ".example.org"
	}
	return o
}

// category is a term of the tree of categories.
type category struct {
	name   string
	parent int // -1 at the top
}

// tree is the categories by those above them.
var tree = [][]string{
	words("Music,Classical,Jazz & Blues,Rock & Pop,Folk"), words("Stage,Theatre,Dance,Comedy,Circus"),
	words("Film,Premières,Documentary,Open-air Cinema,Classics"), words("Exhibitions,Fine Art,Photo Shows,Design Week,Collections"),
	words("Talks,Lectures,Debates,Book Launches,Readings"), words("Town Life,Markets,Fairs,Processions,Neighbourhood"),
	words("Nature,Guided Walks,Gardens,Birdwatching,Stargazing"), words("Sport,Running Races,Cycling,Water Sports,Indoor Games"),
	words("Workshops,Crafts,Cookery,Computing,Languages & Writing"), words("Family,Toddlers,School Age,Teenagers,Holiday Camps"),
	words("Food & Drink,Tastings,Street Kitchens,Breweries,Slow Food"), words("Heritage,Open Monuments,Archives,Re-enactment,Local Crafts"),
}

// categories lists the tree, what is more popular first: those at the top, then those below them.
func categories() (list []category) {
	for _, branch := range tree {
		list = append(list, category{branch[0], -1})
	}
	for below := 1; below < len(tree[0]); below++ {
		for parent, branch := range tree {
			list = append(list, category{branch[below], parent})
		}
	}
	return list
}

// tagName is the tag of a number: no two have one name.
func tagName(n int) string {
	name := capital(topics[n%len(topics)])
	return name + []string{"", " for beginners", " for children"}[n/len(topics)]
}
