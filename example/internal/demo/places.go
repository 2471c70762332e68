package demo

// venues are the houses, squares and parks of the town, and one reading room abroad.
var venues = []venue{
	{
		key: "theatre", slug: "theater-de-elzen", name: "Theater De Elzen – Théâtre des Aulnes",
		street: "Grote Markt 4 Grand-Place", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 01 40",
		website: "https://deelzen.example", lat: "50.842310", lng: "4.382140", image: "theatre",
		text: "Italiaanse schouwburg uit 1887 met 420 plaatsen. Salle à l'italienne de 1887, 420 places. A horseshoe theatre of 1887 with 420 seats.",
	},
	{
		key: "square", slug: "grote-markt", name: "Grote Markt – Grand-Place",
		street: "Grote Markt – Grand-Place", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium",
		lat: "50.842050", lng: "4.381720", image: "market",
		text: "Kasseien, een fontein en elke zaterdag veertig kramen. Des pavés, une fontaine et quarante étals chaque samedi.",
	},
	{
		key: "library", slug: "bibliotheek-het-gele-huis", name: "Het Gele Huis – La Maison jaune",
		street: "Kloosterstraat 18 rue du Couvent", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 01 55",
		website: "https://geelhuis.example", lat: "50.843420", lng: "4.379850", image: "library",
		text: "De stadsbibliotheek in drie talen, met leestuin en een zolder vol strips. La bibliothèque communale, son jardin de lecture et ses bandes dessinées.",
	},
	{
		key: "park", slug: "molenpark", name: "Molenpark – Parc du Moulin",
		street: "Beekdreef 1 drève du Ruisseau", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium",
		lat: "50.846700", lng: "4.376300", image: "garden",
		text: "Meeting point is the bandstand. Afspraak aan de kiosk. Rendez-vous au kiosque.",
	},
	{
		key: "kunsthal", slug: "kunsthal-kanaal-12", name: "Kunsthal Kanaal 12",
		street: "Zuidkaai 12 quai du Sud", zip: "1076", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 12 12",
		website: "https://kanaal12.example", lat: "50.838190", lng: "4.371600", image: "canal",
		text: "Een oude suikerloods aan het kanaal, sinds 2004 kunsthal. Ancien entrepôt de sucre au bord du canal, halle d'art depuis 2004.",
	},
	{
		key: "apollo", slug: "cinema-apollo", name: "Cinéma Apollo",
		street: "Stationsstraat 61 rue de la Gare", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 20 61",
		website: "https://apollo-aulnebourg.example", image: "cinema",
		text: "Une seule salle, 210 fauteuils rouges et un rideau qui grince depuis 1938.",
	},
	{
		key: "church", slug: "sint-aldegondiskerk", name: "Sint-Aldegondiskerk – Église Sainte-Aldegonde",
		street: "Kerkplein – place de l'Église", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium",
		lat: "50.841500", lng: "4.384010", image: "brass",
		text: "Gotisch schip, barok orgel, moderne verlichting. Nef gothique, orgue baroque et éclairage d'aujourd'hui.",
	},
	{
		key: "schakel", slug: "buurthuis-de-schakel", name: "De Schakel – Le Maillon",
		street: "Vrijheidslaan 102 avenue de la Liberté", zip: "1076", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 33 02",
		lat: "50.836640", lng: "4.388900",
		text: "Buurthuis met keuken, werkplaats en grote zaal. Maison de quartier avec cuisine, atelier et grande salle. Step-free throughout.",
	},
	{
		key: "brewery", slug: "brouwerij-de-dubbele-os", name: "Brouwerij De Dubbele Os",
		street: "Hopstraat 7 rue du Houblon", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 70 07",
		website: "https://dubbeleos.example", lat: "50.843900", lng: "4.386250", image: "jazz",
		text: "Bier beneden, muziek op zolder. La bière au rez-de-chaussée, la musique sous les toits. Forty-one steps, no lift.",
	},
	{
		key: "signalbox", slug: "the-signal-box", name: "The Signal Box",
		street: "Seinhuisweg 3 chemin de la Cabine", zip: "1076", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 19 59",
		website: "https://signalbox.example", lat: "50.834770", lng: "4.392480",
		text: "A club room and small stage in the signal box of a railway line that closed in 1959. The levers still move.",
	},
	{
		key: "mill", slug: "molenmuseum", name: "Molenmuseum – Musée du Moulin à eau",
		street: "Beekdreef 44 drève du Ruisseau", zip: "1075", city: "Elzenburg – Aulnebourg", country: "Belgium", phone: "+32 2 555 44 10",
		lat: "50.848030", lng: "4.374220", image: "mill",
		text: "Watermolen van 1641 die nog elke maand maalt. Moulin à eau de 1641, encore en service une fois par mois.",
	},
	{
		key: "london", slug: "marylebone-reading-room", name: "Marylebone Reading Room",
		street: "27 Alder Mews", zip: "W1U 4XX", city: "London", country: "United Kingdom", phone: "+44 20 7946 0127",
		website: "https://readingroom.example", lat: "51.519300", lng: "-0.151200", image: "library",
		text: "A subscription library founded in 1851, two minutes from the High Street. Ring the lower bell.",
	},
}

