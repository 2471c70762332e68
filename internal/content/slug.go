package content

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// reservedSlugs are words that have another meaning at the end of a URL.
var reservedSlugs = []string{"feed", "rdf", "rss", "rss2", "atom", "embed"}

// Slugs finds posts by their slugs, and gives each post a slug that no other post of its type has. That slug is locked
// until the commit, so that no other program uses it too.
type Slugs struct {
	store     *store.Store
	types     Types
	languages *Languages
}

// settleSlug sets the slug of a post: one made from its title if the request has none, and one that no other post of
// the type has. An unpublished post keeps a requested slug as it is; an unpublished event needs none.
func (s *Slugs) settleSlug(ctx context.Context, d *Edit) (err error) {
	name, isUnpublished := d.Row.Name, unpublished(d.Row.Status)
	isEvent := d.Row.Type == s.types.Events().PostType
	if needsName := !isUnpublished || d.slugSet || d.New() && !isEvent; needsName && name == "" {
		title := d.Row.Title
		if s.store.Posts.Encodes("post_title") {
			title = wp.DecodeEmoji(title)
		}
		name = site.From(ctx).Slug(title)
		if name == "" && !d.New() && !isUnpublished {
			name = strconv.FormatInt(d.Row.ID, 10)
		}
	}
	if d.slugSet && !d.New() && d.Row.Status == schema.StatusTrash && name != d.Stored.Name {
		// The post gets this slug when it leaves the trash; until then it has another one.
		d.Set(schema.MetaDesiredSlug, name)
		d.Row.Name, err = s.uniqueSlug(ctx, d.Row.Type, trashedSlug(name), d.Row.ID)
		return err
	}
	same := !d.New() && name == d.Stored.Name && !unpublished(d.Stored.Status) && d.Stored.Status != schema.StatusTrash
	if name != "" && !isUnpublished && !same && d.Row.Status != schema.StatusTrash {
		if name, err = s.uniqueSlug(ctx, d.Row.Type, name, d.Row.ID); err != nil {
			return err
		}
	}
	d.Row.Name = name
	return nil
}

// longSlug is the length in bytes from which a slug may be shortened for a suffix.
const longSlug = 180

// uniqueSlug returns the slug, or the first of its variants that no other post of the type has. Posts in the trash lose
// theirs. The transaction sees other posts as they were when it began. So a slug that seems free is read again with a
// lock, which prevents other programs from using it before the commit.
func (s *Slugs) uniqueSlug(ctx context.Context, postType, slug string, except int64) (string, error) {
	u := batchOf(ctx, s.store)
	key := postType + "/" + slug
	// Most slugs are free. The other slugs with the same beginning are read only if this one is used.
	if (u == nil || u.slugs[key] == 0) && !slices.Contains(reservedSlugs, slug) {
		if given, err := s.store.Posts.LockSlug(ctx, postType, slug, except); err != nil || !given {
			return slug, err
		}
	}
	if u == nil {
		return s.freeSlug(ctx, postType, slug, except)
	}
	// Many items of a batch may have the same title: they do not each read the slugs of all the others.
	for n := u.slugs[key]; n > 0; n++ {
		u.slugs[key] = n + 1
		free := wp.SuffixSlug(slug, n)
		if given, err := s.store.Posts.LockSlug(ctx, postType, free, except); err != nil || !given {
			return free, err
		}
	}
	free, err := s.freeSlug(ctx, postType, slug, except)
	if rest, suffixed := strings.CutPrefix(free, slug+"-"); suffixed && err == nil {
		if n, wrong := strconv.Atoi(rest); wrong == nil && n > 1 {
			u.slugs[key] = n + 1
		}
	}
	return free, err
}

// freeSlug is uniqueSlug without the numbers that a batch has counted.
func (s *Slugs) freeSlug(ctx context.Context, postType, slug string, except int64) (string, error) {
	family := slug + "-"
	if len(slug) > longSlug {
		family = wp.CutSlug(slug, longSlug)
	}
	taken, err := s.store.Posts.SlugsLike(ctx, postType, slug, family, except)
	if err != nil {
		return "", err
	}
	if err := s.clearTrash(ctx, slug, taken); err != nil {
		return "", err
	}
	free := slug
	for n := 2; ; n++ {
		if _, used := taken[free]; !used && !slices.Contains(reservedSlugs, free) {
			if given, err := s.store.Posts.LockSlug(ctx, postType, free, except); err != nil || !given {
				return free, err
			}
		}
		free = wp.SuffixSlug(slug, n)
	}
}

// trashedSlug returns the slug that a post has in the trash.
func trashedSlug(slug string) string {
	return wp.CutSlug(slug, 200-len(schema.TrashedSlugSuffix)) + schema.TrashedSlugSuffix
}

// clearTrash renames posts in the trash that still have the slug. The slug becomes free if no other post has it.
func (s *Slugs) clearTrash(ctx context.Context, slug string, taken map[string][]store.Holder) error {
	if strings.HasSuffix(slug, schema.TrashedSlugSuffix) {
		return nil // the slug is already that of a post in the trash
	}
	living := 0
	for _, h := range taken[slug] {
		if h.Status != schema.StatusTrash {
			living++
		} else if err := s.moveAside(ctx, h.ID, slug); err != nil {
			return err
		}
	}
	if living == 0 {
		delete(taken, slug)
	}
	return nil
}

// moveAside gives a post in the trash the slug that it should have there, if another program did not do so.
func (s *Slugs) moveAside(ctx context.Context, id int64, slug string) error {
	d, err := openPost(ctx, s.store.Posts, id)
	if err != nil || d == nil {
		return err
	}
	if d.Row.Name, err = s.uniqueSlug(ctx, d.Row.Type, trashedSlug(slug), id); err != nil {
		return err
	}
	d.Set(schema.MetaDesiredSlug, slug)
	if err := s.store.Posts.Update(ctx, &d.Row, "post_name"); err != nil {
		return err
	}
	change, _ := d.metaChange()
	return s.store.Posts.ChangeMeta(ctx, change)
}

// noteOldNames records former slugs and dates of a published post, so that its old URLs still lead to it.
func noteOldNames(d *Edit) {
	was, is := d.Stored, &d.Row
	if is.Status != schema.StatusPublish {
		return
	}
	if was.Name != is.Name {
		old := slices.Clone(d.Meta(schema.MetaOldSlug))
		if was.Name != "" && !slices.Contains(old, was.Name) {
			old = append(old, was.Name)
		}
		old = slices.DeleteFunc(old, func(s string) bool { return s == is.Name })
		d.Set(schema.MetaOldSlug, old...)
	}
	day := func(date string) string { return date[:min(len(date), len("YYYY-MM-DD"))] }
	if was.Status == schema.StatusPublish && day(was.Date) != day(is.Date) {
		old := slices.Clone(d.Meta(schema.MetaOldDate))
		if !slices.Contains(old, day(was.Date)) {
			old = append(old, day(was.Date))
		}
		old = slices.DeleteFunc(old, func(s string) bool { return s == day(is.Date) })
		d.Set(schema.MetaOldDate, old...)
	}
}
