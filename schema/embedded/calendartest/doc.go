// Package calendartest gives tests a calendar with a small fixed site, on a database of its own in memory and without a
// database server. New takes a few milliseconds.
//
//	func TestTheProgramme(t *testing.T) {
//		site := calendartest.New(t)
//		answer, err := site.As(calendartest.Editor).Get(site.URL + "/events?status=draft")
//		…
//	}
//
// Everything in it is always the same: ids, dates, addresses of links, the clock, which stands at Now until a test sets
// it. Tests may count on what the tables below say.
//
// # The site
//
// Its address is Home, its time zone Europe/Brussels. The API has three roots, in English, Dutch and French: Home +
// "/wp-json", "/nl/wp-json" and "/fr/wp-json". The items are the same at all of them.
//
//	user                            may, among others
//	Administrator  1  anna          do everything
//	Editor         2  emma          edit what others wrote
//	Author         3  arthur        publish their own events
//	Contributor    4  colin         write drafts of their own
//	Subscriber     5  sam           read
//
//	venue                           where
//	VenueHall                       Town Hall, Market Square 1, 9000 Ghent, Belgium
//	VenuePark                       Riverside Park, Ghent, Belgium; without an address
//
//	organizer                       how to reach it
//	OrganizerLibrary                City Library, library@example.org, https://library.example.org/
//	OrganizerBand                   Brass Band
//
//	category or tag                 slug
//	CategoryMusic                   music
//	CategoryJazz                    jazz, below CategoryMusic
//	CategoryFamily                  family
//	TagFree                         free
//	TagOutdoors                     outdoors
//
// # Events
//
// Now is Saturday, 15 June 2030, noon in Brussels. Unless stated otherwise, an event is published and by Anna.
//
//	event           slug               when (2030, Brussels)      venue, organizer, terms, and what is particular
//	EventFair       spring-fair        20 Apr 10:00–17:00         park; outdoors; is over
//	EventExhibition photo-exhibition   10 Jun 9:00–20 Jun 18:00   hall; library; several days, has begun
//	EventStory1     story-hour         18 Jun 10:00–11:00         library; family; free
//	EventJazz       jazz-night         21 Jun 20:00–23:00         hall; band; jazz; featured, costs $15
//	EventRehearsal  rehearsal          22 Jun 14:00–16:00         band; is private
//	EventMidsummer  midsummer-day      24 Jun                     park; family; free, outdoors; all day
//	EventStory2     story-hour-2       25 Jun 10:00–11:00         as EventStory1
//	EventMembers    members-evening    28 Jun 19:00–22:00         hall; has a password, PostPassword
//	EventStory3     story-hour-3       2 Jul 10:00–11:00          as EventStory1
//	EventFestival   summer-festival    5 Jul 14:00–7 Jul 22:00    park; band; music; outdoors; several days
//	EventSlam       poetry-slam        12 Sep 20:00–22:00         hall; by Colin, pending
//	EventWalk                          5 Oct 9:00–12:00           park; outdoors; by Arthur, a draft without a slug
//	EventConcert    new-year-concert   1 Jan 2031 17:00–19:00     hall; band; music; is published on 1 Sep at 9:00
//
// So a list without parameters has the seven published events from EventStory1 to EventFestival, which begin today or
// later, among them EventMembers, whose description and other particulars are hidden. PublishDue publishes EventConcert
// once the clock has been set past its date.
package calendartest
