package calendartest

import "time"

// Home is the address of the site, with which all links in responses begin. The clients of a Site send requests for it
// to the site.
const Home = "https://events.example.org"

// Now is the initial time of the clock of each Site.
var Now = time.Date(2030, time.June, 15, 10, 0, 0, 0, time.UTC)

// Roles for Site.As, and the ids of their users. There is one user with each role.
const (
	Administrator = "administrator"
	Editor        = "editor"
	Author        = "author"
	Contributor   = "contributor"
	Subscriber    = "subscriber"

	AdministratorID = 1
	EditorID        = 2
	AuthorID        = 3
	ContributorID   = 4
	SubscriberID    = 5
)

// Password is the application password of each user, for Basic authentication.
const Password = "test test test test test test"

// PostPassword is the password of EventMembers.
const PostPassword = "open sesame"

// IDs of venues and organizers.
const (
	VenueHall = iota + 1
	VenuePark
	OrganizerLibrary
	OrganizerBand
)

// IDs of events.
const (
	EventFair = iota + 5
	EventExhibition
	EventStory1
	EventJazz
	EventRehearsal
	EventMidsummer
	EventStory2
	EventMembers
	EventStory3
	EventFestival
	EventSlam
	EventWalk
	EventConcert
)

// IDs of categories and tags.
const (
	CategoryMusic = iota + 1
	CategoryJazz
	CategoryFamily
	TagFree
	TagOutdoors
)

// logins contains the users by role, in the order of their ids.
var logins = []struct{ role, login, name string }{
	{Administrator, "anna", "Anna"}, {Editor, "emma", "Emma"}, {Author, "arthur", "Arthur"}, {Contributor, "colin", "Colin"},
	{Subscriber, "sam", "Sam"},
}

// object contains the members of an item in a request.
type object map[string]any

// written is an item and the role of the user who creates it.
type written struct {
	role, collection string
	item             object
}

// content is the content of the site, in the order of the ids.
var content = []written{
	{Administrator, "categories", object{"name": "Music"}},
	{Administrator, "categories", object{"name": "Jazz", "parent": CategoryMusic}},
	{Administrator, "categories", object{"name": "Family"}},
	{Administrator, "tags", object{"name": "free"}},
	{Administrator, "tags", object{"name": "outdoors"}},

	{Administrator, "venues", object{
		"venue": "Town Hall", "address": "Market Square 1", "city": "Ghent", "zip": "9000", "country": "Belgium",
		"description": "The **hall** on the first floor.",
	}},
	{Administrator, "venues", object{"venue": "Riverside Park", "city": "Ghent", "country": "Belgium"}},
	{Administrator, "organizers", object{
		"organizer": "City Library", "email": "library@example.org", "website": "https://library.example.org/",
	}},
	{Administrator, "organizers", object{"organizer": "Brass Band"}},

	event("Spring Fair", "2030-04-20 10:00", "2030-04-20 17:00", object{
		"venue": VenuePark, "tags": "outdoors", "description": "Stalls, music and a carousel.",
	}),
	event("Photo Exhibition", "2030-06-10 09:00", "2030-06-20 18:00", object{
		"venue": VenueHall, "organizer": OrganizerLibrary, "description": "The town as it was a hundred years ago.",
	}),
	storyHour("2030-06-18"),
	event("Jazz Night", "2030-06-21 20:00", "2030-06-21 23:00", object{
		"venue": VenueHall, "organizer": OrganizerBand, "categories": "jazz", "cost": "15", "featured": true,
		"description": "Standards and some of their own.",
	}),
	event("Rehearsal", "2030-06-22 14:00", "2030-06-22 16:00", object{"organizer": OrganizerBand, "status": "private"}),
	event("Midsummer Day", "2030-06-24", "2030-06-24", object{
		"venue": VenuePark, "categories": "family", "tags": "free,outdoors", "all_day": true, "description": "Games and a fire.",
	}),
	storyHour("2030-06-25"),
	event("Members' Evening", "2030-06-28 19:00", "2030-06-28 22:00", object{
		"venue": VenueHall, "description": "The accounts, and a glass of wine.",
	}),
	storyHour("2030-07-02"),
	event("Summer Festival", "2030-07-05 14:00", "2030-07-07 22:00", object{
		"venue": VenuePark, "organizer": OrganizerBand, "categories": "music", "tags": "outdoors",
		"description": "Three days, two stages.",
	}),
	by(Contributor, event("Poetry Slam", "2030-09-12 20:00", "2030-09-12 22:00", object{
		"venue": VenueHall, "status": "pending", "slug": "poetry-slam",
	})),
	by(Author, event("Autumn Walk", "2030-10-05 09:00", "2030-10-05 12:00", object{
		"venue": VenuePark, "tags": "outdoors", "status": "draft",
	})),
	event("New Year Concert", "2031-01-01 17:00", "2031-01-01 19:00", object{
		"venue": VenueHall, "organizer": OrganizerBand, "categories": "music", "status": "future", "date": "2030-09-01 09:00:00",
	}),
}

// event returns an event of the administrator.
func event(title, start, end string, more object) written {
	more["title"], more["start_date"], more["end_date"] = title, start, end
	if more["status"] == nil {
		more["status"] = "publish"
	}
	return written{Administrator, "events", more}
}

// storyHour returns one of three similar events.
func storyHour(day string) written {
	return event("Story Hour", day+" 10:00", day+" 11:00", object{
		"organizer": OrganizerLibrary, "categories": "family", "tags": "free", "description": "Stories for children from four to eight.",
	})
}

func by(role string, w written) written {
	w.role = role
	return w
}
