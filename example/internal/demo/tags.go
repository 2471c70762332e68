package demo

// tags say something practical about an event.
var tags = []term{
	{key: "free-entry", in: told{
		"en": {"free-entry", "Free entry", "No ticket, no charge."},
		"nl": {"gratis-toegang", "Gratis toegang", "Geen ticket nodig, niets te betalen."},
		"fr": {"entree-libre", "Entrée libre", "Ni billet ni caisse."},
	}},
	{key: "outdoors", in: told{
		"en": {"outdoors", "Outdoors", "Dress for the weather."},
		"nl": {"buiten", "Buiten", "Kleed je naar het weer."},
		"fr": {"en-plein-air", "En plein air", "À chaque temps son manteau."},
	}},
	{key: "online", in: told{
		"en": {"online", "Online", "Follow it from home."},
		"nl": {"online-nl", "Online", "Volg het van thuis uit."},
		"fr": {"en-ligne", "En ligne", "À suivre de chez soi."},
	}},
	{key: "for-children", in: told{
		"en": {"for-children", "For children", "Made with the youngest in mind."},
		"nl": {"voor-kinderen", "Voor kinderen", "Op maat van de jongsten."},
		"fr": {"pour-enfants", "Pour enfants", "Pensé pour les plus jeunes."},
	}},
	{key: "step-free", in: told{
		"en": {"step-free", "Step-free", "No stairs between the street and your seat."},
		"nl": {"drempelvrij", "Drempelvrij", "Geen trap tussen de straat en je stoel."},
		"fr": {"sans-marches", "Sans marches", "Aucun escalier entre la rue et votre siège."},
	}},
	{key: "sign-language", in: told{
		"en": {"sign-language", "Sign language", "Interpreted in a sign language."},
		"nl": {"gebarentaal", "Gebarentaal", "Getolkt in een gebarentaal."},
		"fr": {"langue-des-signes", "Langue des signes", "Interprété en langue des signes."},
	}},
	{key: "booking-advised", in: told{
		"en": {"booking-advised", "Booking advised", "Places go fast."},
		"nl": {"reserveren-aanbevolen", "Reserveren aanbevolen", "De plaatsen gaan snel."},
		"fr": {"reservation-conseillee", "Réservation conseillée", "Les places partent vite."},
	}},
	{key: "premiere", in: told{
		"en": {"premiere", "Première", "Never shown before."},
		"nl": {"premiere-nl", "Première", "Nooit eerder vertoond."},
		"fr": {"premiere-fr", "Première", "Jamais montré auparavant."},
	}},
	{key: "subtitled", in: told{
		"en": {"subtitled", "Subtitled", "With subtitles or surtitles."},
		"nl": {"ondertiteld", "Ondertiteld", "Met onder- of boventitels."},
		"fr": {"sous-titre", "Sous-titré", "Avec sous-titres ou surtitres."},
	}},
	{key: "last-places", in: told{
		"en": {"last-places", "Last places", "Nearly full."},
		"nl": {"laatste-plaatsen", "Laatste plaatsen", "Bijna volzet."},
		"fr": {"dernieres-places", "Dernières places", "Presque complet."},
	}},
	{key: "second-hand", in: told{
		"en": {"second-hand", "Second-hand", "Things looking for a new home."},
		"nl": {"tweedehands", "Tweedehands", "Spullen die een nieuw thuis zoeken."},
		"fr": {"seconde-main", "Seconde main", "Des objets en quête d'un nouveau toit."},
	}},
	{key: "live-music", in: told{
		"en": {"live-music", "Live music", "Played on the spot."},
		"nl": {"livemuziek", "Livemuziek", "Ter plaatse gespeeld."},
		"fr": {"musique-live", "Musique live", "Jouée sur place, devant vous."},
	}},
	{key: "beginners", in: told{
		"en": {"beginners", "Beginners welcome", "No experience needed."},
		"nl": {"beginners-nl", "Beginners welkom", "Geen ervaring nodig."},
		"fr": {"debutants", "Débutants bienvenus", "Aucune expérience requise."},
	}},
	{key: "heritage", in: told{
		"en": {"heritage", "Heritage", "With a story of at least a hundred years."},
		"nl": {"erfgoed", "Erfgoed", "Met een verhaal van minstens honderd jaar."},
		"fr": {"patrimoine", "Patrimoine", "Avec au moins cent ans d'histoire."},
	}},
	{key: "food", in: told{
		"en": {"food", "Food &amp; drink", "Come hungry."},
		"nl": {"eten-en-drinken", "Eten &amp; drinken", "Kom met honger."},
		"fr": {"boire-et-manger", "Boire &amp; manger", "Venez le ventre vide."},
	}},
}
