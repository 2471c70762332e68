package fill

import "strings"

// words splits a list of names.
func words(list string) []string { return strings.Split(strings.ReplaceAll(list, "\n", ""), ",") }

// topics are what events are about.
var topics = words(`jazz,chamber music,theatre,modern dance,photography,local history,gardening,short films,poetry,street art,
folk music,opera,brass bands,choir singing,organ music,early music,blues,hip hop,electronic music,world music,
storytelling,puppetry,stand-up comedy,improvisation,musicals,circus,ballet,tango,salsa,swing dancing,
painting,sculpture,ceramics,printmaking,calligraphy,architecture,design,fashion,jewellery,textile art,
science,astronomy,mathematics,biology,geology,archaeology,philosophy,psychology,economics,politics,
climate,energy,recycling,repair,bicycles,trains,canals,bridges,windmills,castles,
cooking,baking,bread,cheese,chocolate,beer,wine,tea,coffee,street food,
running,yoga,climbing,swimming,skating,football,chess,board games,video games,robotics,
birds,bees,butterflies,trees,mushrooms,wild flowers,rivers,night walks,beekeeping,orchards,
novels,crime fiction,comics,children’s books,languages,translation,radio,podcasts,journalism,café culture`)

// The people of the calendar.
var (
	firstNames = words(`Anna,Bram,Céline,Daan,Elif,Femke,Gaëlle,Hugo,Ines,Jonas,Karim,Lotte,Marta,Noah,Olivia,Pieter,Quinten,Rosa,Samira,Théo,
Ursula,Victor,Wout,Xavier,Yara,Zoë,Arthur,Brigitte,Clara,David,Esther,Finn,Greta,Hannah,Ilse,Jef,Kobe,Louise,Milan,Nele`)
	lastNames = words(`Aerts,Baert,Claes,Dubois,Evrard,Fontaine,Goossens,Hermans,Ivens,Jacobs,Krüger,Lambert,Maes,Nijs,O’Brien,Peeters,Quirijnen,
Renard,Smets,Thys,Urbain,Vermeulen,Willems,Yilmaz,Zeegers,Adams,Bell,Carter,Dawson,Ellis,Ferrari,Garcia,Hughes,Ito,Jensen,Kowalski,Larsen,Moreau,Novák,Okafor`)
)

// towns and what stands in them.
var (
	towns = words(`Aalbeke,Berghem,Corvaux,Dalenburg,Elzenburg,Fontigny,Grimwater,Hoogveld,Ijzerdam,Jonkerhove,Kastelbrug,Lindenoord,Montclair,Nieuwhaven,
Oudekerke,Pontrieux,Querbeke,Ravenstad,Sint-Jansdal,Tervelde,Ulmenberg,Valombre,Westmeer,Yvoire,Zandhoek,Ardenvoort,Beaumarais,Château-Vert,Drongelen,Eikenrode,
Florenbeek,Gerardsvoorde,Heuvelland,Isenberg,Klaverdijk,Lavandière,Meerhout,Noordgouwe,Orval-le-Pré,Poelwijk`)
	halls = words(`Town Hall,City Theatre,Public Library,Cultural Centre,Concert Hall,Old Mill,St Martin’s Church,Sports Hall,Botanical Garden,Museum of Art,
Market Square,Arts Cinema,Castle Park,Community House,Railway Depot,Harbour Warehouse,Academy of Music,Scout Hut,Brewery & Taproom,Abbey,Youth Club,Open-air Stage,
Conference Centre,Bookshop Café,Observatory`)
	streets   = words(`Station Street,Church Lane,Mill Road,Market Place,Castle Avenue,Harbour Quay,Rue de la Fontaine,Kerkstraat,Molenweg,Linden Alley`)
	countries = words(`Belgium,Netherlands,France,Luxembourg`)
	societies = words(`Friends of,Association for,Foundation,Festival of`)
)

// openers begin a title.
var openers = words(`An evening of,Introduction to,A night of,The world of,Discover,Weekend of,Festival of,Masterclass:,Open day:,Workshop:,Lecture:,A walk through,
Celebrating,The art of,Family day:,Exhibition:,Debate:,In conversation about,Get started with,The long history of,The future of,Summer school:,Living,Rediscovering`)

// closers end one.
var closers = words(`in the park,by candlelight,for everyone,on Sunday,after dark,at noon,under the stars,with dinner,for the whole family,on the water,
in five stories,without borders,revisited,unplugged,from A to Z,then and now`)
