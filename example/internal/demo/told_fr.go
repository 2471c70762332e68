package demo

// toldFR are French versions of events that were first announced in Dutch or English.
var toldFR = []telling{
	{
		of: "zaterdagmarkt-met-messenslijper", slug: "marche-du-samedi-avec-le-remouleur", title: "Marché du samedi avec le rémouleur",
		excerpt: "Des couteaux émoussés ? Rachid les aiguise pendant que vous faites vos courses.",
		text: `Quarante étals de légumes, de pain, de poisson et de fleurs autour de la fontaine, comme tous les samedis.

Cette semaine, le rémouleur Rachid El Amrani s'installe à côté du fleuriste. Sa meule tourne à la force des mollets et il demande quatre euros par couteau.
Les ciseaux et les outils de jardin sont acceptés aussi. Emballez bien les lames dans un essuie avant de partir.`,
	},
	{
		of: "kanaalblues-fotos-van-mirte-claes", slug: "blues-du-canal-photographies-de-mirte-claes", title: "Blues du canal : photographies de Mirte Claes",
		excerpt: "Pendant dix ans, Mirte Claes a longé chaque matin le même bout de halage. Voici ce qu'elle a vu.",
		text: `Dix ans durant, Mirte Claes a photographié un seul chemin de halage : les bateliers, les pêcheurs, l'équipe de nuit de la papeterie et la lumière au-dessus de l'écluse.

Kunsthal Kanaal 12 présente cent vingt grands tirages, accompagnés d'enregistrements de l'eau et du quai. Dans la dernière salle, le journal complet de la photographe est ouvert à tous.

Les salles sont accessibles de 11 à 18 heures, le jeudi jusqu'à 21 heures.`,
	},
	{
		of: "jazz-op-zolder-aster-maes-trio", slug: "jazz-sous-les-toits-aster-maes-trio", title: "Jazz sous les toits : Aster Maes Trio",
		excerpt: "Piano, contrebasse et batterie sous les poutres de la brasserie.",
		text: `Aster Maes joue du piano comme d'autres tiennent une conversation : elle écoute, coupe la parole et rit de ses propres blagues. Avec Jef Nolens à la contrebasse et Amira Haddad à la batterie, elle présente son deuxième album.

Le grenier compte soixante chaises et un piano à queue qu'il a fallu faire entrer par le toit. Ouverture des portes à vingt heures, premier set à l'heure pile.`,
	},
	{
		of: "nacht-van-de-musea", slug: "nuit-des-musees", title: "Nuit des musées",
		excerpt: "Un bracelet, quatre maisons, et un moulin qui moud jusqu'après minuit.",
		text: `Un même bracelet ouvre les portes du Musée du Moulin à eau, de la kunsthal, de la bibliothèque et des caves d'archives de l'hôtel de ville.

Les meules tournent toute la nuit et le premier pain sort du four à une heure. Les enfants reçoivent une lampe de poche et une carte au trésor, leurs parents un verre de fleur d'aulne.`,
	},
	{
		of: "the-importance-of-being-earnest", slug: "l-importance-d-etre-constant", title: "L'Importance d'être Constant, en anglais surtitré",
		excerpt: "Le sac à main de Wilde est de retour, surtitré en français et en néerlandais.",
		text: `Deux jeunes gens, un frère inventé et un sac à main oublié à la gare Victoria. Les Alder Town Players s'attaquent à la plus brillante des comédies d'Oscar Wilde, transposée dans le hall d'un hôtel bruxellois.

Mise en scène de Priya Raman, en anglais avec surtitres français et néerlandais. Des sandwiches au concombre seront servis à l'entracte jusqu'à épuisement du plateau, ce qui, dans la pièce, ne tarde guère.`,
	},
	{
		of: "saturday-market-the-bread-morning", slug: "marche-du-samedi-la-matinee-du-pain", title: "Marché du samedi : la matinée du pain",
		excerpt: "Sept boulangers, une très longue table et du beurre à volonté.",
		text: `Sept boulangers de la région rejoignent les étals habituels avec du seigle, de l'épeautre, du levain et une recette secrète qui arrive sous un torchon.

Goûtez à tout, votez avant midi et emportez le pain vainqueur à moitié prix. Le marché, lui, continue tout autour, avec son poisson, ses fruits et ses fleurs.`,
	},
	{
		of: "heritage-weekend-behind-the-facades", slug: "week-end-du-patrimoine-derriere-les-facades", title: "Week-end du patrimoine : derrière les façades",
		excerpt: "Vingt-deux portes d'ordinaire closes restent ouvertes pendant deux jours.",
		text: `Le beffroi, l'ancienne teinturerie, trois jardins privés et une chambre forte sans banque : vingt-deux lieux habituellement fermés accueillent le public le temps d'un week-end.

Ce sont les propriétaires qui racontent. Prenez le plan dépliant au comptoir de la Grand-Place et commencez par le beffroi, avant que la file n'en fasse autant.`,
	},
	{
		of: "silent-film-with-live-piano-the-general", slug: "cine-concert-le-mecano-de-la-general", title: "Ciné-concert : Le Mécano de la « General »",
		text: `Buster Keaton, une locomotive volée et le plan le plus coûteux de tout le cinéma muet. Au piano, Ivo Grant suit la poursuite sans partition et sans baisser les yeux.

À partir de sept ans environ. Les intertitres, en anglais, sont lus à voix haute en français et en néerlandais par deux courageux bénévoles.`,
	},
	{
		of: "town-hall-from-cellar-to-clock", slug: "l-hotel-de-ville-de-la-cave-a-l-horloge", title: "L'hôtel de ville, de la cave à l'horloge",
		excerpt: "Un dimanche pour entrer partout, même derrière le bureau du bourgmestre.",
		text: `Une fois par an, toutes les portes de l'hôtel de ville sont ouvertes. On visite la salle du conseil et son plafond peint, les cellules qui ont servi jusqu'en 1911 et les archives que personne n'a jamais lues jusqu'au bout.

À midi, l'horloger remonte le mécanisme de la tour et laisse les enfants tourner la manivelle. Les nonante et une dernières marches sont étroites : confiez poussettes et sacs à dos à l'huissier.`,
	},
	{
		of: "de-laatste-sluiswachter", slug: "le-dernier-eclusier", title: "Le Dernier Éclusier",
		excerpt: "Première d'un monologue sur un homme, une écluse et quarante ans à attendre les bateaux.",
		text: `Pendant quarante ans, Staf Moens a manœuvré l'écluse de la ville. Puis arrive une lettre : désormais, tout se fera à distance, avec une caméra et un bouton.

Lotte Ghysels a écrit le texte après de longues conversations avec son grand-père. Seul en scène, Frank Ternat joue les pieds dans dix centimètres d'eau, de la vraie.

Le spectacle est joué en néerlandais et interprété en langue des signes flamande.`,
	},
	{
		of: "herstelcafe-in-de-schakel", slug: "repair-cafe-au-maillon", title: "Repair Café au Maillon", cost: keys("Contribution libre"),
		text: `Un grille-pain qui ne saute plus, un pull troué, un phare de vélo capricieux : huit bénévoles vous attendent avec des tournevis et des machines à coudre.

Vous mettez la main à la pâte et découvrez ainsi ce que l'appareil a dans le ventre. Deux objets au maximum par personne. Pour ceux qui patientent, il y a du café et de la tarte.`,
	},
	{
		of: "newcomers-breakfast", slug: "petit-dejeuner-des-nouveaux-venus", title: "Petit-déjeuner des nouveaux venus", cost: keys("Gratuit"),
		text: `Vous venez d'emménager ? Prenez un café avec des gens arrivés le mois dernier, l'an passé ou il y a quarante ans, et qui se rappellent combien c'était étrange.

Des bénévoles de l'hôtel de ville répondent en une douzaine de langues aux questions sur les poubelles, les écoles et les titres de séjour. Apportez la lettre que vous ne comprenez pas ; quelqu'un la comprendra.`,
	},
	{
		of: "online-workshop-the-quiet-art-of-mending-bowls", slug: "atelier-en-ligne-l-art-discret-de-recoller-les-bols", title: "Atelier en ligne : l'art discret de recoller les bols",
		text: `Depuis son atelier de Kanazawa, Haruka Ito montre comment une tasse cassée se recompose avec de la laque et un peu d'or. Vous suivez à votre table, avec une trousse plus simple ; une interprète traduit en français.

La trousse se retire au comptoir de la bibliothèque une semaine plus tôt. Choisissez un bol que vous supporterez de regarder longtemps : le séchage demande de la patience.`,
	},
}
