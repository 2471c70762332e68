package content

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// maxGUID is the size of the guid column.
const maxGUID = 255

// Save writes an edit and must be called within a Write. An edit that changes nothing writes no row. changed reports
// whether a row was written.
func (s *Service) Save(ctx context.Context, d *Edit) (changed bool, err error) {
	if err := s.Attachments.placeImage(ctx, d); err != nil {
		return false, err
	}
	if err := s.Attachments.describeImage(ctx, d); err != nil {
		return false, err
	}
	if d.Origin != nil && !d.toTrash {
		d.Origin.applyTo(ctx, d)
	}
	d.arrange(s.Types.ForPostType(d.Row.Type).Rows)
	if !d.New() && d.Stored.Status == schema.StatusTrash && d.Row.Status != schema.StatusTrash {
		leaveTrash(d)
		if err := s.restoreComments(ctx, d); err != nil {
			return false, err
		}
	}
	if err := s.Slugs.settleSlug(ctx, d); err != nil {
		return false, err
	}
	if err := s.Occurrences.planDates(ctx, d); err != nil {
		return false, err
	}
	if d.New() {
		return true, s.insert(ctx, d)
	}
	if err := joinVersions(ctx, s, d); err != nil {
		return false, err
	}
	changed, err = s.update(ctx, d, OpUpdate)
	if err != nil || !d.toTrash {
		return changed, err
	}
	stored, err := s.Open(ctx, d.Row.ID)
	if err != nil {
		return false, err
	}
	if err := s.Trash(ctx, stored); err != nil {
		return false, err
	}
	*d = *stored
	return true, nil
}

// insert adds a new post and its rows in other tables.
func (s *Service) insert(ctx context.Context, d *Edit) error {
	p := &d.Row
	p.Modified, p.ModifiedGMT = p.Date, p.DateGMT
	sticky := p.MenuOrder == -1
	if sticky { // The Events Calendar saves such a post twice
		now := s.Clock.now(ctx)
		p.Modified, p.ModifiedGMT = strtotime.Wall(now), strtotime.Wall(now.UTC())
	}
	p.GUID = s.guid(ctx, d) // most forms of addresses do not contain the id
	inserted := *p
	if err := insertPost(ctx, s.Store, p); err != nil {
		return err
	}
	if p.Name == "" && !unpublished(p.Status) {
		name, err := s.Slugs.uniqueSlug(ctx, p.Type, strconv.FormatInt(p.ID, 10), p.ID)
		if err != nil {
			return err
		}
		p.Name = name
	}
	if p.GUID = s.guid(ctx, d); p.Name != inserted.Name || p.GUID != inserted.GUID {
		if err := s.Store.Posts.Update(ctx, p, "post_name", "guid"); err != nil {
			return err
		}
	}
	change, keys := d.metaChange()
	change.Insert = s.withModifiedFields(ctx, d, change.Insert, keys)
	if err := s.Store.Posts.ChangeMeta(ctx, change); err != nil {
		return err
	}
	terms, err := s.terms.saveTerms(ctx, d)
	if err != nil {
		return err
	}
	if err := s.recordLanguage(ctx, p); err != nil {
		return err
	}
	if err := joinVersions(ctx, s, d); err != nil {
		return err
	}
	if sticky {
		if err := s.History.revise(ctx, d); err != nil {
			return err
		}
	}
	if err := s.Changes.noteEdit(ctx, d, OpCreate, "", terms.rows()); err != nil {
		return err
	}
	if err := s.Occurrences.insertDates(ctx, d); err != nil {
		return err
	}
	return s.calendarRange.updateRange(ctx, d)
}

// withModifiedFields adds the list of modified fields to the rows of a new post: after the first row, or before all
// rows if the post has terms, which The Events Calendar stores first.
func (s *Service) withModifiedFields(ctx context.Context, d *Edit, rows []*schema.PostMeta, keys []string) []*schema.PostMeta {
	var taxonomies []string
	for _, t := range s.Taxonomies {
		if len(d.terms[t]) > 0 {
			taxonomies = append(taxonomies, t)
		}
	}
	at := min(1, len(rows))
	if len(taxonomies) > 0 {
		at = 0
	}
	list := &schema.PostMeta{PostID: d.Row.ID, Key: schema.MetaModifiedFields, Value: s.History.modifiedFields(ctx, d, taxonomies, keys...)}
	return slices.Insert(rows, at, list)
}

