package schema

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// LanguageForm says where a site stores the languages of its items.
type LanguageForm string

// The forms in which languages are stored.
const (
	LanguagesInTable LanguageForm = "table" // in the table icl_translations, as WPML does
	LanguagesInTerms LanguageForm = "terms" // as terms, as Polylang does
)

// Options with the settings of multilingual plugins.
const (
	OptionPolylang = "polylang"
	OptionWPML     = "icl_sitepress_settings"
)

// LanguageOptions are the names of the options that LanguagesOf needs. NetworkPlugins is an option of the multisite
// network, not of the site.
func LanguageOptions() []string {
	return []string{OptionPlugins, NetworkPlugins, OptionOwn, OptionPolylang, OptionWPML}
}

// languagePlugins are the files of the plugins that store languages in each form.
var languagePlugins = map[LanguageForm][]string{
	LanguagesInTable: {"sitepress-multilingual-cms/sitepress.php"},
	LanguagesInTerms: {"polylang/polylang.php", "polylang-pro/polylang.php"},
}

// LanguageSettings says which post types and taxonomies of a site have languages (D90), and how URLs of its pages
// contain them. The zero value is a site without languages.
type LanguageSettings struct {
	Active bool
	// By is the reason: the file of the active plugin, OptionOwn on a site that Agenda created, "" if the caller of
	// LanguagesOf decided it.
	By string
	// Every says that all post types and taxonomies have languages; otherwise those in Kinds have.
	Every bool
	Kinds []string

	Addresses LanguageAddresses
}

// Has reports whether the items of a post type or taxonomy have languages. Other items belong to all languages.
func (s *LanguageSettings) Has(kind string) bool {
	return s.Active && (s.Every || slices.Contains(s.Kinds, kind))
}

// LanguagesOf returns the language settings of a site that stores languages in a form, given its options. If no plugin
// of that form is active, the site has no languages, unless Agenda created it or every says that all post types and
// taxonomies have languages.
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
		s.readWPML(phpval.ArrayOf(options[OptionWPML]))
	} else {
		s.readPolylang(phpval.ArrayOf(options[OptionPolylang]), plugin >= 0)
	}
	return s
}

// readPolylang reads Polylang's option. Polylang always translates WordPress's own post types and taxonomies, including
// tags.
func (s *LanguageSettings) readPolylang(settings *phpval.Array, active bool) {
	s.Kinds = []string{"post", "page", "category", "post_tag"}
	for _, name := range []string{"post_types", "taxonomies"} {
		for _, kind := range settings.ArrayAt(name).All() {
			s.Kinds = append(s.Kinds, phpval.Text(kind))
		}
	}
	flag := func(name string) bool {
		v, stored := settings.Get(name)
		return !stored || phpval.Truthy(v)
	}
	a := &s.Addresses
	a.Default, a.HideDefault = languageSlug(phpval.Text(settings.At("default_lang"))), flag("hide_default")
	form, stored := settings.Get("force_lang")
	switch {
	case !stored && active: // the default of a new installation
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
	if a.Form == LanguageInDomain {
		a.readDomains(settings.ArrayAt("domains"))
	}
}

// polylangForms maps the values of the setting force_lang; 0 means URLs without languages.
var polylangForms = map[int64]LanguageAddress{1: LanguageInPath, 2: LanguageInSubdomain, 3: LanguageInDomain}

// readWPML reads WPML's option. If it does not say which post types and taxonomies are translated, those in WPML's
// table are.
func (s *LanguageSettings) readWPML(settings *phpval.Array) {
	known := false
	for _, name := range []string{"custom_posts_sync_option", "taxonomies_sync_option"} {
		_, stored := settings.Get(name)
		known = known || stored
		for kind, how := range settings.ArrayAt(name).All() {
			if phpval.Int(how) > 0 {
				s.Kinds = append(s.Kinds, kind.String())
			}
		}
	}
	if s.Every = s.Every || !known; s.Every {
		s.Kinds = nil
	}
	a := &s.Addresses
	a.Default, a.HideDefault = languageSlug(phpval.Text(settings.At("default_language"))), true
	switch phpval.Int(settings.At("language_negotiation_type")) {
	case 1:
		a.Form = LanguageInPath
		a.HideDefault = !phpval.Truthy(settings.ArrayAt("urls").At("directory_for_default_language"))
	case 2:
		a.Form = LanguageInDomain
		a.readDomains(settings.ArrayAt("language_domains"))
	case 3:
		a.Form = LanguageInQuery
	}
	a.Plain = a.Form
}

// languageSlug returns a language code in lower case without spaces around it.
func languageSlug(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
