package demo

// categories form a tree of two levels; parents stand before their children. Names are stored as HTML.
var categories = []term{
	{key: "music", in: told{
		"en": {"music", "Music", "Everything with a melody, from the bandstand to the attic."},
		"nl": {"muziek", "Muziek", "Alles met een melodie, van de kiosk tot de zolder."},
		"fr": {"musique", "Musique", "Tout ce qui chante, du kiosque au grenier."},
	}},
	{key: "classical", parent: "music", in: told{
		"en": {"classical", "Classical", "Chamber music, organ and the town's wind orchestra."},
		"nl": {"klassiek", "Klassiek", "Kamermuziek, orgel en de harmonie van de stad."},
		"fr": {"musique-classique", "Classique", "Musique de chambre, orgue et harmonie municipale."},
	}},
	{key: "jazz", parent: "music", in: told{
		"en": {"jazz", "Jazz &amp; Blues", "Small rooms, late sets."},
		"nl": {"jazz-nl", "Jazz &amp; blues", "Kleine zalen, late uren."},
		"fr": {"jazz-fr", "Jazz &amp; blues", "Petites salles, heures tardives."},
	}},
	{key: "stage", in: told{
		"en": {"stage", "Stage", "Plays, dance and stories told out loud."},
		"nl": {"podium", "Podium", "Toneel, dans en verhalen die hardop verteld worden."},
		"fr": {"scene", "Scène", "Pièces, danse et histoires dites à voix haute."},
	}},
	{key: "theatre", parent: "stage", in: told{
		"en": {"theatre", "Theatre", "New writing and old favourites, often with surtitles."},
		"nl": {"theater", "Theater", "Nieuwe teksten en oude bekenden, vaak met boventiteling."},
		"fr": {"theatre-fr", "Théâtre", "Écritures neuves et grands classiques, souvent surtitrés."},
	}},
	{key: "dance", parent: "stage", in: told{
		"en": {"dance", "Dance", "To watch, or to join in."},
		"nl": {"dans", "Dans", "Om naar te kijken of om mee te doen."},
		"fr": {"danse", "Danse", "À regarder, ou à partager."},
	}},
	{key: "film-talks", in: told{
		"en": {"film-talks", "Film &amp; Talks", "Evenings that end in conversation."},
		"nl": {"film-gesprek", "Film &amp; gesprek", "Avonden die eindigen met een goed gesprek."},
		"fr": {"cinema-rencontres", "Cinéma &amp; rencontres", "Des soirées qui finissent en conversation."},
	}},
	{key: "cinema", parent: "film-talks", in: told{
		"en": {"cinema", "Cinema", "Screenings at the Apollo and now and then under the stars."},
		"nl": {"film", "Film", "Voorstellingen in de Apollo en soms onder de sterren."},
		"fr": {"cinema-fr", "Cinéma", "Séances à l'Apollo et, parfois, à la belle étoile."},
	}},
	{key: "lectures", parent: "film-talks", in: told{
		"en": {"lectures", "Lectures &amp; Debates", "One speaker, many questions."},
		"nl": {"lezingen", "Lezingen &amp; debat", "Eén spreker, veel vragen."},
		"fr": {"conferences", "Conférences &amp; débats", "Un orateur, beaucoup de questions."},
	}},
	{key: "town-life", in: told{
		"en": {"town-life", "Town Life", "What happens in the streets and on the square."},
		"nl": {"stadsleven", "Stadsleven", "Wat er in de straten en op het plein gebeurt."},
		"fr": {"vie-locale", "Vie locale", "Ce qui se passe dans les rues et sur la place."},
	}},
	{key: "weekly-market", parent: "town-life", in: told{
		"en": {"weekly-market", "Weekly Market", "Every Saturday morning round the fountain."},
		"nl": {"zaterdagmarkt", "Zaterdagmarkt", "Elke zaterdagochtend rond de fontein."},
		"fr": {"marche-du-samedi", "Marché du samedi", "Chaque samedi matin autour de la fontaine."},
	}},
	{key: "markets", parent: "town-life", in: told{
		"en": {"markets", "Fairs &amp; Festivities", "Seasonal fairs, processions and long tables."},
		"nl": {"feesten-en-beurzen", "Feesten &amp; beurzen", "Seizoensmarkten, stoeten en lange tafels."},
		"fr": {"fetes-et-foires", "Fêtes &amp; foires", "Foires de saison, cortèges et longues tablées."},
	}},
	{key: "exhibitions", in: told{
		"en": {"exhibitions", "Exhibitions", "Art, photography and open doors."},
		"nl": {"tentoonstellingen", "Tentoonstellingen", "Kunst, fotografie en open deuren."},
		"fr": {"expositions", "Expositions", "Arts, photographie et portes ouvertes."},
	}},
	{key: "workshops", in: told{
		"en": {"workshops", "Workshops", "Learn it, make it, mend it."},
		"nl": {"workshops-nl", "Workshops", "Leren, maken en herstellen."},
		"fr": {"ateliers", "Ateliers", "Apprendre, fabriquer, réparer."},
	}},
	{key: "nature", in: told{
		"en": {"nature", "Nature &amp; Heritage", "Walks, gardens and old stones."},
		"nl": {"natuur-en-erfgoed", "Natuur &amp; erfgoed", "Wandelingen, tuinen en oude stenen."},
		"fr": {"nature-et-patrimoine", "Nature &amp; patrimoine", "Balades, jardins et vieilles pierres."},
	}},
}
