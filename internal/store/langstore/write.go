package langstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// RecordPost records the language of a new post, which is the only member of its group.
func (s *Translations) RecordPost(ctx context.Context, postType string, id int64, code string) error {
	switch s.form() {
	case store.TableForm:
		return s.insert(ctx, "post_"+postType, id, code)
	case store.TermsForm:
		// In this form a post without translations has no group.
		language, err := s.languageTerm(ctx, store.TaxLanguage, code)
		if err != nil || language == 0 {
			return err
		}
		if err := s.store.Terms.Attach(ctx, id, []int64{language}, []int64{language}); err != nil {
			return err
		}
		return s.store.Terms.Recount(ctx, []int64{language})
	}
	return nil
}

// RecordTerm records the language of a new term, which is the only member of its group.
func (s *Translations) RecordTerm(ctx context.Context, t *store.TaxonomyTerm, code string) error {
	switch s.form() {
	case store.TableForm:
		return s.insert(ctx, "tax_"+t.Taxonomy, t.TaxonomyID, code)
	case store.TermsForm:
		language, err := s.languageTerm(ctx, store.TaxTermLanguage, code)
		if err != nil || language == 0 {
			return err
		}
		name := newGroupName()
		members := phpval.Members(code, t.ID)
		group := &store.TaxonomyTerm{Name: name, Slug: name, Taxonomy: store.TaxTermGroup, Description: phpval.Serialize(members)}
		if err := s.store.Terms.Insert(ctx, group); err != nil {
			return err
		}
		both := []int64{language, group.TaxonomyID}
		if err := s.store.Terms.Attach(ctx, t.ID, both, both); err != nil {
			return err
		}
		return s.store.Terms.RecountObjects(ctx, both)
	}
	return nil
}

// insert adds a row with a new group number. A row that another program left for an earlier element with this id is
// deleted.
func (s *Translations) insert(ctx context.Context, element string, id int64, code string) error {
	_, err := s.store.DB.Tx(ctx).NewDelete().Model((*schema.Translation)(nil)).
		Where("element_type = ?", element).Where("element_id = ?", id).Exec(ctx)
	if err != nil {
		return err
	}
	group, err := s.newGroup(ctx)
	if err != nil {
		return err
	}
	row := &schema.Translation{Type: element, Element: id, Group: group, Language: code}
	conn := s.store.DB.Tx(ctx)
	return schema.InsertNaming(ctx, conn, s.store.DB.Prefix(), "icl_translations", conn.NewInsert().Model(row).Returning("NULL"))
}

// newGroup returns a new group number. Writers of this service are serialized; locking the highest number makes other
// programs wait that would insert the same number.
func (s *Translations) newGroup(ctx context.Context) (int64, error) {
	highest, err := store.Number(ctx, s.store.DB.Locked(s.store.DB.Select().From(store.TableTranslations, "").Column("trid").
		OrderExpr("trid DESC").Limit(1)))
	return highest + 1, err
}

// languageTerm returns the term_taxonomy_id of a language's term, 0 if the site does not have the language.
func (s *Translations) languageTerm(ctx context.Context, taxonomy, code string) (int64, error) {
	return store.Number(ctx, s.store.DB.Select().From(store.TableTermTaxonomy, "tt").
		Join("JOIN", store.TableTerms, "t", "t.term_id = tt.term_id").Column("tt.term_taxonomy_id").
		Where("tt.taxonomy = ?", taxonomy).Where("t.slug IN (?)", store.LanguageSlugs(code)).OrderExpr("tt.term_taxonomy_id").Limit(1))
}

// groupPrefix is the prefix of the names of groups.
const groupPrefix = "pll_"

// newGroupName returns a random name.
func newGroupName() string {
	var random [8]byte
	_, _ = rand.Read(random[:])
	return groupPrefix + hex.EncodeToString(random[:])[:13]
}

// ForgetPost removes the language of a deleted post, and its group if it has no other members.
func (s *Translations) ForgetPost(ctx context.Context, postType string, id int64) error {
	switch s.form() {
	case store.TableForm:
		return s.delete(ctx, "post_"+postType, id)
	case store.TermsForm:
		return s.leave(ctx, id, store.TaxLanguage, store.TaxPostGroup)
	}
	return nil
}

// ForgetTerm is ForgetPost for a term.
func (s *Translations) ForgetTerm(ctx context.Context, t *store.TaxonomyTerm) error {
	switch s.form() {
	case store.TableForm:
		return s.delete(ctx, "tax_"+t.Taxonomy, t.TaxonomyID)
	case store.TermsForm:
		return s.leave(ctx, t.ID, store.TaxTermLanguage, store.TaxTermGroup)
	}
	return nil
}

