package demo

// organizers are the people behind the calendar.
var organizers = []organizer{
	{
		key: "culture", phone: "+32 2 555 01 00", website: "https://elzenburg.example/cultuur", email: "cultuur@elzenburg.example",
		in: told{
			"en": {"culture-office", "Elzenburg Culture Office", "The culture desk of the town hall, open on weekday mornings from nine to twelve."},
			"nl": {"dienst-cultuur", "Dienst Cultuur", "Het cultuurloket van het stadhuis, open op werkdagen van 9 tot 12 uur."},
			"fr": {"service-culture", "Service Culture", "Le guichet culturel de l'hôtel de ville, ouvert en semaine de 9 à 12 heures."},
		},
	},
	{
		key: "market", phone: "+32 2 555 01 18", website: "https://markt.elzenburg.example", email: "markt@elzenburg.example",
		in: told{
			"en": {"market-committee", "Market Committee", "Stallholders and neighbours who have run the Saturday market together since 1974."},
			"nl": {"marktcomite", "Marktcomité", "Kraamhouders en buurtbewoners die sinds 1974 samen de zaterdagmarkt regelen."},
			"fr": {"comite-du-marche", "Comité du marché", "Marchands et riverains, réunis depuis 1974 pour faire vivre le marché du samedi."},
		},
	},
	{
		key: "players", phone: "+32 2 555 19 60", website: "https://aldertownplayers.example", email: "stage@aldertownplayers.example",
		in: told{
			"en": {"alder-town-players", "Alder Town Players", "An amateur company that has been putting on plays in English since 1983. New faces welcome, backstage as well as in front."},
			"nl": {"alder-town-players-nl", "Alder Town Players", "Een amateurgezelschap dat sinds 1983 in het Engels speelt. Nieuwe gezichten zijn welkom, ook achter de schermen."},
			"fr": {"alder-town-players-fr", "Alder Town Players", "Une troupe d'amateurs qui joue en anglais depuis 1983. Nouveaux visages bienvenus, en coulisses comme sur scène."},
		},
	},
	{
		key: "jazz", website: "https://jazzopzolder.example", email: "hallo@jazzopzolder.example",
		in: told{
			"en": {"jazz-op-zolder", "Jazz op Zolder", "Two concerts a month under the roof of the brewery, with no subsidy and a great many candles."},
			"nl": {"jazz-op-zolder-vzw", "Jazz op Zolder vzw", "Twee concerten per maand onder het dak van de brouwerij, zonder subsidies en met veel kaarsen."},
			"fr": {"jazz-op-zolder-asbl", "Jazz op Zolder asbl", "Deux concerts par mois sous le toit de la brasserie, sans subsides et avec beaucoup de bougies."},
		},
	},
	{
		key: "oeil", phone: "+32 2 555 20 62", website: "https://oeilouvert.example", email: "projection@oeilouvert.example",
		in: told{
			"en": {"l-oeil-ouvert-film-club", "L'Œil ouvert Film Club", "A screening every fortnight, a discussion after each film and never an advertisement before it."},
			"nl": {"filmclub-l-oeil-ouvert", "Filmclub L'Œil ouvert", "Om de twee weken een film, telkens met nagesprek en nooit met reclame vooraf."},
			"fr": {"cine-club-l-oeil-ouvert", "Ciné-club L'Œil ouvert", "Une séance par quinzaine, une discussion après chaque film, et jamais de publicité avant."},
		},
	},
	{
		key: "beekdal", phone: "+32 2 555 81 23", email: "gids@beekdal.example",
		in: told{
			"en": {"beekdal-nature-group", "Beekdal Nature Group", "Volunteers who mow, count and show the banks of the Elzenbeek. Guided walks in all three languages."},
			"nl": {"natuurgroep-beekdal", "Natuurgroep Beekdal", "Vrijwilligers die de oevers van de Elzenbeek maaien, tellen en tonen. Geleide wandelingen in drie talen."},
			"fr": {"naturalistes-du-beekdal", "Les Naturalistes du Beekdal", "Des bénévoles qui fauchent, recensent et font découvrir les rives de l'Elzenbeek. Balades guidées en trois langues."},
		},
	},
	{
		key: "ateliers", phone: "+32 2 555 33 19", website: "https://ateliersdumardi.example", email: "bonjour@ateliersdumardi.example",
		in: told{
			"en": {"the-tuesday-workshops", "The Tuesday Workshops", "Courses and workshops for all ages, on Tuesdays and, whatever the name says, on every other day."},
			"nl": {"de-dinsdagateliers", "De Dinsdagateliers", "Cursussen en ateliers voor alle leeftijden, op dinsdag en, wat de naam ook zegt, op alle andere dagen."},
			"fr": {"les-ateliers-du-mardi", "Les Ateliers du mardi", "Cours et ateliers pour tous les âges, le mardi et, malgré le nom, tous les autres jours."},
		},
	},
	{
		key: "harmonie", phone: "+32 2 555 18 71", website: "https://harmonie.example", email: "secretaris@harmonie.example",
		in: told{
			"en": {"royal-st-cecilia-wind-band", "Royal St Cecilia Wind Band", "Seventy musicians from twelve to eighty-four years old. They rehearse on Thursday evenings and like visitors."},
			"nl": {"koninklijke-harmonie-sint-cecilia", "Koninklijke Harmonie Sint-Cecilia", "Zeventig muzikanten van twaalf tot vierentachtig jaar. Repetitie op donderdagavond, bezoek welkom."},
			"fr": {"harmonie-royale-sainte-cecile", "Harmonie royale Sainte-Cécile", "Septante musiciens de douze à quatre-vingt-quatre ans. Répétition le jeudi soir, visiteurs bienvenus."},
		},
	},
}
