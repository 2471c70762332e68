package demo

// venues are the houses, squares and parks of the town, and one reading room abroad.
var venues = []venue{
	{
		key: "theatre", zip: "1075", phone: "+32 2 555 01 40", website: "https://deelzen.example", lat: "50.842310", lng: "4.382140", image: "theatre",
		in: map[string]sign{
			"en": {slug: "alders-theatre", name: "The Alders Theatre", street: "Grote Markt 4", text: "A horseshoe theatre of 1887 with 420 seats, gilded balconies and a trapdoor that nobody admits to using."},
			"nl": {slug: "theater-de-elzen", name: "Theater De Elzen", street: "Grote Markt 4", text: "Italiaanse schouwburg uit 1887 met 420 plaatsen, vergulde balkons en een valluik dat niemand zegt te gebruiken."},
			"fr": {slug: "theatre-des-aulnes", name: "Théâtre des Aulnes", street: "Grand-Place 4", text: "Salle à l'italienne de 1887 : 420 places, des balcons dorés et une trappe dont personne n'avoue se servir."},
		},
	},
	{
		key: "townhall", zip: "1075", phone: "+32 2 555 01 01", website: "https://elzenburg.example", lat: "50.842180", lng: "4.381100", image: "lights",
		in: map[string]sign{
			"en": {slug: "town-hall", name: "Town Hall", street: "Grote Markt 1", text: "Begun in 1589, finished in 1702, repaired ever since. Visitors use the door under the clock."},
			"nl": {slug: "stadhuis", name: "Stadhuis", street: "Grote Markt 1", text: "Begonnen in 1589, klaar in 1702 en sindsdien in herstelling. Bezoekers nemen de deur onder de klok."},
			"fr": {slug: "hotel-de-ville", name: "Hôtel de ville", street: "Grand-Place 1", text: "Commencé en 1589, achevé en 1702, en réparation depuis lors. Entrée des visiteurs sous l'horloge."},
		},
	},
	{
		key: "square", zip: "1075", lat: "50.842050", lng: "4.381720", image: "market",
		in: map[string]sign{
			"en": {slug: "market-square", name: "Market Square", street: "Grote Markt", text: "Cobbles, a fountain and forty stalls every Saturday."},
			"nl": {slug: "grote-markt", name: "Grote Markt", street: "Grote Markt", text: "Kasseien, een fontein en elke zaterdag veertig kramen."},
			"fr": {slug: "grand-place", name: "Grand-Place", street: "Grand-Place", text: "Des pavés, une fontaine et quarante étals chaque samedi."},
		},
	},
	{
		key: "library", zip: "1075", phone: "+32 2 555 01 55", website: "https://geelhuis.example", lat: "50.843420", lng: "4.379850", image: "library",
		in: map[string]sign{
			"en": {slug: "yellow-house-library", name: "The Yellow House Library", street: "Kloosterstraat 18", text: "The town library in three languages, with a reading garden and an attic full of comics."},
			"nl": {slug: "bibliotheek-het-gele-huis", name: "Bibliotheek Het Gele Huis", street: "Kloosterstraat 18", text: "De stadsbibliotheek in drie talen, met leestuin en een zolder vol strips."},
			"fr": {slug: "bibliotheque-la-maison-jaune", name: "Bibliothèque La Maison jaune", street: "Rue du Couvent 18", text: "La bibliothèque communale en trois langues, son jardin de lecture et son grenier à bandes dessinées."},
		},
	},
	{
		key: "park", zip: "1075", lat: "50.846700", lng: "4.376300", image: "garden",
		in: map[string]sign{
			"en": {slug: "mill-park", name: "Mill Park", street: "Beekdreef 1", text: "The meeting point is the bandstand."},
			"nl": {slug: "molenpark", name: "Molenpark", street: "Beekdreef 1", text: "Afspraak aan de kiosk."},
			"fr": {slug: "parc-du-moulin", name: "Parc du Moulin", street: "Drève du Ruisseau 1", text: "Rendez-vous au kiosque."},
		},
	},
	{
		key: "kunsthal", zip: "1076", phone: "+32 2 555 12 12", website: "https://kanaal12.example", lat: "50.838190", lng: "4.371600", image: "canal",
		in: map[string]sign{
			"en": {slug: "kunsthal-kanaal-12", name: "Kunsthal Kanaal 12", street: "Zuidkaai 12", text: "An old sugar warehouse on the canal, an art gallery since 2004."},
			"nl": {slug: "kunsthal-kanaal-12-nl", name: "Kunsthal Kanaal 12", street: "Zuidkaai 12", text: "Een oude suikerloods aan het kanaal, sinds 2004 kunsthal."},
			"fr": {slug: "kunsthal-kanaal-12-fr", name: "Kunsthal Kanaal 12", street: "Quai du Sud 12", text: "Ancien entrepôt de sucre au bord du canal, halle d'art depuis 2004."},
		},
	},
	{
		key: "apollo", zip: "1075", phone: "+32 2 555 20 61", website: "https://apollo-aulnebourg.example", image: "cinema",
		in: map[string]sign{
			"en": {slug: "apollo-cinema", name: "Apollo Cinema", street: "Stationsstraat 61", text: "One screen, 210 red seats and a curtain that has creaked since 1938."},
			"nl": {slug: "cinema-apollo", name: "Cinema Apollo", street: "Stationsstraat 61", text: "Eén zaal, 210 rode stoelen en een gordijn dat sinds 1938 piept."},
			"fr": {slug: "cinema-apollo-fr", name: "Cinéma Apollo", street: "Rue de la Gare 61", text: "Une seule salle, 210 fauteuils rouges et un rideau qui grince depuis 1938."},
		},
	},
	{
		key: "church", zip: "1075", lat: "50.841500", lng: "4.384010", image: "brass",
		in: map[string]sign{
			"en": {slug: "st-aldegondes-church", name: "St Aldegonde's Church", street: "Kerkplein", text: "A Gothic nave, a Baroque organ and lighting of our own day."},
			"nl": {slug: "sint-aldegondiskerk", name: "Sint-Aldegondiskerk", street: "Kerkplein", text: "Gotisch schip, barok orgel, moderne verlichting."},
			"fr": {slug: "eglise-sainte-aldegonde", name: "Église Sainte-Aldegonde", street: "Place de l'Église", text: "Nef gothique, orgue baroque et éclairage d'aujourd'hui."},
		},
	},
	{
		key: "schakel", zip: "1076", phone: "+32 2 555 33 02", lat: "50.836640", lng: "4.388900",
		in: map[string]sign{
			"en": {slug: "de-schakel-community-centre", name: "De Schakel Community Centre", street: "Vrijheidslaan 102", text: "A neighbourhood house with a kitchen, a workshop and a large hall. Step-free throughout."},
			"nl": {slug: "buurthuis-de-schakel", name: "Buurthuis De Schakel", street: "Vrijheidslaan 102", text: "Buurthuis met keuken, werkplaats en grote zaal. Overal drempelvrij."},
			"fr": {slug: "maison-de-quartier-le-maillon", name: "Maison de quartier Le Maillon", street: "Avenue de la Liberté 102", text: "Maison de quartier avec cuisine, atelier et grande salle. Sans marches partout."},
		},
	},
	{
		key: "brewery", zip: "1075", phone: "+32 2 555 70 07", website: "https://dubbeleos.example", lat: "50.843900", lng: "4.386250", image: "jazz",
		in: map[string]sign{
			"en": {slug: "double-ox-brewery", name: "The Double Ox Brewery", street: "Hopstraat 7", text: "Beer downstairs, music in the attic. Forty-one steps, no lift."},
			"nl": {slug: "brouwerij-de-dubbele-os", name: "Brouwerij De Dubbele Os", street: "Hopstraat 7", text: "Bier beneden, muziek op zolder. Eenenveertig treden, geen lift."},
			"fr": {slug: "brasserie-du-double-boeuf", name: "Brasserie du Double Bœuf", street: "Rue du Houblon 7", text: "La bière au rez-de-chaussée, la musique sous les toits. Quarante et une marches, pas d'ascenseur."},
		},
	},
	{
		key: "signalbox", zip: "1076", phone: "+32 2 555 19 59", website: "https://signalbox.example", lat: "50.834770", lng: "4.392480",
		in: map[string]sign{
			"en": {slug: "the-signal-box", name: "The Signal Box", street: "Seinhuisweg 3", text: "A club room and small stage in the signal box of a railway line that closed in 1959. The levers still move."},
			"nl": {slug: "het-seinhuis", name: "Het Seinhuis", street: "Seinhuisweg 3", text: "Clublokaal en klein podium in het seinhuis van een spoorlijn die in 1959 dichtging. De hefbomen bewegen nog."},
			"fr": {slug: "la-cabine", name: "La Cabine", street: "Chemin de la Cabine 3", text: "Un club et une petite scène dans la cabine d'aiguillage d'une ligne fermée en 1959. Les leviers bougent encore."},
		},
	},
	{
		key: "mill", zip: "1075", phone: "+32 2 555 44 10", lat: "50.848030", lng: "4.374220", image: "mill",
		in: map[string]sign{
			"en": {slug: "water-mill-museum", name: "Water Mill Museum", street: "Beekdreef 44", text: "A water mill of 1641 that still grinds once a month."},
			"nl": {slug: "molenmuseum", name: "Molenmuseum", street: "Beekdreef 44", text: "Watermolen van 1641 die nog elke maand maalt."},
			"fr": {slug: "musee-du-moulin", name: "Musée du Moulin à eau", street: "Drève du Ruisseau 44", text: "Moulin à eau de 1641, encore en service une fois par mois."},
		},
	},
	{
		key: "london", zip: "W1U 4XX", phone: "+44 20 7946 0127", website: "https://readingroom.example", lat: "51.519300", lng: "-0.151200", image: "library",
		in: map[string]sign{
			"en": {slug: "marylebone-reading-room", name: "Marylebone Reading Room", street: "27 Alder Mews", city: "London", country: "United Kingdom",
				text: "A subscription library founded in 1851, two minutes from the High Street. Ring the lower bell."},
			"nl": {slug: "marylebone-reading-room-nl", name: "Marylebone Reading Room", street: "27 Alder Mews", city: "Londen", country: "Verenigd Koninkrijk",
				text: "Een ledenbibliotheek uit 1851, op twee minuten van de High Street. Gebruik de onderste bel."},
			"fr": {slug: "marylebone-reading-room-fr", name: "Marylebone Reading Room", street: "27 Alder Mews", city: "Londres", country: "Royaume-Uni",
				text: "Une bibliothèque par abonnement fondée en 1851, à deux minutes de High Street. Sonnez en bas."},
		},
	},
}
