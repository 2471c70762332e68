package demo

import "time"

// townFR holds the markets, walks and neighbourhood events announced in French.
var townFR = []event{
	{
		lang: "fr", slug: "marche-du-samedi-fleurs-et-fanfare", title: "Marché du samedi : fleurs et fanfare",
		at: in(21, time.Saturday).hours("08:00", "13:00"), venue: "square", organizers: keys("market", "harmonie"),
		categories: keys("weekly-market"), tags: keys("free-entry", "outdoors", "live-music"), image: "market", cost: keys("0"),
		excerpt: "Un bouquet dans une main, un croissant dans l'autre, et des cuivres tout autour.",
		text: `Les fleuristes doublent leurs étals et la petite fanfare de l'Harmonie déambule entre les légumes de dix heures à midi.

Les enfants peuvent essayer le tambour. Pour les oreilles plus délicates, le côté nord de la place reste au calme, avec les fromages et le miel.`,
	},
	{
		lang: "fr", slug: "marche-du-samedi-a-l-heure-des-soupes", title: "Marché du samedi à l'heure des soupes",
		at: in(42, time.Saturday).hours("08:00", "14:00"), venue: "square", organizers: keys("market"),
		categories: keys("weekly-market"), tags: keys("outdoors", "food"), image: "market", cost: keys("2 €"), symbol: "€", position: "postfix",
		text: `Cinq cuisiniers, cinq marmites, et une seule règle : tous les ingrédients ont été achetés le matin même sur la place.

Le bol coûte deux euros et le public désigne la meilleure louche de la saison. Apportez votre cuillère, on évite ainsi mille couverts en bois.`,
	},
	{
		lang: "fr", slug: "balade-des-arbres-remarquables", title: "Balade des arbres remarquables",
		at: in(11, time.Sunday).hours("14:00", "16:30"), venue: "park", organizers: keys("beekdal"),
		categories: keys("nature"), tags: keys("outdoors", "free-entry", "step-free"), image: "garden", cost: keys("0"),
		text: `Le hêtre pleureur, le ginkgo offert par une couturière, le platane qui a avalé sa grille : le parc du Moulin compte onze arbres classés et chacun a son roman.

Le garde forestier Bastien Leroy mène la promenade à petits pas. Le parcours convient aux poussettes et aux fauteuils roulants.`,
	},
	{
		lang: "fr", slug: "donnerie-du-quartier-de-la-gare", title: "Donnerie du quartier de la gare",
		at: in(-4, anyDay).hours("10:00", "15:00"), venue: "schakel", organizers: keys("ateliers"),
		categories: keys("markets"), tags: keys("free-entry", "second-hand"), cost: keys("Gratuit"),
		text: `On dépose ce qui dort dans les armoires, on emporte ce qui peut resservir, et personne ne compte. Vaisselle, livres, petits meubles et vêtements propres trouvent preneur en une matinée.

Les objets qui restent partent à la ressourcerie. Merci de ne pas apporter de matelas ni d'encyclopédies.`,
	},
	{
		lang: "fr", slug: "marche-de-noel-des-artisans", title: "Marché de Noël des artisans",
		at: season(time.December, 10, time.Friday).allDay(3), venue: "square", organizers: keys("market"), featured: true,
		categories: keys("markets"), tags: keys("outdoors", "food", "for-children"), image: "lights", cost: keys("0"),
		excerpt: "Trois jours, cinquante chalets, et pas un seul objet fabriqué à l'autre bout du monde.",
		text: `Potiers, tourneurs sur bois, tisserandes et relieurs de la région s'installent sous les guirlandes pour trois jours. Chaque exposant fabrique ce qu'il vend, et souvent sous vos yeux.

Le vin chaud vient de la brasserie, les cougnous du fournil d'à côté. Samedi à dix-sept heures, la chorale des trois écoles chante du haut du perron.`,
	},
	{
		lang: "fr", slug: "fete-de-la-musique-aux-quatre-coins", title: "Fête de la musique aux quatre coins de la ville",
		at: season(time.June, 20, time.Saturday).hours("15:00", "00:30"), venue: "square", organizers: keys("culture", "harmonie"),
		categories: keys("music"), tags: keys("free-entry", "outdoors", "live-music"), image: "brass", cost: keys("0"),
		text: `Six scènes, trente-quatre groupes et un piano posé sur un radeau. De la cornemuse au rap, chaque coin de rue choisit sa couleur.

Le bal final commence à vingt-deux heures sur la Grand-Place. Un service de navettes ramène tout le monde jusqu'à une heure du matin.`,
	},
	{
		lang: "fr", slug: "foire-aux-plantes-du-moulin", title: "Foire aux plantes du moulin",
		at: season(time.April, 24, time.Saturday).allDay(2), venue: "mill", organizers: keys("beekdal"),
		categories: keys("markets", "nature"), tags: keys("outdoors", "step-free"), image: "garden", cost: keys("3"),
		text: `Vivaces oubliées, tomates anciennes, saules à tresser : une vingtaine de pépiniéristes de Wallonie, de Flandre et du Nord se retrouvent dans la cour du moulin.

Un stand de diagnostic examine gratuitement vos feuilles tachées, sous sachet fermé de préférence. Brouettes en prêt à l'entrée.`,
	},
	{
		lang: "fr", slug: "courir-avec-son-ombre", title: "Courir avec son ombre : dix kilomètres le long du canal",
		at: in(108, time.Sunday).hours("09:30", "12:00"), venue: "kunsthal", organizers: keys("culture"),
		categories: keys("nature"), tags: keys("outdoors", "booking-advised"), image: "canal", cost: keys("10", "15"), website: "https://dixkm.elzenburg.example",
		text: `Un parcours plat, deux ravitaillements et un orchestre sous chaque pont. Les dix kilomètres du canal se courent aussi en marchant, personne ne ferme la ligne d'arrivée.

Le dossard est plus cher les trois derniers jours. La recette finance les cours de natation des classes de quatrième primaire.`,
	},
	{
		lang: "fr", slug: "reunion-de-preparation-de-la-saison", title: "Réunion de préparation de la saison", status: "private",
		at: in(16, time.Monday).hours("12:00", "13:30"), venue: "theatre", organizers: keys("culture"),
		categories: keys("lectures"),
		text: `Les programmateurs du théâtre, de la kunsthal et du cinéma comparent leurs calendriers pour éviter trois premières le même soir.

Chacun apporte ses dates fermes et ses doutes. Les sandwiches sont commandés pour douze personnes, prévenir en cas de régime particulier.`,
	},
}
