package langstore

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Member is an item with its language. ID is that of a post; of a term it is the term_taxonomy_id in store.TableForm and the
// term_id in store.TermsForm.
type Member struct {
	ID   int64
	Code string
}

// ErrVersionTaken is returned if a group already has another version in the same language.
var ErrVersionTaken = errors.New("store: the group has another version in this language")

// JoinPosts adds a post to the translation group of another one, and removes it from its own group. It reports whether it was not in
// that group yet.
func (s *Translations) JoinPosts(ctx context.Context, postType string, one, of Member) (changed bool, err error) {
	switch s.form() {
	case store.TableForm:
		return s.joinRows(ctx, "post_"+postType, one, of)
	case store.TermsForm:
		return s.joinGroup(ctx, store.TaxPostGroup, one, of)
	}
	return false, nil
}

// PartPost removes a post from the group of its translations, and reports whether that group had other posts.
func (s *Translations) PartPost(ctx context.Context, postType string, id int64) (changed bool, err error) {
	switch s.form() {
	case store.TableForm:
		return s.partRow(ctx, "post_"+postType, id)
	case store.TermsForm:
		return s.partGroup(ctx, id)
	}
	return false, nil
}

// JoinTerms is JoinPosts for terms.
func (s *Translations) JoinTerms(ctx context.Context, one, of *store.TaxonomyTerm, code, ofCode string) (changed bool, err error) {
	switch s.form() {
	case store.TableForm:
		return s.joinRows(ctx, "tax_"+one.Taxonomy, Member{one.TaxonomyID, code}, Member{of.TaxonomyID, ofCode})
	case store.TermsForm:
		return s.joinGroup(ctx, store.TaxTermGroup, Member{one.ID, code}, Member{of.ID, ofCode})
	}
	return false, nil
}

func (s *Translations) joinRows(ctx context.Context, element string, one, of Member) (changed bool, err error) {
	joined, err := s.translationOf(ctx, element, of)
	if err != nil {
		return false, err
	}
	own, err := s.translationOf(ctx, element, one)
	if err != nil || own.Group == joined.Group {
		return false, err
	}
	group, err := s.rows(ctx, s.store.DB.Select().Where("trid = ?", joined.Group))
	if err != nil {
		return false, err
	}
	original := joined.Language
	for _, t := range group {
		if t.Language == own.Language {
			return false, ErrVersionTaken
		}
		if t.Source == "" {
			original = t.Language
		}
	}
	return true, s.move(ctx, element, own, joined.Group, original)
}

// partRow moves an element that is not alone in its group into a new one.
func (s *Translations) partRow(ctx context.Context, element string, id int64) (changed bool, err error) {
	own, err := s.rows(ctx, s.store.DB.Select().Where("element_type = ?", element).Where("element_id = ?", id))
	if err != nil || len(own) == 0 {
		return false, err
	}
	group, err := s.rows(ctx, s.store.DB.Select().Where("trid = ?", own[0].Group))
	if err != nil || len(group) < 2 {
		return false, err
	}
	number, err := s.newGroup(ctx)
	if err != nil {
		return false, err
	}
	return true, s.move(ctx, element, own[0], number, "")
}

// move puts an element into another group. original is the language of that group's original, or "" if the element
// becomes the original. If the element was the original of its previous group, the oldest of the others takes its place
// there.
func (s *Translations) move(ctx context.Context, element string, row *schema.Translation, group int64, original string) error {
	was := *row
	row.Group, row.Source = group, original
	_, err := s.store.DB.Tx(ctx).NewUpdate().Model(row).Column("trid", "source_language_code").WherePK().Exec(ctx)
	if err != nil {
		return err
	}
	return s.replaceOriginal(ctx, element, &was)
}

// translationOf returns the row of an item, and creates it if it does not exist.
func (s *Translations) translationOf(ctx context.Context, element string, m Member) (*schema.Translation, error) {
	find := func() ([]*schema.Translation, error) {
		return s.rows(ctx, s.store.DB.Select().Where("element_type = ?", element).Where("element_id = ?", m.ID))
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
func (s *Translations) groupOf(ctx context.Context, taxonomy string, object int64) (*store.TaxonomyTerm, error) {
	found, err := s.store.Terms.LockAttached(ctx, object, func(q *store.Query) *store.Query {
		return q.Where("tt.taxonomy = ?", taxonomy).Limit(1)
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

func (s *Translations) joinGroup(ctx context.Context, taxonomy string, one, of Member) (changed bool, err error) {
	group, err := s.groupOf(ctx, taxonomy, of.ID)
	if err != nil {
		return false, err
	}
	own, err := s.groupOf(ctx, taxonomy, one.ID)
	if err != nil || own != nil && group != nil && own.TaxonomyID == group.TaxonomyID {
		return false, err
	}
	members := listOf(group)
	if members == nil {
		members = phpval.Members(of.Code, of.ID)
	}
	for code, id := range members.All() {
		if store.LanguageCode(code.String()) == one.Code && phpval.Int(id) != one.ID {
			return false, ErrVersionTaken
		}
	}
	if own != nil {
		if err := s.detach(ctx, own, one.ID); err != nil {
			return false, err
		}
	}
	members.Set(phpval.StrKey(one.Code), one.ID)
	if group == nil {
		name := newGroupName()
		group = &store.TaxonomyTerm{Name: name, Slug: name, Taxonomy: taxonomy, Description: phpval.Serialize(members)}
		if err := s.store.Terms.Insert(ctx, group); err != nil {
			return false, err
		}
		if err := s.store.Terms.Attach(ctx, of.ID, []int64{group.TaxonomyID}, nil); err != nil {
			return false, err
		}
	} else {
		is := *group
		is.Description = phpval.Serialize(members)
		if err := s.store.Terms.Update(ctx, group, &is); err != nil {
			return false, err
		}
	}
	if err := s.store.Terms.Attach(ctx, one.ID, []int64{group.TaxonomyID}, nil); err != nil {
		return false, err
	}
	return true, s.store.Terms.RecountObjects(ctx, []int64{group.TaxonomyID})
}

// partGroup removes a post from a group that lists others too.
func (s *Translations) partGroup(ctx context.Context, id int64) (changed bool, err error) {
	group, err := s.groupOf(ctx, store.TaxPostGroup, id)
	if err != nil || group == nil {
		return false, err
	}
	for _, member := range listOf(group).All() {
		if phpval.Int(member) != id {
			return true, s.detach(ctx, group, id)
		}
	}
	return false, nil
}

// detach removes an object from its group.
func (s *Translations) detach(ctx context.Context, group *store.TaxonomyTerm, object int64) error {
	if err := s.store.Terms.Attach(ctx, object, nil, []int64{group.TaxonomyID}); err != nil {
		return err
	}
	stays, err := s.unlist(ctx, group, object)
	if err != nil || !stays {
		return err
	}
	return s.store.Terms.RecountObjects(ctx, []int64{group.TaxonomyID})
}
