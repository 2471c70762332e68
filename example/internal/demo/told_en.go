package demo

// toldEN are English versions of events that were first announced in Dutch or French.
var toldEN = []telling{
	{
		of: "zaterdagmarkt-met-messenslijper", slug: "saturday-market-with-a-knife-grinder", title: "Saturday market with a knife grinder",
		excerpt: "Blunt knives? Bring them along and Rachid will sharpen them while you shop.",
		text: `Forty stalls of vegetables, bread, fish and flowers around the fountain, as on every Saturday.

This week the knife grinder Rachid El Amrani sets up beside the flower stall. His grindstone runs on pedals and he asks four euros a knife.
Scissors and garden tools may come too. Wrap the blades well in a towel before you leave home.`,
	},
	{
		of: "kanaalblues-fotos-van-mirte-claes", slug: "canal-blues-photographs-by-mirte-claes", title: "Canal Blues: photographs by Mirte Claes",
		excerpt: "For ten years Mirte Claes walked the same stretch of towpath every morning. This is what she saw.",
		text: `For ten years Mirte Claes photographed a single towpath: the bargemen, the anglers, the night shift of the paper mill and the light above the lock.

Kunsthal Kanaal 12 shows a hundred and twenty large prints, with recordings of the water and the quay. In the last room the photographer's diary lies open, complete.

The rooms are open from 11 to 18, on Thursdays until 21.`,
	},
	{
		of: "jazz-op-zolder-aster-maes-trio", slug: "jazz-in-the-attic-aster-maes-trio", title: "Jazz in the attic: Aster Maes Trio",
		excerpt: "Piano, bass and drums under the beams of the brewery.",
		text: `Aster Maes plays the piano the way others hold a conversation: she listens, interrupts and laughs at her own jokes. With Jef Nolens on bass and Amira Haddad on drums she presents her second record.

The attic has sixty chairs and one grand piano that had to come in through the roof. Doors at eight, and the first set starts on the dot.`,
	},
	{
		of: "nacht-van-de-musea", slug: "night-of-the-museums", title: "Night of the museums",
		excerpt: "One wristband, four houses, and the mill grinds until past midnight.",
		text: `A single wristband opens the Water Mill Museum, the Kunsthal, the library and the archive cellar of the town hall.

The millstones turn all night and the first loaf leaves the oven at one. Children get a torch and a search card, their parents a glass of alder blossom.`,
	},
	{
		of: "marche-de-noel-des-artisans", slug: "craft-christmas-market", title: "Craft Christmas market",
		excerpt: "Three days, fifty chalets and not one thing that was made on the other side of the world.",
		text: `Potters, wood turners, weavers and bookbinders from the region move in under the fairy lights for three days. Everyone makes what they sell, often while you watch.

The mulled wine comes from the brewery and the sweet cougnou loaves from the bakehouse next door. On Saturday at five the choir of the three schools sings from the top of the steps.`,
	},
	{
		of: "fete-de-la-musique-aux-quatre-coins", slug: "fete-de-la-musique-on-every-corner", title: "Fête de la musique on every corner",
		text: `Six stages, thirty-four bands and one piano on a raft. From bagpipes to rap, every street corner picks a colour of its own.

The closing ball begins at ten on the Market Square. Shuttle buses take everybody home until one in the morning.`,
	},
	{
		of: "concert-de-midi-harpe-et-accordeon", slug: "lunchtime-concert-harp-and-accordion", title: "Lunchtime concert: harp and accordion", cost: keys("Pay what you like"),
		text: `Three quarters of an hour to forget the office. Élise Fontaine and Karim Bensalem bring together two instruments that never meet, from Satie to Piazzolla.

Come in by the side door. Sandwiches are welcome as long as you chew in time.`,
	},
	{
		of: "balade-des-arbres-remarquables", slug: "a-walk-among-remarkable-trees", title: "A walk among remarkable trees",
		text: `The weeping beech, the ginkgo that a seamstress gave to the town, the plane tree that swallowed its railing: Mill Park has eleven listed trees and each of them has a novel to tell.

Ranger Bastien Leroy leads the way at an easy pace. The route is fit for pushchairs and wheelchairs.`,
	},
	{
		of: "stille-wandeling-langs-de-elzenbeek", slug: "silent-walk-along-the-elzenbeek", title: "Silent walk along the Elzenbeek",
		text: `Two hours on foot without a single word. Guide Koen Verlinden walks ahead, points at what there is to hear and saves his explanations for afterwards.

We follow the stream from Mill Park to the old railway embankment, five kilometres on unpaved paths. Boots are no luxury, and dogs had better stay at home that morning.`,
	},
	{
		of: "leren-jongleren-in-een-dag", slug: "learn-to-juggle-in-a-day", title: "Learn to juggle in a day",
		text: `Anyone can keep three balls in the air, says circus artist Bo Lambrechts, it just takes some people a little longer. By the end of the day you will manage ten throws in a row.

For adults and for children from nine. The balls are lent to you, the packed lunch is up to you.`,
	},
	{
		of: "nuit-du-court-metrage-belge", slug: "night-of-the-belgian-short-film", title: "Night of the Belgian short film",
		text: `Twenty-eight films in six hours, from a two-minute cartoon to a thriller that never leaves its lift. The film-makers who are there vote together with the audience.

Breakfast is on the house for survivors. Cushions are allowed and pyjamas encouraged.`,
	},
	{
		of: "de-laatste-sluiswachter", slug: "the-last-lock-keeper", title: "The Last Lock Keeper",
		excerpt: "The première of a monologue about a man, a lock and forty years of waiting for ships.",
		text: `For forty years Staf Moens worked the lock of the town. Then a letter comes: from now on it will be done from afar, with a camera and a button.

Lotte Ghysels wrote the play after long talks with her grandfather. Frank Ternat performs it alone, standing in ten centimetres of real water.

In Dutch, interpreted in Flemish Sign Language; an English summary lies ready in the foyer.`,
	},
	{
		of: "bal-folk-du-grand-large", slug: "a-folk-ball-from-the-open-sea", title: "A folk ball from the open sea",
		text: `Scottish, mazurka, Circassian circle: you learn the steps at half past seven and forget them by midnight. The trio Marée basse plays hurdy-gurdy, fiddle and guitar.

Come alone or in a crowd, in shoes that slide a little. Buckwheat pancakes for as long as the batter lasts.`,
	},
}
