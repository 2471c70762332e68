package content

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Trash puts a post into the trash and records its previous status.
func (s *Service) Trash(ctx context.Context, d *Edit) error {
	was := d.Stored
	d.Row.Status = schema.StatusTrash
	if d.Row.Type == s.Types.Events().PostType {
		d.Set(schema.MetaIgnoredStatus, was.Status)
	}
	d.Set(schema.MetaTrashStatus, was.Status)
	d.Set(schema.MetaTrashTime, strconv.FormatInt(s.Clock.Moment(ctx).Unix(), 10))
	d.Set(schema.MetaDesiredSlug, was.Name)
	if d.Row.DateGMT == zeroDate {
		now := s.Clock.now(ctx)
		d.Row.Date, d.Row.DateGMT = strtotime.Wall(now), strtotime.Wall(now.UTC())
	}
	name, err := s.Slugs.uniqueSlug(ctx, d.Row.Type, trashedSlug(was.Name), d.Row.ID)
	if err != nil {
		return err
	}
	d.Row.Name = name
	if err := s.trashComments(ctx, d); err != nil {
		return err
	}
	_, err = s.update(ctx, d, OpTrash)
	return err
}

// trashComments puts the comments of a post into the trash and records their statuses, as WordPress does.
func (s *Service) trashComments(ctx context.Context, d *Edit) error {
	had, err := s.Store.Comments.Trash(ctx, d.Row.ID)
	if err != nil || len(had) == 0 {
		return err
	}
	var statuses phpval.Array
	for _, c := range had {
		statuses.Set(phpval.IntKey(c.ID), c.Status)
	}
	d.setRows(schema.MetaTrashComments, phpval.Serialize(&statuses))
	return nil
}

// restoreComments undoes trashComments.
func (s *Service) restoreComments(ctx context.Context, d *Edit) error {
	stored := d.Text(schema.MetaTrashComments)
	if stored == "" {
		return nil
	}
	v, err := phpval.Unserialize(stored)
	statuses, ok := v.(*phpval.Array)
	if err != nil || !ok {
		return nil // a value that cannot be parsed is left alone
	}
	var had []store.CommentStatus
	for id, status := range statuses.All() {
		if n, numeric := id.Int(); numeric {
			had = append(had, store.CommentStatus{ID: n, Status: phpval.Text(status)})
		}
	}
	d.Set(schema.MetaTrashComments)
	return s.Store.Comments.Restore(ctx, d.Row.ID, had)
}

// leaveTrash gives a post its slug back. The meta rows about the trash stay, as in WordPress.
func leaveTrash(d *Edit) {
	if !d.slugSet {
		d.Row.Name = strings.TrimSuffix(d.Row.Name, schema.TrashedSlugSuffix)
		if d.Has(schema.MetaDesiredSlug) {
			d.Row.Name = d.Text(schema.MetaDesiredSlug)
		}
	}
	d.Set(schema.MetaDesiredSlug)
}

// Delete deletes a post with everything that belongs to it.
func (s *Service) Delete(ctx context.Context, d *Edit) error {
	id := d.Row.ID
	d.Row.Status = ""
	attached, err := s.Store.Terms.TaxonomyIDs(ctx, id)
	if err != nil {
		return err
	}
	if err := s.Changes.noteEdit(ctx, d, OpDelete, d.Stored.Status, slices.Sorted(maps.Keys(attached))); err != nil {
		return err
	}
	if err := s.Translations.ForgetPost(ctx, d.Row.Type, id); err != nil {
		return err
	}
	if s.Languages != nil { // the language of the post was one of the terms
		if attached, err = s.Store.Terms.TaxonomyIDs(ctx, id); err != nil {
			return err
		}
	}
	revisions, err := s.Store.Posts.Revisions(ctx, id)
	if err != nil {
		return err
	}
	if err := s.Store.Posts.Adopt(ctx, id, d.Row.Parent); err != nil {
		return err
	}
	if err := s.Store.Posts.Delete(ctx, append(revisions, id)); err != nil {
		return err
	}
	if d.Row.Type == s.Types.Events().PostType {
		if err := s.Store.Events.LeaveSeries(ctx, id); err != nil {
			return err
		}
	}
	if err := s.terms.recount(ctx, slices.Collect(maps.Keys(attached))); err != nil {
		return err
	}
	if err := s.calendarRange.updateRange(ctx, d); err != nil {
		return err
	}
	return s.unlink(ctx, d)
}
