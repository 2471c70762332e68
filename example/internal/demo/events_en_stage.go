package demo

import "time"

// stageEN holds the plays, concerts, films and talks announced in English.
var stageEN = []event{
	{
		lang: "en", slug: "open-mic-at-the-signal-box", title: "Open mic at the Signal Box",
		at: in(-2, anyDay).hours("20:00", "23:00"), venue: "signalbox", organizers: keys("players"),
		categories: keys("music"), tags: keys("free-entry", "live-music"), image: "jazz", cost: keys("Pay what you can"),
		text: `Ten minutes each, no questions asked. Last time we had a fado singer, two poets, a magician with a cold and the best banjo player in the province.

Put your name on the slate before eight. There is a piano, an amplifier and a very forgiving crowd.`,
	},
	{
		lang: "en", slug: "the-importance-of-being-earnest", title: "The Importance of Being Earnest",
		at: in(13, time.Thursday).hours("19:30", "22:00"), venue: "theatre", organizers: keys("players"), featured: true,
		categories: keys("theatre"), tags: keys("subtitled", "booking-advised"), image: "theatre", cost: keys("10", "16"), website: "https://aldertownplayers.example/earnest",
		excerpt: "Wilde's handbag returns, with surtitles in Dutch and French.",
		text: `Two young men, one invented brother and a handbag left at Victoria Station. The Alder Town Players take on Oscar Wilde's most polished comedy in a production set in a Brussels hotel lobby.

Directed by Priya Raman, with surtitles in Dutch and French. Cucumber sandwiches will be served in the interval while stocks last, which in the play is not very long.`,
	},
	{
		lang: "en", slug: "an-evening-with-the-harbour-string-quartet", title: "An evening with the Harbour String Quartet",
		at: in(24, time.Saturday).hours("20:00", "22:00"), venue: "church", organizers: keys("harmonie"),
		categories: keys("classical"), tags: keys("live-music"), image: "brass", cost: keys("14"),
		text: `Haydn's "Sunrise", a short piece by Caroline Shaw and, after the interval, the great Ravel quartet. Four friends from Rotterdam, Leeds and Aarhus who have played together since music school.

The musicians sit in the middle of the nave, so every chair is a good one. Come early if you would like a cushion.`,
	},
	{
		lang: "en", slug: "how-to-read-a-city-map", title: "How to read a city map: a lecture in Marylebone",
		at: in(31, time.Wednesday).hours("18:30", "20:00").zoned("Europe/London"), venue: "london", organizers: keys("culture"),
		categories: keys("lectures"), tags: keys("booking-advised", "step-free"), image: "library", cost: keys("£8"), symbol: "£", position: "prefix",
		text: `Our town archivist Ellen Baert is the guest of the Marylebone Reading Room in London. She brings four centuries of plans and shows how each one hides what its patron preferred not to see.

Members of our library can claim two free seats by writing to the desk. The lecture will not be recorded.`,
	},
	{
		lang: "en", slug: "online-talk-night-trains-and-slow-travel", title: "Online talk: night trains and slow travel",
		at: in(9, time.Tuesday).hours("18:00", "19:15").zoned("America/New_York"), organizers: keys("culture"),
		categories: keys("lectures"), tags: keys("online", "booking-advised"), cost: keys("$5"), symbol: "$", position: "prefix", website: "https://talks.elzenburg.example/night-trains",
		excerpt: "Live from New York, which means after midnight in our own town.",
		text: `Travel writer Joan Castellano has crossed two continents lying down. From her kitchen in Queens she talks about sleeper cars, border guards and what a window teaches you that an aisle never will.

The talk is live in the evening in New York, so listeners here will want a strong tea or a recording the morning after.`,
	},
	{
		lang: "en", slug: "online-workshop-the-quiet-art-of-mending-bowls", title: "Online workshop: the quiet art of mending bowls",
		at: in(38, time.Saturday).hours("17:00", "19:00").zoned("Asia/Tokyo"), organizers: keys("ateliers"),
		categories: keys("workshops"), tags: keys("online", "beginners"), cost: keys("20"),
		text: `From her studio in Kanazawa, Haruka Ito shows how a broken cup is put together again with lacquer and a little gold. You follow at your own table with a simpler kit.

The kit can be collected at the library counter a week before. Do choose a bowl that you can bear to look at for a while: drying takes patience.`,
	},
	{
		lang: "en", slug: "raga-at-breakfast", title: "Raga at breakfast: a live stream from Pune",
		at: in(45, time.Sunday).hours("12:30", "14:00").zoned("UTC+5.5"), venue: "brewery", organizers: keys("jazz"),
		categories: keys("music"), tags: keys("online", "live-music", "food"), image: "jazz", cost: keys("9"),
		text: `A morning raga loses something at night. So we turn the clock around: sitarist Anand Joglekar plays after lunch in Pune while we sit down to breakfast on the attic floor.

Big screen, good loudspeakers, chai and warm bread. Questions go through the chat, and he likes to be asked about tuning.`,
	},
	{
		lang: "en", slug: "silent-film-with-live-piano-the-general", title: "Silent film with live piano: The General",
		at: in(58, time.Friday).hours("20:15", "22:00"), venue: "apollo", organizers: keys("oeil"),
		categories: keys("cinema"), tags: keys("live-music", "for-children"), image: "cinema", cost: keys("7", "10"),
		text: `Buster Keaton, a stolen locomotive and the most expensive single shot of the silent era. Pianist Ivo Grant follows the chase without a score and without looking down.

Suitable from about seven years old. The intertitles are in English and are read aloud in Dutch and French by two brave volunteers.`,
	},
	{
		lang: "en", slug: "life-drawing-without-fear", title: "Life drawing without fear",
		at: in(22, time.Monday).hours("19:00", "21:30"), venue: "kunsthal", organizers: keys("ateliers"),
		categories: keys("workshops"), tags: keys("beginners", "last-places"), image: "canal", cost: keys("15"),
		text: `Short poses first, then longer ones, and never a word about talent. Painter Rosa Quintero walks past, moves your elbow ten centimetres and lets you discover what that does.

Paper, charcoal and easels are included. Sixteen places, of which a few are usually free in the last week.`,
	},
	{
		lang: "en", slug: "fiddles-and-pipes", title: "Fiddles and pipes: a tune session for all comers",
		at: in(185, time.Thursday).hours("20:00", "23:00"), venue: "brewery", organizers: keys("players"),
		categories: keys("music"), tags: keys("free-entry", "live-music"), cost: keys("0"),
		text: `Irish jigs, Flemish polkas and the odd bourrée that nobody can end properly. Bring a fiddle, a pipe, a bodhrán or just a pair of ears.

Tunes start slow for the first hour so that everyone can join. The house buys a round for whoever teaches the table something new.`,
	},
	{
		lang: "en", slug: "", title: "A festival of very short plays", status: "draft", author: "author",
		at: in(230, time.Saturday).allDay(2), venue: "signalbox", organizers: keys("players"),
		categories: keys("theatre"), tags: keys("premiere"),
		text: `Twenty plays of ten minutes, written by people who live within walking distance. The call for scripts has gone out, the jury has yet to be found.

To be settled before publishing: one stage or two, and whether the dog in play number six is allowed to come.`,
	},
}
