package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// polyglot is a small site in Dutch, English and French, with Dutch as the default language. It stores the languages of
// its items in one of two forms.
type polyglot struct{ *bench }

var polyglotForms = []string{"table", "terms"}

// inForms runs a test on a polyglot site of each form.
func inForms(t *testing.T, e Engine, test func(*testing.T, *polyglot)) {
	for _, form := range polyglotForms {
		t.Run(form, func(t *testing.T) {
			p := newPolyglot(t, e, form)
			p.mount(calendar.Options{})
			test(t, p)
		})
	}
}

// newPolyglot returns a site with the items of the case files, and those of a bench, which have no language.
func newPolyglot(t *testing.T, e Engine, form string) *polyglot {
	p := &polyglot{newBench(t, e)}
	p.storeLanguages(form)
	s := newScript(t, e)
	s.site = p.site
	s.playAll(section("site polyglot"))
	return p
}

// storeLanguages makes a site multilingual. form is "table" or "terms".
func (s *site) storeLanguages(form string) {
	s.T.Helper()
	s.form, s.groups = form, 40
	plugin := map[string]string{"table": "sitepress-multilingual-cms/sitepress.php", "terms": "polylang/polylang.php"}[form]
	s.option(schema.OptionPlugins, fmt.Sprintf(`a:1:{i:0;s:%d:"%s";}`, len(plugin), plugin))
	if form == "table" {
		s.Exec(translationTable[s.DB.Dialect().Name() == dialect.MySQL])
		s.option("icl_sitepress_settings", `a:2:{s:16:"default_language";s:2:"nl";s:1:"x";b:1;}`)
		return
	}
	s.option("polylang", polylang("nl", 0))
	for _, code := range []string{"nl", "en", "fr"} {
		s.place("language", "language "+code, code)
	}
	// The slugs of languages may have a prefix.
	for _, slug := range []string{"pll_nl", "pll_en", "fr"} {
		s.place("term_language", "term_language "+strings.TrimPrefix(slug, "pll_"), slug)
	}
}

// polylang returns the settings of Polylang on a site that translates all resources: its default language, and where
// URLs contain the language.
func polylang(code string, form int) string {
	return fmt.Sprintf(`a:4:{s:12:"default_lang";s:%d:"%s";s:10:"force_lang";i:%d;`+
		`s:10:"post_types";a:3:{i:0;s:12:"tribe_events";i:1;s:11:"tribe_venue";i:2;s:15:"tribe_organizer";}`+
		`s:10:"taxonomies";a:1:{i:0;s:16:"tribe_events_cat";}}`, len(code), code, form)
}

// translationTable contains the table as its plugin creates it, on MySQL and on SQLite. Its collation may differ from
// that of other tables.
var translationTable = map[bool]string{
	true: `CREATE TABLE ?(prefix)icl_translations (
		translation_id bigint(20) NOT NULL AUTO_INCREMENT, element_type varchar(60) NOT NULL DEFAULT 'post_post',
		element_id bigint(20) DEFAULT NULL, trid bigint(20) NOT NULL, language_code varchar(7) NOT NULL,
		source_language_code varchar(7) DEFAULT NULL, PRIMARY KEY (translation_id), UNIQUE KEY el_type_id (element_type, element_id),
		UNIQUE KEY trid_lang (trid, language_code), KEY trid (trid), KEY id_type_language (element_id, element_type, language_code)
	) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
	false: `CREATE TABLE ?(prefix)icl_translations (
		translation_id INTEGER PRIMARY KEY AUTOINCREMENT, element_type TEXT NOT NULL DEFAULT 'post_post', element_id INTEGER,
		trid INTEGER NOT NULL, language_code TEXT NOT NULL, source_language_code TEXT,
		UNIQUE (element_type, element_id), UNIQUE (trid, language_code))`,
}

// place inserts a term under a name for tests that differs from its slug.
func (s *site) place(taxonomy, name, slug string) {
	s.T.Helper()
	s.term(taxonomy, name, name, "")
	s.Exec("UPDATE ?(prefix)terms SET slug = ? WHERE term_id = ?", slug, s.idOf(name))
}

// group stores the languages of an item's translations: "nl feest, fr fete". The first is the original.
func (s *site) group(kind, versions string) {
	s.T.Helper()
	s.groups++
	ids := map[string]int64{}
	original := ""
	for v := range strings.SplitSeq(versions, ", ") {
		code, slug, _ := strings.Cut(v, " ")
		ids[code] = s.idOf(slug)
		if s.form == "terms" {
			s.classify(kind, code, s.idOf(slug))
			continue
		}
		element, id := "post_"+kind, s.idOf(slug)
		if isTaxonomy(kind) {
			element, id = "tax_"+kind, id+termShift
		}
		s.Exec("INSERT INTO ?(prefix)icl_translations (element_type, element_id, trid, language_code, source_language_code) "+
			"VALUES (?, ?, ?, ?, NULLIF(?, ''))", element, id, s.groups, code, original)
		if original == "" {
			original = code
		}
	}
	if s.form == "terms" && (len(ids) > 1 || isTaxonomy(kind)) {
		s.list(kind, ids)
	}
}

func isTaxonomy(kind string) bool { return kind == "tribe_events_cat" || kind == "post_tag" }

func (s *site) classify(kind, code string, id int64) {
	s.T.Helper()
	if isTaxonomy(kind) {
		s.assign(id, "term_language "+code, true)
		return
	}
	published := s.Scan("SELECT ID FROM ?(prefix)posts WHERE ID = ? AND post_status = 'publish'", id)
	s.assign(id, "language "+code, len(published) > 0)
}

// list writes the term of a translation group.
func (s *site) list(kind string, ids map[string]int64) {
	s.T.Helper()
	name, taxonomy := "group "+itoa(s.groups), "post_translations"
	if isTaxonomy(kind) {
		taxonomy = "term_translations"
	}
	s.place(taxonomy, name, "pll_"+itoa(s.groups))
	members := &phpval.Array{}
	for _, code := range slices.Sorted(maps.Keys(ids)) {
		members.Set(phpval.StrKey(code), ids[code])
		s.assign(ids[code], name, true)
	}
	s.Exec("UPDATE ?(prefix)term_taxonomy SET description = ? WHERE term_id = ?", phpval.Serialize(members), s.idOf(name))
}

// languages contains the languages of the site.
var languages = []calendar.Language{
	{Tag: "nl", BaseURL: Site + "/wp-json"},
	{Tag: "en", BaseURL: Site + "/en/wp-json", SiteURL: Site + "/en"},
	{Tag: "fr", BaseURL: Site + "/fr/wp-json", SiteURL: Site + "/fr"},
}

func (p *polyglot) mount(opts calendar.Options) {
	p.T.Helper()
	if opts.Languages == nil {
		opts.Languages = languages
	}
	p.open(opts)
}

// sendTo sends a request to the root of a language.
func (p *polyglot) sendTo(method, language, path, as, body string) apitest.Answer {
	p.T.Helper()
	prefix := ""
	if language != "nl" {
		prefix = "/" + language
	}
	path = strings.Replace(Root, Site, Site+prefix, 1) + p.fill(path)
	return p.Do(as, method, path, p.fill(body))
}

func (p *polyglot) get(language, path string) apitest.Answer {
	p.T.Helper()
	return p.sendTo("GET", language, path, "", "")
}