// organizers are the people behind the calendar.
var organizers = []organizer{
	{
		key: "culture", slug: "dienst-cultuur", name: "Dienst Cultuur – Service Culture", phone: "+32 2 555 01 00",
		website: "https://elzenburg.example/cultuur", email: "cultuur@elzenburg.example",
		text: "The culture desk of the town hall. Open op werkdagen van 9 tot 12 uur. Permanence le mercredi après-midi.",
	},
	{
		key: "market", slug: "marktcomite", name: "Marktcomité – Comité du marché", phone: "+32 2 555 01 18",
		website: "https://markt.elzenburg.example", email: "markt@elzenburg.example",
		text: "Kraamhouders en buurtbewoners die samen de zaterdagmarkt regelen. Marchands et riverains, réunis depuis 1974.",
	},
	{
		key: "players", slug: "alder-town-players", name: "Alder Town Players", phone: "+32 2 555 19 60",
		website: "https://aldertownplayers.example", email: "stage@aldertownplayers.example",
		text: "An amateur company that has been putting on plays in English since 1983. New faces welcome, backstage as well as in front.",
	},
	{
		key: "jazz", slug: "jazz-op-zolder", name: "Jazz op Zolder vzw",
		website: "https://jazzopzolder.example", email: "hallo@jazzopzolder.example",
		text: "Twee concerten per maand onder het dak van de brouwerij, zonder subsidies en met veel kaarsen.",
	},
	{
		key: "oeil", slug: "cine-club-l-oeil-ouvert", name: "Ciné-club L'Œil ouvert", phone: "+32 2 555 20 62",
		website: "https://oeilouvert.example", email: "projection@oeilouvert.example",
		text: "Une séance par quinzaine, une discussion après chaque film, et jamais de publicité avant.",
	},
	{
		key: "beekdal", slug: "natuurgroep-beekdal", name: "Natuurgroep Beekdal", phone: "+32 2 555 81 23",
		email: "gids@beekdal.example",
		text:  "Vrijwilligers die de oevers van de Elzenbeek maaien, tellen en tonen. Balades guidées dans les trois langues.",
	},
	{
		key: "ateliers", slug: "les-ateliers-du-mardi", name: "Les Ateliers du mardi", phone: "+32 2 555 33 19",
		website: "https://ateliersdumardi.example", email: "bonjour@ateliersdumardi.example",
		text: "Cours et ateliers pour tous les âges, le mardi et, malgré le nom, tous les autres jours.",
	},
	{
		key: "harmonie", slug: "koninklijke-harmonie-sint-cecilia", name: "Koninklijke Harmonie Sint-Cecilia", phone: "+32 2 555 18 71",
		website: "https://harmonie.example", email: "secretaris@harmonie.example",
		text: "Zeventig muzikanten van twaalf tot vierentachtig jaar. Répétition le jeudi soir, visiteurs bienvenus.",
	},
}
