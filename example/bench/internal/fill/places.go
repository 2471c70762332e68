package fill

import (
	"fmt"

	"github.com/agendahq/agenda/internal/wp"
)

// These are the numbers of items in a calendar. It has as many categories as the word list.
const (
	venueCount     = 500
	organizerCount = 200
	tagCount       = 300
)

// venue is a place where events take place.
type venue struct{ name, text, street, city, country, zip, phone, website string }

// venueOf returns the venue with a number. All names differ.
func venueOf(n int) venue {
	town, round := n%len(words.Towns), n/len(words.Towns)
	hall := words.Halls[(3*town+round)%len(words.Halls)]
	v := venue{
		name: hall + " " + words.Towns[town], text: fmt.Sprintf("%s of %s has room for %d visitors.", hall, words.Towns[town], 40+n*7%960),
		street: fmt.Sprintf("%s %d", words.Streets[n*7%len(words.Streets)], 1+n*13%140), city: words.Towns[town],
		country: words.Countries[town%len(words.Countries)], zip: fmt.Sprint(1000 + 210*town + round),
	}
	if n%3 != 0 {
		v.phone = fmt.Sprintf("+32 2 555 %04d", n)
	}
	if n%2 == 0 {
		v.website = "https://" + wp.Slug(v.name) + ".example.org/"
	}
	return v
}

// organizer is a person or group that organizes events.
type organizer struct{ name, text, phone, website, email string }

// organizerOf returns the organizer with a number. All names differ.
func organizerOf(n int) organizer {
	topic, society := words.Topics[n%50*2], words.Societies[n/50]
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

// categories lists the tree, more popular ones first: those at the top, then their children.
func categories() (list []category) {
	for _, branch := range words.Categories {
		list = append(list, category{branch[0], -1})
	}
	for below := 1; below < len(words.Categories[0]); below++ {
		for parent, branch := range words.Categories {
			list = append(list, category{branch[below], parent})
		}
	}
	return list
}

// tagName returns the tag with a number. All names differ.
func tagName(n int) string {
	name := capital(words.Topics[n%len(words.Topics)])
	return name + []string{"", " for beginners", " for children"}[n/len(words.Topics)]
}
