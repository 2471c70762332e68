package demo

import "time"

// townEN holds the markets, walks and meetings announced in English.
var townEN = []event{
	{
		lang: "en", slug: "saturday-market-the-bread-morning", title: "Saturday market: the bread morning",
		at: in(7, time.Saturday).hours("08:00", "13:00"), venue: "square", organizers: keys("market"),
		categories: keys("weekly-market"), tags: keys("free-entry", "outdoors", "food"), image: "market", cost: keys("0"),
		excerpt: "Seven bakers, one very long table and all the butter you can reach.",
		text: `Seven bakers from the region set up next to the regular stalls with rye, spelt, sourdough and one secret recipe that arrives under a cloth.

Taste everything, vote for your favourite before noon and take the winning loaf home at half price. The market itself carries on around it, with fish, fruit and flowers as usual.`,
	},
	{
		lang: "en", slug: "saturday-market-with-a-second-hand-book-row", title: "Saturday market with a second-hand book row",
		at: in(28, time.Saturday).hours("08:00", "14:00"), venue: "square", organizers: keys("market"),
		categories: keys("weekly-market"), tags: keys("outdoors", "second-hand"), image: "library",
		text: `Once in a while the north side of the square is given over to paper. Twelve dealers bring novels, maps, comics and sheet music in at least nine languages.

Everything on the trestles nearest the fountain costs one euro. If it rains, the row moves under the arcades of the town hall.`,
	},
	{
		lang: "en", slug: "newcomers-breakfast", title: "Newcomers' breakfast",
		at: in(6, time.Sunday).hours("10:00", "12:00"), venue: "schakel", organizers: keys("culture"),
		categories: keys("markets"), tags: keys("free-entry", "step-free", "food"), cost: keys("Free"),
		text: `Just moved here? Come and have coffee with people who arrived last month, last year or forty years ago and still remember how strange it felt.

Volunteers from the town hall answer questions about bins, schools and residence cards in a dozen languages. Bring the letter you do not understand; somebody will.`,
	},
	{
		lang: "en", slug: "bats-over-the-mill-pond", title: "Bats over the mill pond",
		at: season(time.August, 27, time.Friday).hours("20:30", "22:30"), venue: "mill", organizers: keys("beekdal"),
		categories: keys("nature"), tags: keys("outdoors", "for-children", "booking-advised"), image: "mill", cost: keys("4"),
		text: `At dusk the Daubenton's bats leave the mill wall one by one and begin to hunt a hand's breadth above the water. Guide Hannah Frost brings detectors that turn their calls into clicks and chirps.

The walk is short and flat but becomes properly dark. Wear something warm, leave the torch in your pocket and let your eyes do the work.`,
	},
	{
		lang: "en", slug: "community-garden-working-bee", title: "Working bee in the community garden",
		at: in(17, time.Sunday).hours("09:30", "13:00"), venue: "park", organizers: keys("beekdal"),
		categories: keys("nature", "workshops"), tags: keys("free-entry", "outdoors", "beginners"), image: "garden",
		text: `The raised beds behind the bandstand need new boards and the compost needs turning. Two hours of honest work, then soup from whatever the garden has left.

Tools and gloves are provided in all sizes. No experience is asked for, only shoes that may get muddy.`,
	},
	{
		lang: "en", slug: "the-towns-forgotten-railway", title: "The town's forgotten railway: a guided cycle ride",
		at: in(94, time.Sunday).hours("13:00", "17:00"), venue: "signalbox", organizers: keys("players"),
		categories: keys("nature"), tags: keys("outdoors", "heritage", "booking-advised"), cost: keys("8"), website: "https://signalbox.example/rides",
		excerpt: "Eighteen gentle kilometres along a line that closed in 1959 and never quite left.",
		text: `Between the signal box and the gravel quarry you can still find platform edges, a water tower and a level crossing with nothing to cross.

Retired engineer Martin Okafor leads the ride at a gentle pace and knows where the last stationmaster hid his plum brandy. Eighteen kilometres, mostly flat; bikes can be borrowed if you ask in time.`,
	},
	{
		lang: "en", slug: "heritage-weekend-behind-the-facades", title: "Heritage weekend: behind the façades",
		at: season(time.September, 12, time.Saturday).allDay(2), venue: "square", organizers: keys("culture"), sticky: true,
		categories: keys("nature", "exhibitions"), tags: keys("free-entry", "heritage", "for-children"), cost: keys("0"),
		excerpt: "Twenty-two doors that are normally shut stand open for two days.",
		text: `The belfry, the old dye works, three private gardens and a bank vault without a bank: twenty-two places that are normally shut welcome visitors for one weekend.

Owners tell the stories themselves. Pick up the folded map at the desk on the square, and start with the belfry before the queue does.`,
	},
	{
		lang: "en", slug: "town-hall-from-cellar-to-clock", title: "The town hall, from cellar to clock",
		at: in(29, time.Sunday).hours("10:00", "17:00"), venue: "townhall", organizers: keys("culture"),
		categories: keys("nature", "exhibitions"), tags: keys("free-entry", "heritage", "for-children"), image: "market", cost: keys("0"),
		excerpt: "One Sunday to go everywhere, even behind the mayor's desk.",
		text: `Once a year every door of the town hall is open. See the council chamber with its painted ceiling, the cells that were in use until 1911 and the archive that nobody has ever read to the end.

At noon the clockmaker winds the tower clock and lets children turn the crank. The last ninety-one steps are narrow, so leave pushchairs and rucksacks with the usher.`,
	},
	{
		lang: "en", slug: "sunday-swap-of-toys-and-bicycles", title: "Sunday swap of toys and bicycles",
		at: in(66, time.Sunday).hours("14:00", "17:00"), venue: "schakel", organizers: keys("ateliers"),
		categories: keys("markets"), tags: keys("free-entry", "second-hand", "for-children"), cost: keys("0"),
		text: `Children grow faster than their bicycles. Hand in the small one, get a token, and roll home on the next size up.

The same goes for puzzles, skates and board games, as long as nobody has chewed the dice. A mechanic checks brakes and lights before anything leaves the hall.`,
	},
	{
		lang: "en", slug: "", title: "Plans for a street library", status: "pending", author: "contributor",
		at: in(48, time.Thursday).hours("18:30", "20:00"), venue: "library", organizers: keys("culture"),
		categories: keys("lectures"), tags: keys("free-entry"), cost: keys("0"),
		text: `Could the empty phone boxes along Alder Street hold books instead? A group of residents has drawn up a plan and would like to hear what their neighbours think.

There will be sketches on the wall and a jar for names. The caretaker of the first box gets to choose the colour.`,
	},
}
