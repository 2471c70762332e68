package demo

import "time"

// stageFR holds the concerts, plays, films and talks announced in French.
var stageFR = []event{
	{
		lang: "fr", slug: "cine-club-les-glaneurs-et-la-glaneuse", title: "Ciné-club : Les Glaneurs et la Glaneuse",
		at: in(1, anyDay).hours("20:00", "22:15"), venue: "apollo", organizers: keys("oeil"),
		categories: keys("cinema"), tags: keys("subtitled"), image: "cinema", cost: keys("6"),
		excerpt: "Agnès Varda, une petite caméra, et des pommes de terre en forme de cœur.",
		text: `En 1999, Agnès Varda part sur les routes avec une petite caméra numérique à la rencontre de ceux qui ramassent ce que les autres laissent. Le film n'a pas pris une ride, et les poubelles n'ont pas désempli.

Séance présentée par Odile Marchant, sous-titres néerlandais et anglais. La discussion se poursuit au bar.`,
	},
	{
		lang: "fr", slug: "apero-litteraire-au-comptoir", title: "Apéro littéraire au comptoir de la brasserie",
		at: in(0, anyDay).hours("18:30", "20:00"), venue: "brewery", organizers: keys("ateliers"),
		categories: keys("lectures"), tags: keys("free-entry", "food"), image: "library", cost: keys("0"),
		text: `Trois lecteurs défendent chacun un livre qu'ils ont aimé, en cinq minutes et sans notes. La salle choisit celui qu'elle emporterait sur une péniche.

Le vainqueur paie sa tournée, selon une tradition que personne n'ose plus contester. Aucun titre paru depuis moins de dix ans.`,
	},
	{
		lang: "fr", slug: "le-malade-imaginaire-en-sabots", title: "Le Malade imaginaire, en sabots",
		at: in(33, time.Friday).hours("20:00", "22:15"), venue: "theatre", organizers: keys("culture"),
		categories: keys("theatre"), tags: keys("premiere", "subtitled"), image: "theatre", cost: keys("9", "20"),
		text: `La compagnie Terre-Neuve transporte Molière dans une ferme brabançonne des années cinquante. Argan compte ses pilules dans la cuisine, Toinette trait les vaches et dit tout haut ce que le village pense.

Une mise en scène de Sylvain Dury, avec trois musiciens et une poule. Surtitres en néerlandais.`,
	},
	{
		lang: "fr", slug: "concert-de-midi-harpe-et-accordeon", title: "Concert de midi : harpe et accordéon",
		at: in(4, time.Thursday).hours("12:30", "13:15"), venue: "church", organizers: keys("harmonie"),
		categories: keys("classical"), tags: keys("free-entry", "live-music", "step-free"), image: "brass", cost: keys("Participation libre"),
		text: `Quarante-cinq minutes pour oublier le bureau. Élise Fontaine et Karim Bensalem marient deux instruments qui ne se rencontrent jamais, de Satie à Piazzolla.

Entrée par la porte latérale, sandwiches bienvenus à condition de mâcher en mesure.`,
	},
	{
		lang: "fr", slug: "quatre-mains-sur-la-ville", title: "Quatre mains sur la ville : gravures de Colette et Jean Rops",
		at: in(26, time.Thursday).allDay(38), venue: "kunsthal", organizers: keys("culture"),
		categories: keys("exhibitions"), tags: keys("step-free"), image: "canal", cost: keys("4", "8"),
		excerpt: "Un couple, une presse, soixante ans de toits et de cheminées.",
		text: `Elle dessinait, il gravait, et parfois l'inverse. Pendant soixante ans, Colette et Jean Rops ont représenté la ville depuis la même fenêtre de la rue des Tanneurs.

L'exposition rassemble quatre-vingts planches et la presse de l'atelier, remise en marche chaque dimanche à quinze heures. Fermé le lundi.`,
	},
	{
		lang: "fr", slug: "atelier-d-ecriture-lettres-a-personne", title: "Atelier d'écriture : lettres à personne",
		at: in(18, time.Tuesday).hours("18:30", "21:00"), venue: "library", organizers: keys("ateliers"),
		categories: keys("workshops"), tags: keys("beginners", "booking-advised"), image: "library", cost: keys("12,50"),
		text: `Écrire à un voisin parti trop vite, à un objet perdu, à soi-même dans vingt ans. L'autrice Naïma Belkacem propose des consignes courtes et un silence confortable.

On lit à voix haute si l'on veut. Douze places, papier et stylos fournis, téléphone dans le panier à l'entrée.`,
	},
	{
		lang: "fr", slug: "bal-folk-du-grand-large", title: "Bal folk du grand large",
		at: in(73, time.Saturday).hours("19:30", "00:00"), venue: "signalbox", organizers: keys("jazz"),
		categories: keys("dance", "music"), tags: keys("live-music", "beginners"), image: "jazz", cost: keys("8", "12"),
		text: `Scottish, mazurka, cercle circassien : on apprend les pas à dix-neuf heures trente, on les oublie à minuit. Le trio Marée basse joue vielle, violon et guitare.

On vient seul ou en bande, en chaussures qui glissent un peu. Crêpes au sarrasin jusqu'à épuisement de la pâte.`,
	},
	{
		lang: "fr", slug: "la-science-au-bistrot-pourquoi-dort-on", title: "La science au bistrot : pourquoi dort-on ?",
		at: in(40, time.Wednesday).hours("20:00", "21:30"), venue: "brewery", organizers: keys("culture"),
		categories: keys("lectures"), tags: keys("free-entry", "last-places"), cost: keys("0"),
		text: `Un tiers de notre vie, les yeux fermés, sans que personne sache tout à fait pourquoi. La neurologue Inès Vandeput répond aux questions, un verre à la main et sans diapositives.

Les ronfleurs sont bienvenus au premier rang. Arrivez tôt, la salle est petite et les tabourets comptés.`,
	},
	{
		lang: "fr", slug: "nuit-du-court-metrage-belge", title: "Nuit du court métrage belge",
		at: in(140, time.Friday).hours("21:00", "03:00"), venue: "apollo", organizers: keys("oeil"),
		categories: keys("cinema"), tags: keys("premiere", "subtitled", "food"), image: "cinema", cost: keys("11"),
		text: `Vingt-huit films en six heures, du dessin animé de deux minutes au thriller qui se passe entièrement dans un ascenseur. Les cinéastes présents votent avec le public.

Petit-déjeuner offert aux survivants. Coussins autorisés, pyjamas encouragés.`,
	},
	{
		lang: "fr", slug: "contes-sous-la-table", title: "Contes sous la table",
		at: in(62, time.Wednesday).hours("15:00", "16:00"), venue: "library", organizers: keys("ateliers"),
		categories: keys("stage"), tags: keys("for-children", "free-entry"), image: "library", cost: keys("0"),
		text: `La conteuse Mado Pirson installe une nappe immense et les enfants se glissent dessous. À partir de là, tout peut arriver : un loup végétarien, une reine qui perd ses clés, un escargot pressé.

Dès quatre ans. Les parents restent assis à table et font semblant de ne rien entendre.`,
	},
	{
		lang: "fr", slug: "", title: "Résidence ouverte : danser la pluie", status: "draft", author: "author",
		at: in(205, time.Friday).hours("18:00", "19:30"), venue: "kunsthal", organizers: keys("ateliers"),
		categories: keys("dance"), tags: keys("premiere"),
		text: `Après deux semaines de travail dans la grande halle, la chorégraphe Aïssatou Diallo montre une étape de sa prochaine création. Le sol sera mouillé, les danseurs aussi.

À confirmer avec la technique : écoulement des eaux et nombre de gradins.`,
	},
}
