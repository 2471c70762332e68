package schema

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// LanguageForm is where a site stores the languages of its items.
type LanguageForm string

// Forms of languages.
const (
	LanguagesInTable LanguageForm = "table" // icl_translations, as WPML does
	LanguagesInTerms LanguageForm = "terms" // as Polylang does
)

// Options with the settings of the plugins that store languages.
const (
	OptionPolylang = "polylang"
	OptionWPML     = "icl_sitepress_settings"
)

// LanguageOptions are the names of the options that LanguagesOf needs. NetworkPlugins is none of the site's options.
func LanguageOptions() []string {
	return []string{OptionPlugins, NetworkPlugins, OptionOwn, OptionPolylang, OptionWPML}
}

// languagePlugins are the plugins that store languages in a form.
var languagePlugins = map[LanguageForm][]string{
	LanguagesInTable: {"sitepress-multilingual-cms/sitepress.php"},
	LanguagesInTerms: {"polylang/polylang.php", "polylang-pro/polylang.php"},
}

// LanguageSettings say which kinds of items of a site have languages (D90), and how the addresses of its pages name them.
// Those of a site without languages are zero.
type LanguageSettings struct {
	Active bool
	// By is why: the file of the plugin that is active, OptionOwn on a site of our own, "" where the caller says so.
	By string
	// Every says that all kinds have languages; else Kinds are the post types and taxonomies that have.
	Every bool
	Kinds []string

	Addresses LanguageAddresses
}

// Has reports whether the items of a post type or taxonomy have languages. All others belong to every language.
func (s *LanguageSettings) Has(kind string) bool {
	return s.Active && (s.Every || slices.Contains(s.Kinds, kind))
}

// LanguagesOf returns the language settings of a site that stores languages in a form, by its options. Without the plugin
// of the form active there are none, but on a site of our own, and where every says that all kinds have languages.
func LanguagesOf(options map[string]string, form LanguageForm, every bool) (s LanguageSettings) {
	files := ActivePlugins(options)
	plugin := slices.IndexFunc(files, func(file string) bool { return slices.Contains(languagePlugins[form], file) })
	switch {
	case form == "":
		return s
	case every:
		s.Every = true
	case wp.Truthy(options[OptionOwn]):
		s.Every, s.By = true, OptionOwn
	case plugin >= 0:
		s.By = files[plugin]
	default:
		return s
	}
	s.Active = true
	if form == LanguagesInTable {
		s.readWPML(settingsOf(options[OptionWPML]))
	} else {
		s.readPolylang(settingsOf(options[OptionPolylang]), plugin >= 0)
	}
	return s
}

// settingsOf reads an array that an option has; that of an option that does not exist is empty.
func settingsOf(stored string) *phpval.Array {
	v, _ := phpval.Unserialize(stored)
	settings, _ := v.(*phpval.Array)
	return settings
}

// member returns a member of an array that is an array itself, empty where it is something else.
func member(settings *phpval.Array, name string) (list *phpval.Array, stored bool) {
	v, stored := settings.Get(name)
	list, _ = v.(*phpval.Array)
	return list, stored
}

// readPolylang reads the option of Polylang, which always translates what WordPress itself has: tags.
func (s *LanguageSettings) readPolylang(settings *phpval.Array, active bool) {
	s.Kinds = []string{"post", "page", "category", "post_tag"}
	for _, name := range []string{"post_types", "taxonomies"} {
		list, _ := member(settings, name)
		for _, kind := range list.All() {
			s.Kinds = append(s.Kinds, phpval.Text(kind))
		}
	}
	flag := func(name string) bool {
		v, stored := settings.Get(name)
		return !stored || phpval.Truthy(v)
	}
	a := &s.Addresses
	v, _ := settings.Get("default_lang")
	a.Default, a.HideDefault = languageSlug(phpval.Text(v)), flag("hide_default")
	form, stored := settings.Get("force_lang")
	switch {
	case !stored && active: // the value of a new installation
		a.Form = LanguageInPath
	case stored:
		a.Form = polylangForms[phpval.Int(form)]
	}
	a.Plain = LanguageInQuery
	if a.Form == "" {
		a.Plain = ""
	}
	if a.Form == LanguageInPath && !flag("rewrite") {
		a.Prefix = "language/"
	}
	if domains, _ := member(settings, "domains"); a.Form == LanguageInDomain {
		a.readDomains(domains)
	}
}

// polylangForms are the values of force_lang; 0 are addresses without languages.
var polylangForms = map[int64]LanguageAddress{1: LanguageInPath, 2: LanguageInSubdomain, 3: LanguageInDomain}

// readWPML reads the option of WPML. Where it does not say which kinds are translated, those in its table are.
func (s *LanguageSettings) readWPML(settings *phpval.Array) {
	known := false
	for _, name := range []string{"custom_posts_sync_option", "taxonomies_sync_option"} {
		list, stored := member(settings, name)
		known = known || stored
		for kind, how := range list.All() {
			if phpval.Int(how) > 0 {
				s.Kinds = append(s.Kinds, kind.String())
			}
		}
	}
	if s.Every = s.Every || !known; s.Every {
		s.Kinds = nil
	}
	a := &s.Addresses
	v, _ := settings.Get("default_language")
	a.Default, a.HideDefault = languageSlug(phpval.Text(v)), true
	form, _ := settings.Get("language_negotiation_type")
	switch phpval.Int(form) {
	case 1:
		a.Form = LanguageInPath
		urls, _ := member(settings, "urls")
		directory, _ := urls.Get("directory_for_default_language")
		a.HideDefault = !phpval.Truthy(directory)
	case 2:
		a.Form = LanguageInDomain
		domains, _ := member(settings, "language_domains")
		a.readDomains(domains)
	case 3:
		a.Form = LanguageInQuery
	}
	a.Plain = a.Form
}

// languageSlug returns the code of a stored language.
func languageSlug(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
