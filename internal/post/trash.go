package post

import (
	"context"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Trash puts a post into the trash and notes where it came from.
func (e *Env) Trash(ctx context.Context, r *rest.Request, d *Draft) error {
	was := d.Stored
	d.Row.Status = schema.StatusTrash
	if d.Row.Type == e.Names.Event {
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
	_, err = e.update(ctx, r, d, OpTrash)
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
func (e *Env) Delete(ctx context.Context, r *rest.Request, d *Draft) error {
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
	Note(ctx, Change{Kind: e.collection(d.Row.Type), ID: id, Op: OpDelete, Before: d.Stored.Status})
	return e.unlink(ctx, r, d)
}

// unlink lets events go that use a post which enters the trash or is deleted,
// and links them again when it leaves the trash.
func (e *Env) unlink(ctx context.Context, r *rest.Request, d *Draft) error {
	was, is := d.Stored.Status == schema.StatusTrash, d.Row.Status == schema.StatusTrash
	if d.Row.Type == e.Names.Event || e.Unlinked == nil || was == is && d.Row.Status != "" {
		return nil
	}
	return e.Unlinked(ctx, r, d, is || d.Row.Status == "")
}
