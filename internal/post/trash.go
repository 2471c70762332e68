package post

import (
	"context"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Trash puts a post into the trash and notes where it came from.
func (e *Service) Trash(ctx context.Context, d *Draft) error {
	was := d.Stored
	d.Row.Status = schema.StatusTrash
	if d.Row.Type == e.Types.Events().PostType {
		d.Set(schema.MetaIgnoredStatus, was.Status)
	}
	d.Set(schema.MetaTrashStatus, was.Status)
	d.Set(schema.MetaTrashTime, strconv.FormatInt(e.Now().Unix(), 10))
	d.Set(schema.MetaDesiredSlug, was.Name)
	if d.Row.DateGMT == zeroDate {
		now := e.now(ctx)
		d.Row.Date, d.Row.DateGMT = strtotime.Wall(now), strtotime.Wall(now.UTC())
	}
	name, err := e.uniqueSlug(ctx, d.Row.Type, trashedSlug(was.Name), d.Row.ID)
	if err != nil {
		return err
	}
	d.Row.Name = name
	_, err = e.update(ctx, d, OpTrash)
	return err
}

// leaveTrash gives a post its slug back. The rows that say when and from which
// status it went into the trash stay, as on the site.
func leaveTrash(d *Draft) {
	if !d.slugSet {
		d.Row.Name = strings.TrimSuffix(d.Row.Name, schema.TrashedSlugSuffix)
		if d.Has(schema.MetaDesiredSlug) {
			d.Row.Name = d.Text(schema.MetaDesiredSlug)
		}
	}
	d.Set(schema.MetaDesiredSlug)
}

// Delete removes a post for good, with everything that hangs on it.
func (e *Service) Delete(ctx context.Context, d *Draft) error {
	id := d.Row.ID
	if err := e.Store.ForgetPost(ctx, d.Row.Type, id); err != nil {
		return err
	}
	attached, err := e.Store.TaxonomyIDs(ctx, id)
	if err != nil {
		return err
	}
	revisions, err := e.Store.Revisions(ctx, id)
	if err != nil {
		return err
	}
	if err := e.Store.Adopt(ctx, id, d.Row.Parent); err != nil {
		return err
	}
	if err := e.Store.DeletePosts(ctx, append(revisions, id)); err != nil {
		return err
	}
	var counts []int64
	for taxonomyID := range attached {
		counts = append(counts, taxonomyID)
	}
	if err := e.Store.Recount(ctx, counts); err != nil {
		return err
	}
	d.Row.Status = ""
	if err := e.updateRange(ctx, d); err != nil {
		return err
	}
	Note(ctx, Change{Kind: e.Types.Of(d.Row.Type).Collection, ID: id, Op: OpDelete, Before: d.Stored.Status})
	return e.unlink(ctx, d)
}
