package demo

import "time"

// townNL holds the events about markets, neighbourhood and nature written in Dutch.
var townNL = []event{
	{
		lang: "nl", slug: "zaterdagmarkt-met-messenslijper", title: "Zaterdagmarkt met messenslijper",
		at: in(0, time.Saturday).hours("08:00", "13:00"), venue: "square", organizers: keys("market"),
		categories: keys("weekly-market"), tags: keys("free-entry", "outdoors", "food"), image: "market", cost: keys("0"),
		excerpt: "Botte messen? Breng ze mee, Rachid slijpt ze terwijl je boodschappen doet.",
		text: `Veertig kramen met groenten, brood, vis en bloemen, zoals elke zaterdag rond de fontein.

Deze week staat messenslijper Rachid El Amrani naast de bloemenkraam. Hij werkt met een slijpsteen op pedalen en vraagt vier euro per mes.
Scharen en tuingereedschap mogen ook. Wikkel de lemmeten goed in een handdoek voor je vertrekt.`,
	},
	{
		lang: "nl", slug: "zaterdagmarkt-proeverij-van-boerenkazen", title: "Zaterdagmarkt: proeverij van boerenkazen",
		at: in(14, time.Saturday).hours("08:00", "13:00"), venue: "square", organizers: keys("market"),
		categories: keys("weekly-market"), tags: keys("outdoors", "food"), image: "market", cost: keys("0"), website: "https://markt.elzenburg.example/kaas",
		text: `Zes kaasmakers uit het Pajottenland en de Kempen stallen hun kazen uit aan de kant van het stadhuis, van jonge geit tot een harde koe van twee jaar oud.

Proeven is gratis. Om elf uur legt affineur Griet Somers uit hoe je een kaasplank opbouwt en waarom de koelkast de slechtste plaats in huis is.`,
	},
	{
		lang: "nl", slug: "zaterdagmarkt-en-ruilhoek-voor-zaden-en-stekken", title: "Zaterdagmarkt en ruilhoek voor zaden en stekken",
		at: in(35, time.Saturday).hours("08:00", "13:00"), venue: "square", organizers: keys("market", "beekdal"),
		categories: keys("weekly-market", "nature"), tags: keys("free-entry", "outdoors"), image: "garden",
		excerpt: "Neem mee wat je te veel hebt, ga naar huis met wat je nog niet had.",
		text: `Heb je zakjes zaad over of een vensterbank vol stekjes? Natuurgroep Beekdal zet een lange tafel tussen de kramen waar je ze kunt ruilen.

Wie niets te ruilen heeft, is ook welkom: er blijft altijd iets liggen. Schrijf soort en jaar op het zakje, dan weet de volgende wat er opkomt.`,
	},
	{
		lang: "nl", slug: "kanaalblues-fotos-van-mirte-claes", title: "Kanaalblues: foto's van Mirte Claes",
		at: in(-9, anyDay).allDay(24), venue: "kunsthal", organizers: keys("culture"), featured: true, sticky: true,
		categories: keys("exhibitions"), tags: keys("step-free", "last-places"), image: "canal", cost: keys("6", "9"), website: "https://kanaal12.elzenburg.example",
		excerpt: "Tien jaar lang liep Mirte Claes elke ochtend hetzelfde stuk jaagpad. Dit is wat ze zag.",
		text: `Mirte Claes fotografeerde tien jaar lang hetzelfde jaagpad: de schippers, de vissers, de nachtploeg van de papierfabriek en het licht boven de sluis.

Kunsthal Kanaal 12 toont honderdtwintig beelden op groot formaat, met geluidsopnamen van het water en de kade. In de laatste zaal ligt het volledige dagboek van de fotografe open.

De zalen zijn open van 11 tot 18 uur, op donderdag tot 21 uur.`,
	},
	{
		lang: "nl", slug: "herstelcafe-in-de-schakel", title: "Herstelcafé in De Schakel",
		at: in(3, time.Wednesday).hours("13:30", "17:00"), venue: "schakel", organizers: keys("ateliers"),
		categories: keys("workshops"), tags: keys("free-entry", "second-hand", "step-free"), cost: keys("Vrije bijdrage"),
		text: `Een broodrooster die niet meer springt, een trui met een gat, een fietslicht met kuren: acht vrijwilligers zitten klaar met schroevendraaiers en naaimachines.

Je helpt zelf mee en leert zo hoe het toestel in elkaar zit. Breng maximaal twee voorwerpen mee. Koffie en taart zijn er voor wie moet wachten.`,
	},
	{
		lang: "nl", slug: "stille-wandeling-langs-de-elzenbeek", title: "Stille wandeling langs de Elzenbeek",
		at: in(10, time.Sunday).hours("08:30", "10:30"), venue: "park", organizers: keys("beekdal"),
		categories: keys("nature"), tags: keys("outdoors", "booking-advised"), image: "garden", cost: keys("3"),
		text: `Twee uur stappen zonder één woord. Gids Koen Verlinden loopt voorop, wijst aan wat er te horen is en bewaart de uitleg voor achteraf.

We volgen de beek van het Molenpark tot aan de oude spoorwegberm, vijf kilometer over onverharde paden. Laarzen zijn geen luxe. Honden blijven die ochtend beter thuis.`,
	},
	{
		lang: "nl", slug: "wijkpicknick-lange-tafel", title: "Wijkpicknick: lange tafel voor driehonderd buren",
		at: season(time.May, 27, time.Friday).hours("18:00", "22:30"), venue: "square", organizers: keys("culture"),
		categories: keys("markets"), tags: keys("free-entry", "outdoors", "for-children", "food"), cost: keys("0"),
		excerpt: "Jij brengt een schotel mee, de stad zorgt voor tafels, stoelen en lampjes.",
		text: `Eén avond per jaar staat er een tafel van tachtig meter dwars over de Grote Markt. Iedereen brengt een gerecht mee voor zes personen en schuift aan naast iemand die hij nog niet kent.

De stad zorgt voor borden, drank en een podium waar om het uur iemand een lied zingt in zijn moedertaal. Vorig jaar telden we er negentien.`,
	},
	{
		lang: "nl", slug: "lampionnentocht-van-sint-maarten", title: "Lampionnentocht van Sint-Maarten",
		at: season(time.November, 10, anyDay).hours("17:30", "19:30"), venue: "park", organizers: keys("culture"),
		categories: keys("markets"), tags: keys("free-entry", "for-children", "outdoors"), image: "lights", cost: keys("0"),
		text: `Kinderen trekken met uitgeholde bieten en papieren lampions van het Molenpark naar de kerk. Voorop rijdt Sint-Maarten, op een echt paard.

Aan de kerkdeur deelt hij zijn mantel en daarna is er chocolademelk voor iedereen. Lampions knutselen kan de woensdag ervoor in de bibliotheek.`,
	},
	{
		lang: "nl", slug: "vrijwilligersborrel-van-het-cultuurhuis", title: "Vrijwilligersborrel achter de schermen",
		at: in(12, time.Thursday).hours("19:00", "22:00"), venue: "brewery", organizers: keys("culture"), hidden: true,
		categories: keys("markets"),
		text: `Wie dit seizoen tickets scheurde, stoelen sleepte of soep schepte, krijgt een avond die helemaal niets vraagt.

We heffen het glas tussen de koperen ketels. Het nieuwe rooster hangt klaar aan de muur, maar tekenen mag pas na het tweede glas.`,
	},
	{
		lang: "nl", slug: "", title: "Open deur in de stadsserres", status: "draft", author: "contributor",
		at: in(70, time.Sunday).hours("10:00", "16:00"), venue: "park", organizers: keys("beekdal"),
		categories: keys("nature"), tags: keys("outdoors"),
		text: `De tuiniers van de stad tonen waar de perkplanten vandaan komen: drie glazen serres, een composthoop van vier meter en een potmachine uit 1962.

Nog na te vragen: mogen bezoekers een plantje meenemen, en is de oude stookkelder veilig genoeg voor groepen?`,
	},
}
