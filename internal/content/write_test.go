package content_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// posts writes the posts of the recorded site, without HTTP and without the resources' own fields.
type posts struct {
	*apitest.Site
	*content.Service
}

func open(t *testing.T) *posts {
	t.Helper()
	s := apitest.Open(t)
	return &posts{s, s.Env.Content}
}

// writeAs runs fn in a Write as a user of the site.
func (p *posts) writeAs(as string, fn func(ctx context.Context) error) error {
	ctx := site.With(caller.With(p.T.Context(), &caller.Request{Principal: p.Caller(as)}), p.Settings)
	return p.Write(ctx, fn)
}

// edit opens a post, changes it and saves it, and returns whether a row was written.
func (p *posts) edit(id int64, change func(*content.Edit)) (changed bool) {
	p.T.Helper()
	must.Succeed(p.T, p.writeAs("admin", func(ctx context.Context) error {
		d, err := p.Service.Open(ctx, id)
		if err != nil {
			return err
		}
		change(d)
		changed, err = p.Save(ctx, d)
		return err
	}))
	return changed
}

// trash puts a post into the trash.
func (p *posts) trash(id int64) {
	p.T.Helper()
	must.Succeed(p.T, p.writeAs("admin", func(ctx context.Context) error {
		d, err := p.Service.Open(ctx, id)
		if err != nil {
			return err
		}
		return p.Trash(ctx, d)
	}))
}

func restore(d *content.Edit) { d.Row.Status = schema.StatusPublish }

// linking returns the ids of the events that link a post by a single id.
func (p *posts) linking(key string, id int64) []string {
	p.T.Helper()
	return p.Scan("SELECT post_id FROM wp_postmeta WHERE meta_key = ? AND meta_value = ? ORDER BY post_id", key, strconv.FormatInt(id, 10))
}

// TestSave checks that Save writes only what differs: no row that was not set, no modification date if nothing changes,
// and no new meta row in place of an existing one, whose id other programs may refer to.
func TestSave(t *testing.T) {
	p := open(t)
	const id = 7
	before, stored := p.Rows(), p.Post(id)
	changed := p.edit(id, func(d *content.Edit) {
		d.Row.Title = stored.Title
		d.Set(schema.MetaVenueCity, d.Meta(schema.MetaVenueCity)...)
	})
	if lines := before.Differences(p.Rows()); changed || !slices.Equal(lines, p.onlyLock(lines)) {
		t.Errorf("changed %t: %s", changed, strings.Join(lines, "\n"))
	}
	others := func() []string {
		return p.Scan("SELECT CONCAT(meta_id, ' ', meta_value) FROM wp_postmeta "+
			"WHERE post_id = ? AND meta_key NOT IN (?, ?) ORDER BY meta_id", id, schema.MetaVenueCity, schema.MetaModifiedFields)
	}
	city := func() []string {
		return p.Scan("SELECT meta_id FROM wp_postmeta WHERE post_id = ? AND meta_key = ?", id, schema.MetaVenueCity)
	}
	rows, row := others(), city()
	if !p.edit(id, func(d *content.Edit) { d.Row.Title = "Other"; d.Set(schema.MetaVenueCity, "Brugge") }) {
		t.Error("nothing was changed")
	}
	is := stored
	is.Title, is.Modified, is.ModifiedGMT = "Other", "2026-11-21 08:10:50", "2026-11-21 07:10:50"
	if got := p.Post(id); got != is {
		t.Errorf("the row is\n%+v, want\n%+v", got, is)
	}
	if got := others(); !slices.Equal(got, rows) {
		t.Errorf("other rows are\n%q, want\n%q", got, rows)
	}
	if got := city(); !slices.Equal(got, row) {
		t.Errorf("the row of the city is %v, was %v", got, row)
	}
}

// onlyLock returns the lines about the option that every write locks.
func (p *posts) onlyLock(lines []string) (only []string) {
	for _, line := range lines {
		if strings.HasPrefix(line, "wp_options") && strings.Contains(line, schema.OptionLastSavePost) {
			only = append(only, line)
		}
	}
	return only
}