// update writes what differs from the stored post.
func (s *Service) update(ctx context.Context, d *Edit, op string) (bool, error) {
	columns, named := d.columns()
	noteOldNames(d)
	_, keys := d.metaChange()
	terms, err := s.terms.termChanges(ctx, d)
	if err != nil || len(columns)+len(keys)+len(terms.changed) == 0 && !d.plan.changes() && !d.described && !d.joined {
		return false, err
	}
	if guid := storedGUID(d.Row.GUID); guid != d.Row.GUID {
		d.Row.GUID = guid
		columns = append(columns, "guid")
	}
	now := s.Clock.now(ctx)
	d.Row.Modified, d.Row.ModifiedGMT = strtotime.Wall(now), strtotime.Wall(now.UTC())
	fields := slices.Concat(named, keys)
	if op == OpTrash { // then the meta rows are written before the post
		fields = slices.Concat(keys, named)
	}
	d.setRows(schema.MetaModifiedFields, s.History.modifiedFields(ctx, d, terms.changed, fields...))
	change, _ := d.metaChange()
	if err := s.Store.Posts.Update(ctx, &d.Row, append(columns, "post_modified", "post_modified_gmt")...); err != nil {
		return false, err
	}
	if err := s.Store.Posts.ChangeMeta(ctx, change); err != nil {
		return false, err
	}
	if err := s.terms.writeTerms(ctx, d, terms); err != nil {
		return false, err
	}
	if err := s.History.revise(ctx, d); err != nil {
		return false, err
	}
	if d.plan != nil {
		if err := s.Occurrences.saveDates(ctx, d); err != nil {
			return false, err
		}
	}
	if d.plan != nil || d.Row.Status != d.Stored.Status {
		if err := s.calendarRange.updateRange(ctx, d); err != nil {
			return false, err
		}
	}
	if err := s.Changes.noteEdit(ctx, d, op, d.Stored.Status, terms.rows()); err != nil {
		return false, err
	}
	return true, s.unlink(ctx, d)
}

// columns returns the columns of the row that differ, and the names that some of them have in the list of modified
// fields.
func (e *Edit) columns() (columns, named []string) {
	was, is := e.Stored, &e.Row
	add := func(differs bool, column string, known bool) {
		if !differs {
			return
		}
		columns = append(columns, column)
		if known {
			named = append(named, column)
		}
	}
	add(was.Author != is.Author, "post_author", false)
	add(was.Date != is.Date, "post_date", false)
	add(was.DateGMT != is.DateGMT, "post_date_gmt", false)
	add(was.Title != is.Title, "post_title", true)
	add(was.Content != is.Content, "post_content", true)
	add(was.Excerpt != is.Excerpt, "post_excerpt", true)
	add(was.Status != is.Status, "post_status", true)
	add(was.Name != is.Name, "post_name", false)
	add(was.Password != is.Password, "post_password", false)
	add(was.MenuOrder != is.MenuOrder, "menu_order", false)
	return columns, named
}

// guid returns the permanent address of a post: that of its page, if it has one when it is created.
func (s *Service) guid(ctx context.Context, d *Edit) string {
	links, p := s.NewLinker(site.From(ctx).Links), &d.Row
	guid := links.Item(p.Type, p.ID, p.Name, p.Status)
	if len(guid) > maxGUID {
		guid = links.Item(p.Type, p.ID, p.Name, schema.StatusDraft)
	}
	return guid[:min(len(guid), maxGUID)]
}

// storedGUID returns a guid as WordPress stores it when a post is saved again: with escaped ampersands.
func storedGUID(guid string) string {
	escaped := strings.ReplaceAll(strings.ReplaceAll(guid, "&#038;", "&"), "&", "&#038;")
	if len(escaped) > maxGUID {
		return guid
	}
	return escaped
}
