package content

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/schema"
)

// Translate makes the post a translation of the post of, in its own language. If of is 0, it removes the post from its
// translation group.
func (e *Edit) Translate(of int64) { e.versionOf = &of }

// joinVersions stores of which post the post of an edit is a translation (D100). If they already are in one group,
// nothing changes, so that what was read can be sent back. Joining a group changes what all of its posts show, so it
// requires the right to edit the named post.
func joinVersions(ctx context.Context, s *Service, d *Edit) error {
	if d.versionOf == nil {
		return nil
	}
	of, versions := *d.versionOf, s.Translations
	switch {
	case s.Languages.Translated(ctx, d.Row.Type):
	case of == 0:
		return nil
	default:
		return fault(FieldTranslationOf, "fault_translation_languages")
	}
	if of == 0 {
		changed, err := versions.PartPost(ctx, d.Row.Type, d.Row.ID)
		d.joined = changed
		return err
	}
	post, err := s.Store.Posts.Lock(ctx, of)
	switch {
	case err != nil:
		return err
	case post == nil || post.Type != d.Row.Type || post.Status == schema.StatusTrash || !s.Types.CanRead(ctx, loaded(post)):
		return fault(FieldTranslationOf, "fault_translation_of")
	case !CanEdit(ctx, loaded(post)):
		return fault(FieldTranslationOf, "fault_translation_right")
	}
	own, its, err := members(ctx, s, d.Row.Type, d.Row.ID, of)
	if err != nil {
		return err
	}
	if own.Code == its.Code {
		return fault(FieldTranslationOf, "fault_translation_same")
	}
	d.joined, err = versions.JoinPosts(ctx, d.Row.Type, own, its)
	if errors.Is(err, langstore.ErrVersionTaken) {
		return fault(FieldTranslationOf, "fault_translation_taken")
	}
	return err
}

// members returns two posts with their languages. A post whose language is not recorded is in the default language, and
// cannot be in a group.
func members(ctx context.Context, s *Service, postType string, one, other int64) (a, b langstore.Member, err error) {
	known, err := s.Translations.Groups(ctx, []int64{one, other}, nil)
	if err != nil {
		return a, b, err
	}
	a, b = langstore.Member{ID: one, Code: s.Languages.ForGroup(known.Posts[one])},
		langstore.Member{ID: other, Code: s.Languages.ForGroup(known.Posts[other])}
	if a.Code == b.Code {
		return a, b, nil
	}
	for _, m := range []langstore.Member{a, b} {
		if known.Posts[m.ID].Language == "" {
			if err := s.Translations.RecordPost(ctx, postType, m.ID, m.Code); err != nil {
				return a, b, err
			}
		}
	}
	return a, b, nil
}
