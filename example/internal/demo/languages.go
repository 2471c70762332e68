package demo

// language is one in which the town publishes its calendar.
type language struct {
	code, name   string
	locale, flag string
	town         string // what the town is called in it
	country      string
}

// languages are those of the site, its default one first.
var languages = []language{
	{"en", "English", "en_GB", "gb", "Elzenburg", "Belgium"},
	{"nl", "Nederlands", "nl_BE", "be", "Elzenburg", "België"},
	{"fr", "Français", "fr_BE", "be", "Aulnebourg", "Belgique"},
}