// delete deletes an element's row. If it was the original of its group, the oldest of the others becomes the original.
func (s *Translations) delete(ctx context.Context, element string, id int64) error {
	rows, err := s.rows(ctx, s.store.DB.Select().Where("element_type = ?", element).Where("element_id = ?", id))
	if err != nil || len(rows) == 0 {
		return err
	}
	gone := rows[0]
	if _, err := s.store.DB.Tx(ctx).NewDelete().Model(gone).WherePK().Exec(ctx); err != nil {
		return err
	}
	return s.replaceOriginal(ctx, element, gone)
}

// replaceOriginal makes the oldest element of a group its original, if the element that has left the group was the
// original.
func (s *Translations) replaceOriginal(ctx context.Context, element string, gone *schema.Translation) error {
	if gone.Source != "" {
		return nil
	}
	rows, err := s.rows(ctx, s.store.DB.Select().Where("trid = ?", gone.Group).Where("element_type = ?", element).
		Where("source_language_code = ?", gone.Language))
	if err != nil || len(rows) == 0 {
		return err
	}
	original := rows[0]
	original.Source = ""
	if _, err := s.store.DB.Tx(ctx).NewUpdate().Model(original).Column("source_language_code").WherePK().Exec(ctx); err != nil {
		return err
	}
	_, err = s.store.DB.Tx(ctx).NewUpdate().TableExpr("?(prefix)icl_translations").Set("source_language_code = ?", original.Language).
		Where("trid = ?", gone.Group).Where("element_type = ?", element).Where("source_language_code = ?", gone.Language).Exec(ctx)
	return err
}

// rows returns the rows of the table that satisfy the conditions of a query, oldest first, and locks them.
func (s *Translations) rows(ctx context.Context, q *store.Query) ([]*schema.Translation, error) {
	q = q.From(store.TableTranslations, "").Column("translation_id", "trid", "language_code", "source_language_code").
		OrderExpr("translation_id")
	var list []*schema.Translation
	type row struct {
		ID       int64          `bun:"translation_id"`
		Group    int64          `bun:"trid"`
		Language string         `bun:"language_code"`
		Source   sql.NullString `bun:"source_language_code"`
	}
	err := store.Each(ctx, s.store.DB.Locked(q), func(r *row) error {
		list = append(list, &schema.Translation{ID: r.ID, Group: r.Group, Language: r.Language, Source: r.Source.String})
		return nil
	})
	return list, err
}

// leave removes an object from its language and from its group.
func (s *Translations) leave(ctx context.Context, object int64, language, group string) error {
	attached, err := s.store.Terms.LockAttached(ctx, object, func(q *store.Query) *store.Query {
		return q.Where("tt.taxonomy IN (?)", bun.List([]string{language, group}))
	})
	if err != nil || len(attached) == 0 {
		return err
	}
	places := make([]int64, len(attached))
	for i, t := range attached {
		places[i] = t.TaxonomyID
	}
	if err := s.store.Terms.Attach(ctx, object, nil, places); err != nil {
		return err
	}
	for _, t := range attached {
		if t.Taxonomy != group {
			continue
		}
		if _, err := s.unlist(ctx, t, object); err != nil {
			return err
		}
	}
	if language == store.TaxLanguage {
		if err := s.store.Terms.Recount(ctx, places); err != nil {
			return err
		}
		places = nil
		for _, t := range attached {
			if t.Taxonomy == group {
				places = append(places, t.TaxonomyID)
			}
		}
	}
	return s.store.Terms.RecountObjects(ctx, places)
}

// unlist removes an object from the list of a group, and deletes a group that lists nothing else. It reports whether the
// group still exists. A description that is not a list is left alone.
func (s *Translations) unlist(ctx context.Context, group *store.TaxonomyTerm, object int64) (stays bool, err error) {
	list := listOf(group)
	if list == nil {
		return true, nil
	}
	rest := &phpval.Array{}
	for code, id := range list.All() {
		if phpval.Int(id) != object {
			rest.Set(code, id)
		}
	}
	if rest.Len() == 0 {
		return false, s.store.Terms.Delete(ctx, group)
	}
	is := *group
	is.Description = phpval.Serialize(rest)
	return true, s.store.Terms.Update(ctx, group, &is)
}

// listOf returns the list of a group, or nil if it has none.
func listOf(group *store.TaxonomyTerm) *phpval.Array {
	if group == nil {
		return nil
	}
	return phpval.ArrayOf(group.Description)
}
