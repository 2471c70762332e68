package demo

// toldNL are Dutch versions of events that were first announced in English or French.
var toldNL = []telling{
	{
		of: "the-importance-of-being-earnest", slug: "the-importance-of-being-earnest-nl", title: "The Importance of Being Earnest: Wilde met boventitels",
		excerpt: "De handtas van Wilde is terug, met boventitels in het Nederlands en het Frans.",
		text: `Twee jongemannen, één verzonnen broer en een handtas die in Victoria Station is blijven staan. De Alder Town Players wagen zich aan de fijnst geslepen komedie van Oscar Wilde en verplaatsen ze naar de lobby van een Brussels hotel.

Regie: Priya Raman. Gespeeld in het Engels, boventiteld in het Nederlands en het Frans. In de pauze zijn er komkommersandwiches zolang de voorraad strekt, en dat is in het stuk niet lang.`,
	},
	{
		of: "saturday-market-the-bread-morning", slug: "zaterdagmarkt-de-broodochtend", title: "Zaterdagmarkt: de broodochtend",
		excerpt: "Zeven bakkers, één heel lange tafel en zoveel boter als je smeren kunt.",
		text: `Zeven bakkers uit de streek komen naast de vaste kramen staan met rogge, spelt, zuurdesem en één geheim recept dat onder een doek wordt binnengebracht.

Proef alles, stem voor de middag op je favoriet en neem het winnende brood voor de halve prijs mee naar huis. De markt zelf gaat er gewoon omheen door, met vis, fruit en bloemen.`,
	},
	{
		of: "heritage-weekend-behind-the-facades", slug: "erfgoedweekend-achter-de-gevels", title: "Erfgoedweekend: achter de gevels",
		excerpt: "Tweeëntwintig deuren die anders dicht blijven, staan twee dagen open.",
		text: `Het belfort, de oude ververij, drie privétuinen en een bankkluis zonder bank: tweeëntwintig plekken die anders gesloten zijn, ontvangen een weekend lang bezoek.

De eigenaars vertellen zelf. Haal het vouwplan af aan de balie op de Grote Markt en begin met het belfort, voor de wachtrij dat doet.`,
	},
	{
		of: "silent-film-with-live-piano-the-general", slug: "stille-film-met-livepiano-the-general", title: "Stille film met livepiano: The General",
		text: `Buster Keaton, een gestolen locomotief en het duurste shot van het hele stille tijdperk. Pianist Ivo Grant volgt de achtervolging zonder partituur en zonder naar zijn handen te kijken.

Geschikt vanaf een jaar of zeven. De tussentitels zijn in het Engels; twee dappere vrijwilligers lezen ze voor in het Nederlands en het Frans.`,
	},
	{
		of: "town-hall-from-cellar-to-clock", slug: "het-stadhuis-van-kelder-tot-klok", title: "Het stadhuis, van kelder tot klok",
		excerpt: "Eén zondag lang mag je overal binnen, ook achter het bureau van de burgemeester.",
		text: `Eén keer per jaar staan alle deuren van het stadhuis open. Je ziet de raadzaal met haar beschilderde plafond, de cellen die tot 1911 dienst deden en het archief dat nog niemand helemaal heeft uitgelezen.

Op de middag windt de klokkenmaker het torenuurwerk op en mogen kinderen aan de zwengel draaien. De laatste eenennegentig treden zijn smal: laat kinderwagens en rugzakken bij de bode.`,
	},
	{
		of: "marche-de-noel-des-artisans", slug: "kerstmarkt-van-de-ambachten", title: "Kerstmarkt van de ambachten",
		excerpt: "Drie dagen, vijftig houten huisjes en niets dat van de andere kant van de wereld komt.",
		text: `Pottenbakkers, houtdraaiers, weefsters en boekbinders uit de streek staan drie dagen onder de lichtslingers. Alles wat ze verkopen, maken ze zelf, en vaak voor je ogen.

De glühwein komt van de brouwerij, de cougnous van de bakker om de hoek. Zaterdag om vijf uur zingt het koor van de drie scholen boven aan het bordes.`,
	},
	{
		of: "fete-de-la-musique-aux-quatre-coins", slug: "feest-van-de-muziek-op-elke-straathoek", title: "Feest van de muziek op elke straathoek",
		text: `Zes podia, vierendertig groepen en een piano op een vlot. Van doedelzak tot rap kiest elke straathoek zijn eigen kleur.

Het slotbal begint om tien uur 's avonds op de Grote Markt. Tot één uur brengen pendelbusjes iedereen weer thuis.`,
	},
	{
		of: "concert-de-midi-harpe-et-accordeon", slug: "middagconcert-harp-en-accordeon", title: "Middagconcert: harp en accordeon", cost: keys("Vrije bijdrage"),
		text: `Drie kwartier om het kantoor te vergeten. Élise Fontaine en Karim Bensalem brengen twee instrumenten samen die elkaar nooit tegenkomen, van Satie tot Piazzolla.

Kom binnen langs de zijdeur. Boterhammen mogen mee, als je maar in de maat kauwt.`,
	},
	{
		of: "balade-des-arbres-remarquables", slug: "wandeling-langs-merkwaardige-bomen", title: "Wandeling langs merkwaardige bomen",
		text: `De treurbeuk, de ginkgo die een naaister aan de stad schonk, de plataan die zijn hekje opat: het Molenpark telt elf beschermde bomen en elke boom heeft zijn roman.

Boswachter Bastien Leroy stapt rustig voorop. Het parcours is geschikt voor kinderwagens en rolstoelen.`,
	},
	{
		of: "bats-over-the-mill-pond", slug: "vleermuizen-boven-de-molenvijver", title: "Vleermuizen boven de molenvijver",
		text: `In de schemering verlaten de watervleermuizen één voor één de molenmuur om een handbreed boven het water te jagen. Gids Hannah Frost brengt detectoren mee die hun roep in tikken en getjilp omzetten.

De wandeling is kort en vlak, maar het wordt echt donker. Trek iets warms aan, laat de zaklamp in je zak en geef je ogen de tijd.`,
	},
	{
		of: "life-drawing-without-fear", slug: "modeltekenen-zonder-vrees", title: "Modeltekenen zonder vrees",
		text: `Eerst korte poses, dan langere, en nooit een woord over talent. Schilderes Rosa Quintero loopt langs, schuift je elleboog tien centimeter op en laat je ontdekken wat dat doet.

Papier, houtskool en ezels zijn inbegrepen. Er zijn zestien plaatsen, waarvan er in de laatste week meestal nog een paar vrijkomen.`,
	},
	{
		of: "quatre-mains-sur-la-ville", slug: "vier-handen-boven-de-stad", title: "Vier handen boven de stad: gravures van Colette en Jean Rops",
		excerpt: "Eén koppel, één pers en zestig jaar daken en schoorstenen.",
		text: `Zij tekende, hij etste, en soms omgekeerd. Zestig jaar lang hebben Colette en Jean Rops de stad afgebeeld vanuit hetzelfde raam in de Huidevettersstraat.

De tentoonstelling brengt tachtig platen samen met de pers uit hun atelier, die elke zondag om drie uur weer draait. Gesloten op maandag.`,
	},
	{
		of: "online-talk-night-trains-and-slow-travel", slug: "online-lezing-nachttreinen-en-traag-reizen", title: "Online lezing: nachttreinen en traag reizen",
		excerpt: "Live uit New York, en dus na middernacht in onze eigen stad.",
		text: `Reisschrijfster Joan Castellano doorkruiste twee continenten al liggend. Vanuit haar keuken in Queens vertelt ze, in het Engels, over slaaprijtuigen, grenswachters en wat een raam je leert dat een gangpad je nooit zal leren.

In New York is het dan avond. Wie hier luistert, zet een sterke thee of kijkt de ochtend nadien naar de opname.`,
	},
}
