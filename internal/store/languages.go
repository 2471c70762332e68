package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Languages finds the languages of items, in the form in which the site stores them.
type Languages struct {
	db         *DB
	options    *Options
	form       Form // in which the site stores languages, "" for none
	every      bool // the Config named the form
	classified bool // the site has taxonomies whose objects are terms
}

// Form is a way in which sites store languages.
type Form string

// Forms of translations.
const (
	// TableForm is WPML's table icl_translations: a row for each item, with its language and the number of its
	// translation group.
	TableForm = Form(schema.LanguagesInTable)
	// TermsForm is Polylang's: terms of the taxonomy language on posts and of term_language on terms, and for each
	// translation group a term that lists its versions.
	TermsForm = Form(schema.LanguagesInTerms)

	// AnyForm is the form that a site has and whose plugin is active, TableForm if both are. A site without either is
	// not an error.
	AnyForm Form = "any"
	// UnusedForm ignores languages, even if the site stores them.
	UnusedForm Form = "unused"
)

// ErrNoTranslations means that a site does not store languages in the form of a Config.
var ErrNoTranslations = errors.New("store: the site does not store translations in this form")

// Taxonomies of TermsForm. The objects of the last two are terms, not posts.
const (
	TaxLanguage     = "language"
	TaxPostGroup    = "post_translations"
	TaxTermLanguage = "term_language"
	TaxTermGroup    = "term_translations"
)

// termTaxonomies are assigned to terms, whose ids may equal those of posts.
var termTaxonomies = []string{TaxTermLanguage, TaxTermGroup}

// slugPrefix is the prefix of the slugs of some terms of languages.
const slugPrefix = "pll_"

// LanguageFilter selects the items of one language; the zero value selects all.
type LanguageFilter struct {
	Code    string
	Default bool // includes the items for which no language is stored
}

// find finds the form in which the site stores languages, and whether the objects of some taxonomies are terms, whose
// ids may equal those of posts.
func (s *Languages) find(ctx context.Context, wanted Form) error {
	if wanted == "" {
		return nil
	}
	forms, err := s.forms(ctx)
	switch {
	case err != nil || wanted == UnusedForm:
		return err
	case wanted != AnyForm && !slices.Contains(forms, wanted):
		return ErrNoTranslations
	case wanted != AnyForm:
		s.form, s.every = wanted, true
		return nil
	case len(forms) == 0:
		return nil
	}
	options, err := s.options.Values(ctx, schema.LanguageOptions())
	for _, form := range forms {
		if s.form == "" && schema.LanguagesOf(options, schema.LanguageForm(form), false).Active {
			s.form = form
		}
	}
	return err
}

// Form returns the form in which the site's languages are read and written, "" for none. every says that all types have
// languages, because the Config named the form.
func (s *Languages) Form() (form schema.LanguageForm, every bool) {
	return schema.LanguageForm(s.form), s.every
}

// Translated reports whether the site's languages are read and written.
func (s *Languages) Translated() bool { return s.form != "" }

// forms returns the forms in which the site stores languages.
func (s *Languages) forms(ctx context.Context) (forms []Form, err error) {
	_, err = IDs(ctx, s.db.Select().From(TableTranslations, "").Column("trid").Where("1 = 0"))
	switch {
	case err == nil:
		forms = append(forms, TableForm)
	case !dberr.IsNoTable(err):
		return nil, err
	}
	found := map[string]bool{}
	q := s.db.Select().From(TableTermTaxonomy, "").ColumnExpr("DISTINCT taxonomy").
		Where("taxonomy IN (?)", bun.List(append([]string{TaxLanguage, TaxPostGroup}, termTaxonomies...)))
	err = eachValue(ctx, q, func(taxonomy string) { found[taxonomy] = true })
	s.classified = found[TaxTermLanguage] || found[TaxTermGroup]
	if err != nil || !found[TaxLanguage] {
		return forms, err
	}
	// A site may use a taxonomy of this name for another purpose.
	ours := len(found) > 1
	if !ours {
		options, err := s.options.Values(ctx, []string{schema.OptionPolylang})
		if err != nil {
			return nil, err
		}
		_, ours = options[schema.OptionPolylang]
	}
	if ours {
		s.classified = true
		forms = append(forms, TermsForm)
	}
	return forms, nil
}

// Default returns the code of the site's default language, "" if its settings contain none or its items have no
// languages.
func (s *Languages) Default(ctx context.Context) (string, error) {
	if s.form == "" {
		return "", nil
	}
	name, member := schema.OptionWPML, "default_language"
	if s.form == TermsForm {
		name, member = schema.OptionPolylang, "default_lang"
	}
	options, err := s.options.Values(ctx, []string{name})
	if err != nil {
		return "", err
	}
	stored, _ := phpval.Unserialize(options[name])
	settings, _ := stored.(*phpval.Array)
	code, _ := settings.Get(member)
	return LanguageCode(phpval.Text(code)), nil
}

