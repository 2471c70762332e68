package store

import (
	"context"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Member is an item with its language. ID is that of a post; of a term it is the term_taxonomy_id in TableForm and the
// term_id in TermsForm.
type Member struct {
	ID   int64
	Code string
}

// JoinPosts adds a post to the translation group of another one. If the group has another version in the same language,
// nothing changes.
func (s *Translations) JoinPosts(ctx context.Context, postType string, one, of Member) error {
	switch s.languages.form {
	case TableForm:
		return s.joinRows(ctx, "post_"+postType, one, of)
	case TermsForm:
		return s.joinGroup(ctx, TaxPostGroup, one, of)
	}
	return nil
}

// JoinTerms is JoinPosts for terms.
func (s *Translations) JoinTerms(ctx context.Context, one, of *TaxonomyTerm, code, ofCode string) error {
	switch s.languages.form {
	case TableForm:
		return s.joinRows(ctx, "tax_"+one.Taxonomy, Member{one.TaxonomyID, code}, Member{of.TaxonomyID, ofCode})
	case TermsForm:
		return s.joinGroup(ctx, TaxTermGroup, Member{one.ID, code}, Member{of.ID, ofCode})
	}
	return nil
}

func (s *Translations) joinRows(ctx context.Context, element string, one, of Member) error {
	joined, err := s.translationOf(ctx, element, of)
	if err != nil {
		return err
	}
	own, err := s.translationOf(ctx, element, one)
	if err != nil || own.Group == joined.Group {
		return err
	}
	group, err := s.rows(ctx, func(q *Query) *Query { return q.Where("trid = ?", joined.Group) })
	if err != nil {
		return err
	}
	original := joined.Language
	for _, t := range group {
		if t.Language == own.Language {
			return nil
		}
		if t.Source == "" {
			original = t.Language
		}
	}
	own.Group, own.Source = joined.Group, original
	_, err = s.db.writing(ctx).conn().NewUpdate().Model(own).Column("trid", "source_language_code").WherePK().Exec(ctx)
	return err
}

// translationOf returns the row of an item, and creates it if it does not exist.
func (s *Translations) translationOf(ctx context.Context, element string, m Member) (*schema.Translation, error) {
	find := func() ([]*schema.Translation, error) {
		return s.rows(ctx, func(q *Query) *Query {
			return q.Where("element_type = ?", element).Where("element_id = ?", m.ID)
		})
	}
	rows, err := find()
	if err == nil && len(rows) == 0 {
		if err = s.insert(ctx, element, m.ID, m.Code); err == nil {
			rows, err = find()
		}
	}
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// groupOf returns the term that lists the versions of an object, nil if there is none.
func (s *Translations) groupOf(ctx context.Context, taxonomy string, object int64) (*TaxonomyTerm, error) {
	found, err := termRows(ctx, s.db.locked(s.terms.rows().
		Join("JOIN", TableTermRelationships, "r", "r.term_taxonomy_id = tt.term_taxonomy_id").
		Where("r.object_id = ?", object).Where("tt.taxonomy = ?", taxonomy).OrderExpr("tt.term_taxonomy_id").Limit(1)))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

func (s *Translations) joinGroup(ctx context.Context, taxonomy string, one, of Member) error {
	group, err := s.groupOf(ctx, taxonomy, of.ID)
	if err != nil {
		return err
	}
	own, err := s.groupOf(ctx, taxonomy, one.ID)
	if err != nil || own != nil && group != nil && own.TaxonomyID == group.TaxonomyID {
		return err
	}
	members := &phpval.Array{}
	if group != nil {
		stored, _ := phpval.Unserialize(group.Description)
		if list, ok := stored.(*phpval.Array); ok {
			members = list
		}
	} else {
		members.Set(phpval.StrKey(of.Code), of.ID)
	}
	for code := range members.All() {
		if LanguageCode(code.String()) == one.Code {
			return nil
		}
	}
	if own != nil {
		if err := s.terms.Attach(ctx, one.ID, nil, []int64{own.TaxonomyID}); err != nil {
			return err
		}
		if err := s.unlist(ctx, own, one.ID); err != nil {
			return err
		}
	}
	members.Set(phpval.StrKey(one.Code), one.ID)
	if group == nil {
		name := newGroupName()
		group = &TaxonomyTerm{Name: name, Slug: name, Taxonomy: taxonomy, Description: phpval.Serialize(members)}
		if err := s.terms.Insert(ctx, group); err != nil {
			return err
		}
		if err := s.terms.Attach(ctx, of.ID, []int64{group.TaxonomyID}, nil); err != nil {
			return err
		}
	} else {
		is := *group
		is.Description = phpval.Serialize(members)
		if err := s.terms.Update(ctx, group, &is); err != nil {
			return err
		}
	}
	if err := s.terms.Attach(ctx, one.ID, []int64{group.TaxonomyID}, nil); err != nil {
		return err
	}
	return s.terms.recountObjects(ctx, []int64{group.TaxonomyID})
}
