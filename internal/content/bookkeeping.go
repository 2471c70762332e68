package content

import (
	"context"
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// modifiedFields updates the list of the times at which fields were last changed, which The Events Calendar keeps for
// each post.
func (s *Service) modifiedFields(ctx context.Context, d *Edit, taxonomies []string, names ...string) string {
	return s.MarkModified(ctx, d.Text(schema.MetaModifiedFields), taxonomies, names...)
}

// MarkModified records in a stored list that fields change now, in the order of their first change. Times are seconds
// on the site's clock, for terms in UTC. A value that is not a list is replaced.
func (s *Service) MarkModified(ctx context.Context, stored string, taxonomies []string, names ...string) string {
	list := &phpval.Array{}
	if v, err := phpval.Unserialize(stored); err == nil {
		if a, ok := v.(*phpval.Array); ok {
			list = a
		}
	}
	now := s.Moment(ctx)
	_, offset := now.In(site.From(ctx).Location).Zone()
	for _, name := range taxonomies {
		list.Set(phpval.StrKey(name), now.Unix())
	}
	for _, name := range names {
		if name != schema.MetaModifiedFields && name != "_edit_lock" {
			list.Set(phpval.StrKey(name), now.Unix()+int64(offset))
		}
	}
	return phpval.Serialize(list)
}

// revise adds a revision with the post's texts, unless the newest revision contains the same texts.
func (s *Service) revise(ctx context.Context, d *Edit) error {
	last, err := s.Store.Posts.LastRevision(ctx, d.Row.ID)
	p := &d.Row
	if err != nil || last != nil && last.Title == p.Title && last.Content == p.Content && last.Excerpt == p.Excerpt {
		return err
	}
	copied := &schema.Post{
		Author: caller.From(ctx).UserID, Date: p.Modified, DateGMT: p.ModifiedGMT, Modified: p.Modified, ModifiedGMT: p.ModifiedGMT,
		Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Status: schema.StatusInherit, Type: schema.TypeRevision,
		CommentStatus: "closed", PingStatus: "closed", Name: fmt.Sprintf("%d-revision-v1", p.ID), Parent: p.ID,
	}
	if err := s.insertPost(ctx, copied); err != nil {
		return err
	}
	copied.GUID = fmt.Sprintf("%s/?p=%d", site.From(ctx).Home, copied.ID)
	return s.Store.Posts.Update(ctx, copied, "guid")
}

// termChange is what an edit changes about the terms of a post.
type termChange struct {
	changed     []string // taxonomies
	add, remove []int64
	recount     []int64
	by          map[int64]int64 // term_taxonomy_id → the difference to its count
}

// termChanges compares the terms of an edit with the stored ones. Counts include only published posts, so they change
// with the status too.
func (s *Service) termChanges(ctx context.Context, d *Edit) (c termChange, err error) {
	attached := map[int64]string{}
	published := d.Row.Status == schema.StatusPublish
	was := !d.New() && d.Stored.Status == schema.StatusPublish
	if len(d.terms) == 0 && was == published {
		return c, nil
	}
	if !d.New() {
		if attached, err = s.Store.Terms.TaxonomyIDs(ctx, d.Row.ID); err != nil {
			return c, err
		}
	}
	for _, taxonomy := range s.Taxonomies {
		want, set := d.terms[taxonomy]
		if !set {
			continue
		}
		before := len(c.add) + len(c.remove)
		for _, id := range want {
			if _, has := attached[id]; !has && !slices.Contains(c.add, id) {
				c.add = append(c.add, id)
			}
		}
		for id, t := range attached {
			if t == taxonomy && !slices.Contains(want, id) {
				c.remove = append(c.remove, id)
			}
		}
		if len(c.add)+len(c.remove) > before {
			c.changed = append(c.changed, taxonomy)
		}
	}
	if was || published {
		c.recount = slices.Concat(c.add, c.remove)
	}
	if was != published {
		for id := range attached {
			c.recount = append(c.recount, id)
		}
	}
	slices.Sort(c.remove)
	c.by = map[int64]int64{}
	for _, id := range c.recount {
		_, had := attached[id]
		has := (had || slices.Contains(c.add, id)) && !slices.Contains(c.remove, id)
		c.by[id] = oneIf(has && published) - oneIf(had && was)
	}
	return c, nil
}

// rows returns the ids of the term_taxonomy rows to which the post is added, from which it is removed, or whose count
// changes.
func (c *termChange) rows() []int64 { return slices.Concat(c.add, c.remove, c.recount) }

func oneIf(counts bool) int64 {
	if counts {
		return 1
	}
	return 0
}

func (s *Service) saveTerms(ctx context.Context, d *Edit) (termChange, error) {
	c, err := s.termChanges(ctx, d)
	if err != nil {
		return c, err
	}
	return c, s.writeTerms(ctx, d, c)
}

func (s *Service) writeTerms(ctx context.Context, d *Edit, c termChange) error {
	if err := s.Store.Terms.Attach(ctx, d.Row.ID, c.add, c.remove); err != nil {
		return err
	}
	if u := s.batchOf(ctx); u != nil {
		for id, by := range c.by {
			u.counts[id] += by
		}
		return nil
	}
	if site.From(ctx).DateForm == schema.DatesOwn {
		// No other program writes the rows of such a site, so its stored counts are right. Counting the posts of a large
		// category again would take longer than all the rest of the write.
		return addCounts(ctx, s.Store.Terms, c.by)
	}
	slices.Sort(c.recount)
	return s.Store.Terms.Recount(ctx, slices.Compact(c.recount))
}

// updateRange keeps the site's option with the earliest and latest date of the calendar up to date. An event within the
// range that is at neither end does not change it.
func (s *Service) updateRange(ctx context.Context, d *Edit) error {
	if d.Row.Type != s.Types.Events().PostType || !s.Store.DB.Dated() {
		return nil
	}
	if u := s.batchOf(ctx); u != nil {
		u.moved = true
		return nil
	}
	return s.writeRange(ctx, d)
}

// writeRange writes the option of updateRange if an event may change it; with nil it computes the range in any case.
func (s *Service) writeRange(ctx context.Context, d *Edit) error {
	value, found, err := s.Store.Options.Lock(ctx, schema.OptionCalendar)
	if err != nil {
		return err
	}
	options := &phpval.Array{}
	if value != "" {
		v, err := phpval.Unserialize(value)
		a, ok := v.(*phpval.Array)
		if err != nil || !ok {
			return nil // a value that cannot be parsed is left alone
		}
		options = a
	}
	if d != nil {
		if inside, err := s.within(ctx, options, d); err != nil || inside {
			return err
		}
	}
	first, last, err := s.Store.Events.Range(ctx)
	if err != nil {
		return err
	}
	setEdge(options, "earliest_date", first)
	setEdge(options, "latest_date", last)
	stored := phpval.Serialize(options)
	if stored == value {
		return nil
	}
	if err := s.Store.Options.Set(ctx, schema.OptionCalendar, stored, found); err != nil {
		return err
	}
	if _, found, err = s.Store.Options.Lock(ctx, schema.OptionLastUpdated); err != nil {
		return err
	}
	return s.Store.Options.Set(ctx, schema.OptionLastUpdated, store.Microtime(s.Moment(ctx)), found)
}

// within reports whether an event is inside the stored range and neither is nor was at one of its ends.
func (s *Service) within(ctx context.Context, options *phpval.Array, d *Edit) (bool, error) {
	text := func(name string) string { v, _ := options.Get(name); return phpval.Text(v) }
	marked := func(name string) bool {
		v, _ := options.Get(name)
		list, ok := v.(*phpval.Array)
		if !ok {
			return true
		}
		for _, id := range list.All() {
			if phpval.Int(id) == d.Row.ID {
				return true
			}
		}
		return false
	}
	first, last := text("earliest_date"), text("latest_date")
	if first == "" || last == "" || marked("earliest_date_markers") || marked("latest_date_markers") {
		return false, nil
	}
	if d.Row.Status != schema.StatusPublish && d.Row.Status != schema.StatusPrivate {
		return true, nil
	}
	if d.plan != nil && d.plan.only != nil {
		return d.plan.only.StartDateUTC > first && d.plan.only.EndDateUTC < last, nil
	}
	start, end, err := s.Store.Events.Span(ctx, d.Row.ID) // of all its occurrences
	return start > first && end < last, err
}

func setEdge(options *phpval.Array, name string, e *store.Edge) {
	if e == nil {
		options.Delete(phpval.StrKey(name))
		options.Delete(phpval.StrKey(name + "_markers"))
		return
	}
	options.Set(phpval.StrKey(name), e.Date)
	options.Set(phpval.StrKey(name+"_markers"), phpval.List(e.ID))
}
