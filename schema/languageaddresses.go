package schema

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// LanguageAddress is where an address of a site names the language of its page.
type LanguageAddress string

// Places of languages in addresses; "" for none.
const (
	LanguageInPath      LanguageAddress = "path"
	LanguageInSubdomain LanguageAddress = "subdomain"
	LanguageInDomain    LanguageAddress = "domain"
	LanguageInQuery     LanguageAddress = "query"
)

// LanguageAddresses say how the addresses of a site's pages name languages.
type LanguageAddresses struct {
	Form        LanguageAddress
	Plain       LanguageAddress // of a site without permalinks
	Default     string          // code of the site's default language
	HideDefault bool            // which is not named
	Prefix      string          // before codes in paths: "language/"
	Domains     map[string]string
}

// LanguagePlace is what the address of a page has of its language.
type LanguagePlace struct {
	Host  string // instead of the site's own, "" for that
	Path  string // below the site's root, such as "fr"
	Query string // such as "lang=fr"
}

// readDomains reads the host of each language.
func (a *LanguageAddresses) readDomains(domains *phpval.Array) {
	a.Domains = map[string]string{}
	for code, address := range domains.All() {
		host := phpval.Text(address)
		if _, after, ok := strings.Cut(host, "://"); ok {
			host = after
		}
		if host, _, _ = strings.Cut(host, "/"); host != "" {
			a.Domains[languageSlug(code.String())] = host
		}
	}
}

// Of returns what the addresses of pages in a language have of it: home is the address of the site, and plain says that it
// has no permalinks.
func (a *LanguageAddresses) Of(code, home string, plain bool) (p LanguagePlace) {
	form := a.Form
	if plain {
		form = a.Plain
	}
	hidden := code == "" || a.HideDefault && code == a.Default
	switch {
	case form == LanguageInDomain:
		p.Host = a.Domains[code]
	case hidden:
	case form == LanguageInPath:
		p.Path = a.Prefix + code
	case form == LanguageInQuery:
		p.Query = "lang=" + code
	case form == LanguageInSubdomain:
		_, host, _ := strings.Cut(home, "://")
		host, _, _ = strings.Cut(host, "/")
		p.Host = code + "." + strings.TrimPrefix(host, "www.")
	}
	return p
}
