package schema

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// LanguageAddress says where URLs of a site contain the language of a page.
type LanguageAddress string

// The places of languages in URLs; "" means nowhere.
const (
	LanguageInPath      LanguageAddress = "path"
	LanguageInSubdomain LanguageAddress = "subdomain"
	LanguageInDomain    LanguageAddress = "domain"
	LanguageInQuery     LanguageAddress = "query"
)

// LanguageAddresses describes how URLs of a site's pages contain languages.
type LanguageAddresses struct {
	Form        LanguageAddress
	Plain       LanguageAddress // without pretty permalinks
	Default     string          // code of the site's default language
	HideDefault bool            // URLs do not contain the default language
	Prefix      string          // before codes in paths, such as "language/"
	Domains     map[string]string
}

// LanguagePlace contains the parts of a page's URL that depend on its language.
type LanguagePlace struct {
	Host  string // instead of the site's host; "" for that of the site
	Path  string // after the site's root, such as "fr"
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

// Place returns the parts of a page's URL that depend on its language, given by its code. home is the URL of the site.
// plain means that the site has no pretty permalinks.
func (a *LanguageAddresses) Place(code, home string, plain bool) (p LanguagePlace) {
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
