package contract

import (
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

// polyglot is a small site in Dutch, English and French, Dutch being its
// default, that stores the languages of its items in one of two forms.
type polyglot struct {
	*bench
	form   string // "table" or "terms"
	groups int64
}

var polyglotForms = []string{"table", "terms"}

// inForms runs a test on a polyglot site of each form.
func inForms(t *testing.T, e Engine, test func(*testing.T, *polyglot)) {
	for _, form := range polyglotForms {
		t.Run(form, func(t *testing.T) {
			p := newPolyglot(t, e, form)
			p.furnish()
			p.mount(calendar.Options{})
			test(t, p)
		})
	}
}

// newPolyglot makes a site without items but those of a bench, which are in no
// language.
func newPolyglot(t *testing.T, e Engine, form string) *polyglot {
	p := &polyglot{bench: newBench(t, e), form: form, groups: 40}
	p.setUp(form)
	return p
}

func (p *polyglot) setUp(form string) {
	p.T.Helper()
	if form == "table" {
		p.Exec(translationTable[p.DB.Dialect().Name() == dialect.MySQL])
		p.option("icl_sitepress_settings", `a:2:{s:16:"default_language";s:2:"nl";s:1:"x";b:1;}`)
		return
	}
	p.option("polylang", `a:1:{s:12:"default_lang";s:2:"nl";}`)
	for _, code := range []string{"nl", "en", "fr"} {
		p.place("language", "language "+code, code)
	}
	// Their slugs have a prefix or not.
	for _, slug := range []string{"pll_nl", "pll_en", "fr"} {
		p.place("term_language", "term_language "+strings.TrimPrefix(slug, "pll_"), slug)
	}
}

// translationTable is the table as its plugin makes it, on MySQL and on SQLite.
// Its texts need not be ordered as those of other tables.
var translationTable = map[bool]string{
	true: "CREATE TABLE ?(prefix)icl_translations (translation_id bigint(20) NOT NULL AUTO_INCREMENT, element_type varchar(60) NOT NULL DEFAULT 'post_post', " +
		"element_id bigint(20) DEFAULT NULL, trid bigint(20) NOT NULL, language_code varchar(7) NOT NULL, source_language_code varchar(7) DEFAULT NULL, " +
		"PRIMARY KEY (translation_id), UNIQUE KEY el_type_id (element_type, element_id), UNIQUE KEY trid_lang (trid, language_code), KEY trid (trid), " +
		"KEY id_type_language (element_id, element_type, language_code)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci",
	false: "CREATE TABLE ?(prefix)icl_translations (translation_id INTEGER PRIMARY KEY AUTOINCREMENT, element_type TEXT NOT NULL DEFAULT 'post_post', " +
		"element_id INTEGER, trid INTEGER NOT NULL, language_code TEXT NOT NULL, source_language_code TEXT, UNIQUE (element_type, element_id), UNIQUE (trid, language_code))",
}

// place inserts a term under a name for tests that is not its slug.
func (p *polyglot) place(taxonomy, name, slug string) {
	p.T.Helper()
	p.term(taxonomy, name, name, "")
	p.Exec("UPDATE ?(prefix)terms SET slug = ? WHERE term_id = ?", slug, p.of(name))
}

// group records the languages of the versions of one item: "nl feest, fr fete".
// The first is the original.
func (p *polyglot) group(kind, versions string) {
	p.T.Helper()
	p.groups++
	ids := map[string]int64{}
	original := ""
	for v := range strings.SplitSeq(versions, ", ") {
		code, slug, _ := strings.Cut(v, " ")
		ids[code] = p.of(slug)
		if p.form == "terms" {
			p.classify(kind, code, p.of(slug))
			continue
		}
		element, id := "post_"+kind, p.of(slug)
		if isTaxonomy(kind) {
			element, id = "tax_"+kind, id+termShift
		}
		p.Exec("INSERT INTO ?(prefix)icl_translations (element_type, element_id, trid, language_code, source_language_code) VALUES (?, ?, ?, ?, NULLIF(?, ''))",
			element, id, p.groups, code, original)
		if original == "" {
			original = code
		}
	}
	if p.form == "terms" && (len(ids) > 1 || isTaxonomy(kind)) {
		p.list(kind, ids)
	}
}

func isTaxonomy(kind string) bool { return kind == "tribe_events_cat" || kind == "post_tag" }

func (p *polyglot) classify(kind, code string, id int64) {
	p.T.Helper()
	if isTaxonomy(kind) {
		p.assign(id, "term_language "+code, true)
		return
	}
	published := p.texts("SELECT ID FROM ?(prefix)posts WHERE ID = ? AND post_status = 'publish'", id)
	p.assign(id, "language "+code, len(published) > 0)
}

// list writes the term of a group.
func (p *polyglot) list(kind string, ids map[string]int64) {
	p.T.Helper()
	name, taxonomy := "group "+itoa(p.groups), "post_translations"
	if isTaxonomy(kind) {
		taxonomy = "term_translations"
	}
	p.place(taxonomy, name, "pll_"+itoa(p.groups))
	members := &phpval.Array{}
	for _, code := range slices.Sorted(maps.Keys(ids)) {
		members.Set(phpval.StrKey(code), ids[code])
		p.assign(ids[code], name, true)
	}
	p.Exec("UPDATE ?(prefix)term_taxonomy SET description = ? WHERE term_id = ?", phpval.Serialize(members), p.of(name))
}

// furnish fills the site.
func (p *polyglot) furnish() {
	p.T.Helper()
	for _, slug := range []string{"zaal", "salle", "hall", "kerk"} {
		p.venue(thing{slug: slug})
	}
	p.organizer(thing{slug: "vrienden"})
	p.organizer(thing{slug: "amis", status: schema.StatusDraft})
	for _, c := range [][2]string{{"muziek", ""}, {"rock", "muziek"}, {"music", ""}, {"musique", ""}, {"rock-fr", "musique"}, {"theater", ""}} {
		p.term("tribe_events_cat", c[0], c[0], c[1])
	}
	p.tags("gratis", "free", "gratuit")
	p.event(thing{slug: "feest", start: "2030-07-01 10:00", venues: []string{"zaal"}, organizers: []string{"vrienden"}, terms: []string{"muziek", "gratis"}})
	p.event(thing{slug: "party", start: "2030-07-01 10:00", venues: []string{"zaal"}, terms: []string{"music"}})
	p.event(thing{slug: "fete", start: "2030-07-01 10:00", venues: []string{"zaal"}, organizers: []string{"vrienden"}, terms: []string{"muziek", "theater", "gratis"}})
	p.event(thing{slug: "concert", start: "2030-07-02 10:00", venues: []string{"kerk"}, terms: []string{"rock", "cat"}})
	p.event(thing{slug: "soiree", start: "2030-07-03 10:00", venues: []string{"salle"}, terms: []string{"rock-fr"}})
	p.event(thing{slug: "plan", start: "2030-07-04 10:00", status: schema.StatusDraft})
	p.event(thing{slug: "zelfde", start: "2030-07-05 10:00", venues: []string{"hall"}})
	p.event(thing{slug: "pareil", start: "2030-07-06 10:00"})
	p.Exec("UPDATE ?(prefix)posts SET post_name = 'zelfde' WHERE ID = ?", p.of("pareil"))
	p.group("tribe_events", "nl feest, en party, fr fete")
	p.group("tribe_events", "fr soiree, nl plan")
	p.group("tribe_events", "fr pareil")
	p.group("tribe_venue", "nl zaal, fr salle")
	p.group("tribe_venue", "en hall")
	p.group("tribe_organizer", "nl vrienden, fr amis")
	p.group("tribe_events_cat", "nl muziek, en music, fr musique")
	p.group("tribe_events_cat", "nl rock, fr rock-fr")
	p.group("tribe_events_cat", "nl theater")
	p.group("post_tag", "nl gratis, en free, fr gratuit")
}

// tongues are the language versions of the site.
var tongues = []calendar.Language{
	{Tag: "nl", BaseURL: Site + "/wp-json"},
	{Tag: "en", BaseURL: Site + "/en/wp-json", SiteURL: Site + "/en"},
	{Tag: "fr", BaseURL: Site + "/fr/wp-json", SiteURL: Site + "/fr"},
}

func (p *polyglot) mount(opts calendar.Options) {
	p.T.Helper()
	if opts.Languages == nil {
		opts.Languages = tongues
	}
	p.open(opts)
}

// ask sends a request to the root of a language.
func (p *polyglot) ask(method, language, path, as, body string) apitest.Answer {
	p.T.Helper()
	prefix := ""
	if language != "nl" {
		prefix = "/" + language
	}
	path = strings.Replace(Root, Site, Site+prefix, 1) + p.fill(p.path(path))
	return p.Do(as, method, path, p.fill(body))
}

func (p *polyglot) get(language, path string) apitest.Answer {
	p.T.Helper()
	return p.ask("GET", language, path, "", "")
}

// want checks the summary of an anonymous read.
func (p *polyglot) want(language, path, want string) {
	p.T.Helper()
	if a := p.get(language, path); a.Summary() != want {
		p.T.Errorf("%s\n got  %s\n want %s", a.Request, a.Summary(), want)
	}
}
