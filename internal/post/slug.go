package post

import (
	"context"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// reservedSlugs are words that an address ends in for another reason.
var reservedSlugs = []string{"feed", "rdf", "rss", "rss2", "atom", "embed"}

// settleSlug gives a post the slug that it needs: of its title where none was
// given, and not that of another post of its type. What is not published keeps
// the slug that it was given, as it is; an event that is not published needs
// none.
func (e *Env) settleSlug(ctx context.Context, d *Draft) (err error) {
	name, draft := d.Row.Name, unpublished(d.Row.Status)
	if name == "" && (!draft || d.slugSet || d.New() && d.Row.Type != e.Names.Event) {
		name = wp.Slug(d.Row.Title)
		if name == "" && !d.New() && !draft {
			name = strconv.FormatInt(d.Row.ID, 10)
		}
	}
	same := !d.New() && name == d.Stored.Name && !unpublished(d.Stored.Status) && d.Stored.Status != schema.StatusTrash
	if name != "" && !draft && !same && d.Row.Status != schema.StatusTrash {
		if name, err = e.uniqueSlug(ctx, d.Row.Type, name, d.Row.ID); err != nil {
			return err
		}
	}
	d.Row.Name = name
	return nil
}

// longSlug is the length from which a suffix may shorten a slug.
const longSlug = 180

// uniqueSlug returns the slug, or the first of its variants that no other post
// of the type has. A post in the trash gives its slug up.
func (e *Env) uniqueSlug(ctx context.Context, postType, slug string, except int64) (string, error) {
	family := slug + "-"
	if len(slug) > longSlug {
		family = wp.CutSlug(slug, longSlug)
	}
	taken, err := e.Store.SlugsLike(ctx, postType, slug, family, except)
	if err != nil {
		return "", err
	}
	if h, ok := taken[slug]; ok && h.Status == schema.StatusTrash {
		if err := e.moveAside(ctx, h.ID, slug, taken); err != nil {
			return "", err
		}
		delete(taken, slug)
	}
	free := slug
	for n := 2; ; n++ {
		if _, used := taken[free]; !used && !slices.Contains(reservedSlugs, free) {
			return free, nil
		}
		free = wp.SuffixSlug(slug, n)
	}
}

// trashedSlug is the slug that a post has in the trash.
func trashedSlug(slug string) string {
	return wp.CutSlug(slug, 200-len(schema.TrashedSlugSuffix)) + schema.TrashedSlugSuffix
}

// moveAside gives a post in the trash the slug of one, which other programs
// forgot to do.
func (e *Env) moveAside(ctx context.Context, id int64, slug string, taken map[string]store.Holder) error {
	d, err := e.Open(ctx, id)
	if err != nil || d == nil {
		return err
	}
	d.Row.Name = trashedSlug(slug)
	for n := 2; ; n++ {
		if _, used := taken[d.Row.Name]; !used {
			break
		}
		d.Row.Name = wp.SuffixSlug(trashedSlug(slug), n)
	}
	d.Set(schema.MetaDesiredSlug, slug)
	if err := e.Store.UpdatePost(ctx, &d.Row, "post_name"); err != nil {
		return err
	}
	change, _ := d.metaChange()
	return e.Store.ChangeMeta(ctx, change)
}

// noteOldNames remembers former slugs and days of a published post, by which
// its old addresses still lead to it.
func noteOldNames(d *Draft) {
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