// TestSlugOfAnother checks that Save does not use a slug twice: neither that of an existing post, nor one of the same
// transaction, nor one that a post in the trash kept because another program put it there, nor a reserved word.
func TestSlugOfAnother(t *testing.T) {
	p := open(t)
	p.Exec("UPDATE wp_posts SET post_status = 'trash' WHERE ID = 26")
	taken, kept := p.Post(25).Name, p.Post(26).Name
	var got []string
	err := p.writeAs("admin", func(ctx context.Context) error {
		for _, slug := range []string{taken, taken, kept, "feed"} {
			d := p.Create(ctx, p.Types.Events())
			title := "New"
			if err := p.Apply(ctx, d, &content.Fields{Title: &title, Slug: &slug}); err != nil {
				return err
			}
			if _, err := p.Save(ctx, d); err != nil {
				return err
			}
			got = append(got, d.Row.Name)
		}
		return nil
	})
	if want := []string{taken + "-2", taken + "-3", kept, "feed-2"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
	if name := p.Post(26).Name; name != kept+"__trashed" || !slices.Equal(p.Meta(26, schema.MetaDesiredSlug), []string{kept}) {
		t.Errorf("the post in the trash is %q, and gets back %q", name, p.Meta(26, schema.MetaDesiredSlug))
	}
	p.edit(26, restore)
	if name := p.Post(26).Name; name != kept+"-2" {
		t.Errorf("out of the trash it is %q, though another post has its slug", name)
	}
}

// TestD39TrashAndBack checks that links survive the trash: an event gets its venue back unless it has another one by
// then. It also checks what a permanent deletion leaves (D39).
func TestD39TrashAndBack(t *testing.T) {
	p := open(t)
	const venue = 7
	events := p.linking(schema.MetaVenueID, venue)
	slug := p.Post(venue).Name
	p.trash(venue)
	if left := p.linking(schema.MetaVenueID, venue); len(left) > 0 || len(p.Meta(venue, schema.MetaUnlinkedEvents)) != 1 {
		t.Errorf("%v still link it; stored is %q", left, p.Meta(venue, schema.MetaUnlinkedEvents))
	}
	if got := p.Post(venue); got.Status != schema.StatusTrash || got.Name != slug+"__trashed" {
		t.Errorf("%s, %s", got.Status, got.Name)
	}
	p.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, '9')", events[0], schema.MetaVenueID)
	p.edit(venue, restore)
	if got := p.linking(schema.MetaVenueID, venue); len(events) < 2 || !slices.Equal(got, events[1:]) {
		t.Errorf("linked again by %v, want %v", got, events[1:])
	}
	if got := p.Post(venue); got.Name != slug || len(p.Meta(venue, schema.MetaUnlinkedEvents)) > 0 {
		t.Errorf("%s; stored is %q", got.Name, p.Meta(venue, schema.MetaUnlinkedEvents))
	}
	other := p.Scan("SELECT meta_value FROM wp_postmeta WHERE post_id = ? AND meta_key = ?", events[0], schema.MetaVenueID)
	if !slices.Equal(other, []string{"9"}) {
		t.Errorf("the event with another venue has %v", other)
	}
	err := p.writeAs("admin", func(ctx context.Context) error {
		d, err := p.Service.Open(ctx, venue)
		if err != nil {
			return err
		}
		return p.Delete(ctx, d)
	})
	if left := p.linking(schema.MetaVenueID, venue); err != nil || len(left) > 0 {
		t.Errorf("%v: %v link a venue that is deleted", err, left)
	}
	if left := p.Scan("SELECT meta_key FROM wp_postmeta WHERE post_id = ?", venue); len(left) > 0 {
		t.Errorf("rows of a deleted venue: %v", left)
	}
}

// TestD39Rows checks that unlinking keeps the other ids of a serialized list, stores no empty list, and tolerates
// values that another program left (D39).
func TestD39Rows(t *testing.T) {
	p := open(t)
	const event, organizer, unused = 26, 22, 9
	p.Exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?", `a:2:{i:0;i:17;i:1;s:2:"22";}`, event,
		schema.MetaOrganizerID)
	p.trash(organizer)
	if got := p.Meta(event, schema.MetaOrganizerID); !slices.Equal(got, []string{`a:1:{i:0;i:17;}`}) {
		t.Errorf("%q", got)
	}
	p.edit(organizer, restore)
	if got := p.Meta(event, schema.MetaOrganizerID); !slices.Equal(got, []string{`a:1:{i:0;i:17;}`, "22"}) {
		t.Errorf("%q", got)
	}
	p.Exec("DELETE FROM wp_postmeta WHERE meta_key = ? AND meta_value = ?", schema.MetaVenueID, unused)
	p.trash(unused)
	if got := p.Meta(unused, schema.MetaUnlinkedEvents); len(got) > 0 {
		t.Errorf("stored is %q", got)
	}
	p.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, 'a:9:{broken')", unused, schema.MetaUnlinkedEvents)
	p.edit(unused, restore)
	if got := p.Meta(unused, schema.MetaUnlinkedEvents); len(got) > 0 {
		t.Errorf("stored is %q", got)
	}
}

// TestRightsOnTheLockedRow checks that rights are decided by the row that Open locked, not by what a request read
// before it waited for the lock: the author of the post and its status before the trash.
func TestRightsOnTheLockedRow(t *testing.T) {
	p := open(t)
	const id = 25
	contributor := p.Caller("contributor")
	p.Exec("UPDATE wp_posts SET post_author = ?, post_status = 'draft' WHERE ID = ?", contributor.UserID, id)
	may := func() (edit, remove bool) {
		must.Succeed(t, p.writeAs("contributor", func(ctx context.Context) error {
			d, err := p.Service.Open(ctx, id)
			if err == nil {
				edit, remove = site.CanEdit(contributor, d.Object()), site.CanDelete(contributor, d.Object())
			}
			return err
		}))
		return edit, remove
	}
	if edit, remove := may(); !edit || !remove {
		t.Errorf("an own draft: %t, %t", edit, remove)
	}
	// Another program publishes it while the contributor's request waits for its lock.
	var edit bool
	err := p.writeAs("contributor", func(ctx context.Context) error {
		p.Exec("UPDATE wp_posts SET post_status = 'publish' WHERE ID = ?", id)
		d, err := p.Service.Open(ctx, id)
		if err == nil {
			edit = site.CanEdit(contributor, d.Object())
		}
		return errors.Join(err, context.Canceled)
	})
	if !errors.Is(err, context.Canceled) || edit {
		t.Errorf("published meanwhile: %t, %v", edit, err)
	}
	p.trash(id)
	if _, remove := may(); remove {
		t.Error("what was published may be deleted by its contributor, since the trash is no published state")
	}
}
