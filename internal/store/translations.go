package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Form is a way in which sites store the languages of their items.
type Form string

// Forms of translations.
const (
	// TableForm is a table of its own, icl_translations: a row for each item,
	// with its language and the number of the group of its versions.
	TableForm Form = "table"
	// TermsForm is terms: of the taxonomy language on posts, of term_language on
	// terms, and a term for each group that lists its versions.
	TermsForm Form = "terms"
)

// Taxonomies of TermsForm. Rows of the last two hold, as the object's id, that
// of a term and not of a post.
const (
	taxLanguage     = "language"
	taxPostGroup    = "post_translations"
	taxTermLanguage = "term_language"
	taxTermGroup    = "term_translations"
)

// termTaxonomies classify terms, whose ids may be those of posts.
var termTaxonomies = []string{taxTermLanguage, taxTermGroup}

// slugPrefix begins the slugs of some terms of languages, and the names of
// groups.
const slugPrefix = "pll_"

// Spoken selects the items of one language; the zero Spoken selects all.
type LanguageFilter struct {
	Code    string
	Default bool // items whose language is not recorded count too
}

// FindTranslations tells in which forms the site stores the languages of its
// items. It is to be called before the Store is used: what it finds tells terms
// and posts apart that have the same id.
func (s *Store) FindTranslations(ctx context.Context) (forms []Form, err error) {
	err = Each(ctx, s.db.NewSelect().TableExpr("?(prefix)icl_translations").Column("trid").Where("1 = 0"),
		func(*sql.Rows) error { return nil })
	switch {
	case err == nil:
		forms = append(forms, TableForm)
	case !noTable(err):
		return nil, err
	}
	found := map[string]bool{}
	q := s.db.NewSelect().TableExpr("?(prefix)term_taxonomy").ColumnExpr("DISTINCT taxonomy").
		Where("taxonomy IN (?)", bun.List(append([]string{taxLanguage, taxPostGroup}, termTaxonomies...)))
	err = Each(ctx, q, func(r *sql.Rows) error {
		var taxonomy string
		err := r.Scan(&taxonomy)
		found[taxonomy] = true
		return err
	})
	s.classified = found[taxTermLanguage] || found[taxTermGroup]
	if err != nil || !found[taxLanguage] {
		return forms, err
	}
	// A site may have a taxonomy of this name for purposes of its own.
	ours := len(found) > 1
	if !ours {
		options, err := s.Options(ctx, []string{optionTerms})
		if err != nil {
			return nil, err
		}
		_, ours = options[optionTerms]
	}
	if ours {
		s.classified = true
		forms = append(forms, TermsForm)
	}
	return forms, nil
}

// UseTranslations makes the Store read and write languages in a form.
func (s *Store) UseTranslations(f Form) { s.form = f }

// Options in which the settings of the two forms are stored.
const (
	optionTable = "icl_sitepress_settings"
	optionTerms = "polylang"
)

// DefaultLanguage is the code of the language that the site's settings call
// its default, "" if they do not tell.
func (s *Store) DefaultLanguage(ctx context.Context) (string, error) {
	name, member := optionTable, "default_language"
	if s.form == TermsForm {
		name, member = optionTerms, "default_lang"
	}
	options, err := s.Options(ctx, []string{name})
	if err != nil {
		return "", err
	}
	stored, _ := phpval.Unserialize(options[name])
	settings, _ := stored.(*phpval.Array)
	code, _ := settings.Get(member)
	return languageCode(phpval.Text(code)), nil
}

// languageCode is the code that a stored text stands for.
func languageCode(text string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), slugPrefix)
}

// slugsOf are the slugs that a term of a language may have.
func slugsOf(code string) bun.ListValues { return bun.List([]string{code, slugPrefix + code}) }

// InLanguage keeps the posts of a type, by the column with their id, that are in a
// language.
func (s *Store) InLanguage(q *bun.SelectQuery, in LanguageFilter, postType string, id bun.Ident) *bun.SelectQuery {
	if where, rows := s.spoken(in, "post_"+postType, taxLanguage, id); rows != nil {
		return q.Where(where, rows)
	}
	return q
}

// InLanguageOneByOne is InLanguage of the posts p, looked up for each of them:
// EXISTS would be turned into a list of all that are in the language.
func (s *Store) InLanguageOneByOne(q *bun.SelectQuery, in LanguageFilter, postType string) *bun.SelectQuery {
	_, rows := s.spoken(in, "post_"+postType, taxLanguage, "p.ID")
	switch {
	case rows == nil:
		return q
	case in.Default:
		return q.Where("(?) IS NULL", rows.Limit(1))
	}
	return q.Where("(?) IS NOT NULL", rows.Limit(1))
}

// spokenTerm is a condition on terms of a taxonomy and the rows that it is
// about, nil if there is none.
func (s *Store) spokenTerm(in LanguageFilter, taxonomy string) (where string, rows *bun.SelectQuery) {
	id := bun.Ident("tt.term_taxonomy_id")
	if s.form == TermsForm {
		id = "t.term_id"
	}
	return s.spoken(in, "tax_"+taxonomy, taxTermLanguage, id)
}

// spoken: an item is in the default language unless it is in another one.
func (s *Store) spoken(in LanguageFilter, element, taxonomy string, id bun.Ident) (where string, rows *bun.SelectQuery) {
	if in.Code == "" || s.form == "" {
		return "", nil
	}
	where = "EXISTS (?)"
	if in.Default {
		where = "NOT EXISTS (?)"
	}
	rows = s.db.NewSelect().ColumnExpr("1")
	if s.form == TableForm {
		rows = rows.TableExpr("?(prefix)icl_translations AS il").Where("il.element_type = ?", element).Where("il.element_id = ?", id)
		if in.Default {
			return where, rows.Where("il.language_code <> ?", in.Code)
		}
		return where, rows.Where("il.language_code = ?", in.Code)
	}
	rows = rows.TableExpr("?(prefix)term_relationships AS lr").
		Join("JOIN ?(prefix)term_taxonomy AS lt ON lt.term_taxonomy_id = lr.term_taxonomy_id").
		Join("JOIN ?(prefix)terms AS ln ON ln.term_id = lt.term_id").
		Where("lr.object_id = ?", id).Where("lt.taxonomy = ?", taxonomy)
	if in.Default {
		return where, rows.Where("ln.slug NOT IN (?)", slugsOf(in.Code))
	}
	return where, rows.Where("ln.slug IN (?)", slugsOf(in.Code))
}

// ofPosts keeps, of the rows that attach terms, those of posts: in others the
// id of the object is that of a term.
func (s *Store) ofPosts(q *bun.SelectQuery) *bun.SelectQuery {
	if !s.classified {
		return q
	}
	return q.Where("tt.taxonomy NOT IN (?)", bun.List(append(slices.Clone(termTaxonomies), taxPostGroup)))
}
