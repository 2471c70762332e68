package demo

// categories form a tree of two levels; parents stand before their children. Names are stored as HTML.
var categories = []term{
	{slug: "music", name: "Music", text: "Everything with a melody, from the bandstand to the attic."},
	{slug: "classical", name: "Classical", parent: "music", text: "Chamber music, organ and the town's wind orchestra."},
	{slug: "jazz", name: "Jazz &amp; Blues", parent: "music", text: "Small rooms, late sets."},
	{slug: "stage", name: "Stage", text: "Plays, dance and stories told out loud."},
	{slug: "theatre", name: "Theatre", parent: "stage", text: "New writing and old favourites, often with surtitles."},
	{slug: "dance", name: "Dance", parent: "stage", text: "To watch, or to join in."},
	{slug: "film-talks", name: "Film &amp; Talks", text: "Evenings that end in conversation."},
	{slug: "cinema", name: "Cinema", parent: "film-talks", text: "Screenings at the Apollo and now and then under the stars."},
	{slug: "lectures", name: "Lectures &amp; Debates", parent: "film-talks", text: "One speaker, many questions."},
	{slug: "town-life", name: "Town Life", text: "What happens in the streets and on the square."},
	{slug: "weekly-market", name: "Weekly Market", parent: "town-life", text: "Every Saturday morning round the fountain."},
	{slug: "markets", name: "Fairs &amp; Festivities", parent: "town-life", text: "Seasonal fairs, processions and long tables."},
	{slug: "exhibitions", name: "Exhibitions", text: "Art, photography and open doors."},
	{slug: "workshops", name: "Workshops", text: "Learn it, make it, mend it."},
	{slug: "nature", name: "Nature &amp; Heritage", text: "Walks, gardens and old stones."},
}

// tags say something practical about an event.
var tags = []term{
	{slug: "free-entry", name: "Free entry", text: "No ticket, no charge."},
	{slug: "outdoors", name: "Outdoors", text: "Dress for the weather."},
	{slug: "online", name: "Online", text: "Follow it from home."},
	{slug: "for-children", name: "For children", text: "Made with the youngest in mind."},
	{slug: "step-free", name: "Step-free", text: "No stairs between the street and your seat."},
	{slug: "sign-language", name: "Sign language", text: "Interpreted in a sign language."},
	{slug: "booking-advised", name: "Booking advised", text: "Places go fast."},
	{slug: "premiere", name: "Première", text: "Never shown before."},
	{slug: "subtitled", name: "Subtitled", text: "With subtitles or surtitles."},
	{slug: "last-places", name: "Last places", text: "Nearly full."},
	{slug: "second-hand", name: "Second-hand", text: "Things looking for a new home."},
	{slug: "live-music", name: "Live music", text: "Played on the spot."},
	{slug: "beginners", name: "Beginners welcome", text: "No experience needed."},
	{slug: "heritage", name: "Heritage", text: "With a story of at least a hundred years."},
	{slug: "food", name: "Food &amp; drink", text: "Come hungry."},
}

// users are the accounts of the demo site, one for each role.
var users = []user{
	{login: "admin", role: "administrator", level: "10", first: "Noor", last: "Vandamme"},
	{login: "editor", role: "editor", level: "7", first: "Claire", last: "Delcourt"},
	{login: "author", role: "author", level: "2", first: "Tom", last: "Ashworth"},
	{login: "contributor", role: "contributor", level: "1", first: "Yusuf", last: "Demir"},
	{login: "subscriber", role: "subscriber", level: "0", first: "Lena", last: "Peeters"},
}