// Stored returns the codes of the site's languages, the default one first, and none if its items have no languages.
func (s *Languages) Stored(ctx context.Context) ([]string, error) {
	if s.form == "" {
		return nil, nil
	}
	first, err := s.Default(ctx)
	if err != nil {
		return nil, err
	}
	q := s.db.Select().From(TableTranslations, "").ColumnExpr("language_code").Group("language_code").Order("language_code")
	if s.form == TermsForm {
		q = s.db.Select().From(TableTerms, "t").Join("JOIN", TableTermTaxonomy, "x", "x.term_id = t.term_id").
			Column("t.slug").Where("x.taxonomy = ?", TaxLanguage).Order("t.term_group", "t.term_id")
	}
	var codes []string
	if first != "" {
		codes = append(codes, first)
	}
	err = eachValue(ctx, q, func(stored sql.NullString) {
		if code := LanguageCode(stored.String); code != "" && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	})
	return codes, err
}

// LanguageCode returns the code of a stored language.
func LanguageCode(text string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), slugPrefix)
}

// LanguageSlugs returns the slugs that the term of a language may have.
func LanguageSlugs(code string) bun.ListValues { return bun.List([]string{code, slugPrefix + code}) }

// InLanguage restricts a query to the posts of a type that are in a language; id is the column with their id.
func (s *Languages) InLanguage(q *Query, in LanguageFilter, postType string, id bun.Ident) *Query {
	if where, rows := s.condition(in, "post_"+postType, TaxLanguage, id); rows != nil {
		return q.Where(where, rows)
	}
	return q
}

// InLanguageOneByOne is InLanguage for the posts p, evaluated for each of them: the server would convert EXISTS to a
// list of all posts in the language.
func (s *Languages) InLanguageOneByOne(q *Query, in LanguageFilter, postType string) *Query {
	_, rows := s.condition(in, "post_"+postType, TaxLanguage, "p.ID")
	switch {
	case rows == nil:
		return q
	case in.Default:
		return q.Where("(?) IS NULL", rows.Limit(1))
	}
	return q.Where("(?) IS NOT NULL", rows.Limit(1))
}

// termLanguage returns a condition on terms of a taxonomy and the subquery that it refers to, nil if there is no
// condition.
func (s *Languages) termLanguage(in LanguageFilter, taxonomy string) (where string, rows *Query) {
	id := bun.Ident("tt.term_taxonomy_id")
	if s.form == TermsForm {
		id = "t.term_id"
	}
	return s.condition(in, "tax_"+taxonomy, TaxTermLanguage, id)
}

// condition returns a condition on items: an item is in the default language unless it is in another one.
func (s *Languages) condition(in LanguageFilter, element, taxonomy string, id bun.Ident) (where string, rows *Query) {
	if in.Code == "" || s.form == "" {
		return "", nil
	}
	where = exists(!in.Default)
	rows = s.db.Select().ColumnExpr("1")
	if s.form == TableForm {
		rows = rows.From(TableTranslations, "il").Where("il.element_type = ?", element).Where("il.element_id = ?", id)
		if in.Default {
			return where, rows.Where("il.language_code <> ?", in.Code)
		}
		return where, rows.Where("il.language_code = ?", in.Code)
	}
	rows = rows.From(TableTermRelationships, "lr").
		Join("JOIN", TableTermTaxonomy, "lt", "lt.term_taxonomy_id = lr.term_taxonomy_id").
		Join("JOIN", TableTerms, "ln", "ln.term_id = lt.term_id").
		Where("lr.object_id = ?", id).Where("lt.taxonomy = ?", taxonomy)
	if in.Default {
		return where, rows.Where("ln.slug NOT IN (?)", LanguageSlugs(in.Code))
	}
	return where, rows.Where("ln.slug IN (?)", LanguageSlugs(in.Code))
}

// ofPosts restricts a query to the rows that assign terms to posts; in other rows the object is a term.
func (s *Languages) ofPosts(q *Query) *Query {
	if !s.classified {
		return q
	}
	return q.Where("tt.taxonomy NOT IN (?)", bun.List(append(slices.Clone(termTaxonomies), TaxPostGroup)))
}

// ofPost restricts a deletion to rows that belong to the deleted posts: it keeps the rows of terms with the same ids.
// It also keeps the languages of posts, which ForgetPost removes; if the plugin that stores them is not active, they
// stay.
func (s *Languages) ofPost(q *bun.DeleteQuery) *bun.DeleteQuery {
	if !s.classified {
		return q
	}
	return q.Where("term_taxonomy_id NOT IN (?)", s.db.Select().From(TableTermTaxonomy, "").
		Column("term_taxonomy_id").Where("taxonomy IN (?)", bun.List(slices.Concat(termTaxonomies, []string{TaxLanguage, TaxPostGroup}))))
}
