package demo

import "time"

// stageNL holds the concerts, plays, talks and courses announced in Dutch.
var stageNL = []event{
	{
		lang: "nl", slug: "leesavond-rond-louis-paul-boon", title: "Leesavond rond Louis Paul Boon",
		at: in(-6, anyDay).hours("20:00", "22:00"), venue: "library", organizers: keys("culture"),
		categories: keys("lectures"), tags: keys("free-entry", "step-free"), image: "library", cost: keys("0"),
		text: `Acteur Wim Daelman leest een uur lang uit De Kapellekensbaan, zonder decor en zonder micro. Nadien praat hij met de zaal over wie Ondineke vandaag zou zijn.

De bibliotheek legt exemplaren klaar om te ontlenen, ook voor wie nog geen lid is.`,
	},
	{
		lang: "nl", slug: "jazz-op-zolder-aster-maes-trio", title: "Jazz op Zolder: Aster Maes Trio",
		at: in(5, time.Friday).hours("20:30", "23:00"), venue: "brewery", organizers: keys("jazz"), featured: true,
		categories: keys("jazz"), tags: keys("live-music", "last-places"), image: "jazz", cost: keys("12"), website: "https://jazzopzolder.example/aster-maes",
		excerpt: "Piano, bas en drums onder de dakbalken van de brouwerij.",
		text: `Aster Maes speelt piano zoals anderen een gesprek voeren: ze luistert, valt in de rede en lacht om haar eigen grappen. Met bassist Jef Nolens en drummer Amira Haddad stelt ze haar tweede plaat voor.

De zolder telt zestig stoelen en één vleugel die via het dak naar binnen moest. Deuren om 20 uur, de eerste set begint stipt.`,
	},
	{
		lang: "nl", slug: "de-laatste-sluiswachter", title: "De laatste sluiswachter",
		at: in(20, time.Saturday).hours("20:00", "21:45"), venue: "theatre", organizers: keys("culture"),
		categories: keys("theatre"), tags: keys("premiere", "sign-language"), image: "theatre", cost: keys("8", "18"),
		excerpt: "Première van een monoloog over een man, een sluis en veertig jaar wachten op schepen.",
		text: `Veertig jaar bediende Staf Moens de sluis van Elzenburg. Dan komt er een brief: voortaan gebeurt het vanop afstand, met een camera en een knop.

Theatermaker Lotte Ghysels schreef de tekst na lange gesprekken met haar grootvader. Frank Ternat speelt alleen, in tien centimeter echt water.

De voorstelling wordt getolkt in Vlaamse Gebarentaal.`,
	},
	{
		lang: "nl", slug: "generale-repetitie-voor-vrienden", title: "Generale repetitie voor de vrienden van het theater",
		at: in(19, time.Friday).hours("19:30", "21:30"), venue: "theatre", organizers: keys("culture"), password: "coulissen",
		categories: keys("theatre"), image: "theatre",
		excerpt: "Alleen met het wachtwoord uit de nieuwsbrief.",
		text: `Op de avond voor de première zitten de vrienden van het theater als eersten in de zaal. Er kan nog van alles misgaan, en dat is net het plezier.

Na afloop drinken we een glas met de ploeg op het podium. Inkom via de artiesteningang in de Schoenmakersgang.`,
	},
	{
		lang: "nl", slug: "nieuwjaarsconcert-van-de-harmonie", title: "Nieuwjaarsconcert van de Koninklijke Harmonie",
		at: season(time.January, 9, time.Sunday).hours("15:00", "17:00"), venue: "church", organizers: keys("harmonie"),
		categories: keys("classical"), tags: keys("live-music", "booking-advised"), image: "brass", cost: keys("10"),
		text: `Zeventig muzikanten, één dirigent en een slagwerksectie die dit jaar een echt aambeeld meebrengt. Op het programma staan Dvořák, filmmuziek en een wals die het publiek mag meefluiten.

Kinderen onder de twaalf betalen niets. Trek een warme trui aan, want de kerkverwarming dateert van voor de oorlog.`,
	},
	{
		lang: "nl", slug: "leren-jongleren-in-een-dag", title: "Leren jongleren in één dag",
		at: in(43, time.Sunday).hours("10:00", "16:30"), venue: "schakel", organizers: keys("ateliers"),
		categories: keys("workshops"), tags: keys("beginners", "for-children"), cost: keys("25"),
		text: `Iedereen kan drie ballen in de lucht houden, zegt circusartiest Bo Lambrechts, het duurt alleen bij de ene wat langer. Aan het eind van de dag lukt het je tien worpen na elkaar.

Voor volwassenen en kinderen vanaf negen jaar. Ballen krijg je in bruikleen, een boterham breng je zelf mee.`,
	},
	{
		lang: "nl", slug: "wat-doet-een-stad-met-haar-water", title: "Wat doet een stad met haar water?",
		at: in(27, time.Tuesday).hours("19:30", "21:30"), venue: "mill", organizers: keys("beekdal", "culture"),
		categories: keys("lectures", "nature"), tags: keys("free-entry", "booking-advised"), image: "mill", cost: keys("0"),
		text: `De ene zomer staat de Elzenbeek droog, de volgende loopt ze over de kade. Hydrologe Saar Wuyts toont op oude kaarten waar het water vroeger heen kon, en waar nu een parking ligt.

Daarna buigen bewoners zich per straat over één vraag: waar kan hier een emmer regen blijven?`,
	},
	{
		lang: "nl", slug: "dansvloer-zonder-drempel", title: "Dansvloer zonder drempel",
		at: in(52, time.Saturday).hours("14:00", "17:00"), venue: "signalbox", organizers: keys("ateliers"),
		categories: keys("dance"), tags: keys("step-free", "live-music", "beginners"), cost: keys("5"),
		text: `Een middag dansen voor wie stapt, rolt, slentert of wiebelt. Choreografe Nele Boudry begint met een eenvoudige reidans die je ook zittend kunt doen.

Een accordeon en een contrabas spelen live. Begeleiders mogen gratis mee, en achteraan is een stille ruimte om even op adem te komen.`,
	},
	{
		lang: "nl", slug: "orgelwandeling-drie-kerken-drie-klanken", title: "Orgelwandeling: drie kerken, drie klanken",
		at: in(121, time.Saturday).hours("13:30", "18:00"), venue: "church", organizers: keys("harmonie"),
		categories: keys("classical"), tags: keys("heritage", "live-music"), image: "brass", cost: keys("7,50"),
		text: `We beginnen bij het barokorgel van Sint-Aldegondis, wandelen naar de kapel van het oude gasthuis en eindigen bij een kistorgel dat in een bestelwagen past.

Organist Pieter Casteels speelt in elke kerk twintig minuten en legt daarna het binnenwerk bloot. Wie wil, mag zelf een toets indrukken.`,
	},
	{
		lang: "nl", slug: "nacht-van-de-musea", title: "Nacht van de musea",
		at: in(160, time.Saturday).hours("19:00", "01:30"), venue: "mill", organizers: keys("culture"), featured: true,
		categories: keys("exhibitions", "nature"), tags: keys("heritage", "for-children"), image: "mill", cost: keys("5", "12"),
		excerpt: "Eén armband, vier huizen, en de molen maalt tot na middernacht.",
		text: `Met één armband loop je binnen in het Molenmuseum, de kunsthal, de bibliotheek en de archiefkelder van het stadhuis.

In de molen wordt de hele nacht gemalen; het eerste brood komt om één uur uit de oven. Kinderen krijgen een zaklamp en een zoekkaart, ouders een glas elzenbloesem.`,
	},
}
