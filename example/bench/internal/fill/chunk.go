package fill

import (
	"time"

	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// chunk contains the rows of some events and the changes of existing rows.
type chunk struct {
	rows
	counts map[int64]int64 // published events, by taxonomy row
	ends   edges
	after  state
}

// These are the rows per event, a little above the average.
const metasOfEvent, termsOfEvent = 20, 6

// compose creates the next n events.
func (p *place) compose(at state, n int) *chunk {
	c := &chunk{counts: map[int64]int64{}, after: at}
	c.posts = make([]schema.Post, 0, n+n/8)
	c.meta = make([]schema.PostMeta, 0, n*metasOfEvent)
	c.relationships = make([]schema.TermRelationship, 0, n*termsOfEvent)
	c.events = make([]schema.EventRow, 0, n)
	c.occurrences = make([]schema.Occurrence, 0, n)
	for range n {
		c.addEvent(p, p.event(at.Seed, c.after.Events))
		c.after.Events++
	}
	return c
}

// addEvent adds the rows of an event.
func (c *chunk) addEvent(p *place, e *event) {
	picture := int64(0)
	switch {
	case e.ownPicture:
		picture = c.after.Post
		c.addPicture(p, c.after.Post, &c.after.Meta, p.pictureOf(e))
		c.after.Post++
	case e.picture >= 0:
		picture = p.state.Images + int64(e.picture)
	}
	id := c.after.Post
	c.after.Post++
	row := p.post(p.names.Event, id, e.status, e.slug, e.title, e.content, p.state.Users+int64(e.author), e.entered)
	row.Excerpt, row.Password = e.excerpt, e.password
	row.GUID = p.linker.Item(row.Type, id, row.Name, row.Status)
	c.posts = append(c.posts, row)
	m := e.metas(p, picture)
	taxonomies := c.attach(p, e, id)
	c.addMeta(id, &c.after.Meta, e.entered, taxonomies, m)
	c.addDates(p, e, id, m)
}

// post returns a post with the columns that all posts of this package share.
func (p *place) post(kind string, id int64, status, slug, title, content string, author int64, at time.Time) schema.Post {
	local, utc := strtotime.Wall(at), strtotime.Wall(at.UTC())
	if status == schema.StatusDraft || status == schema.StatusPending {
		utc = "0000-00-00 00:00:00"
	}
	return schema.Post{
		ID: id, Author: author, Date: local, DateGMT: utc, Modified: local, ModifiedGMT: utc, Type: kind, Status: status,
		Name: slug, Title: title, Content: content, CommentStatus: p.settings.CommentStatus, PingStatus: "closed",
	}
}

// attach relates an event to its terms and returns their taxonomies.
func (c *chunk) attach(p *place, e *event, id int64) (taxonomies []string) {
	for _, group := range []struct {
		taxonomy string
		first    int64
		terms    []int
	}{{p.names.Category, p.state.Categories, e.categories}, {p.names.Tag, p.state.Tags, e.tags}} {
		for _, n := range group.terms {
			term := group.first + int64(n)
			c.relationships = append(c.relationships, schema.TermRelationship{ObjectID: id, TermTaxonomyID: term})
			if e.status == schema.StatusPublish {
				c.counts[term]++
			}
		}
		if len(group.terms) > 0 {
			taxonomies = append(taxonomies, group.taxonomy)
		}
	}
	return taxonomies
}

// addDates adds the rows by which lists find an event. Drafts have them too.
func (c *chunk) addDates(p *place, e *event, id int64, m metas) {
	values := make(map[string]string, len(m))
	for _, row := range m {
		values[row[0]] = row[1]
	}
	row, ok := schema.DateRow(id, values, p.state.Zone)
	if !ok {
		return
	}
	row.ID, row.UpdatedAt = c.after.Date, strtotime.Wall(e.entered.UTC())
	o := row.Occurrence()
	o.ID, o.EventID, o.Hash, o.UpdatedAt = row.ID, row.ID, schema.OccurrenceHash(o), row.UpdatedAt
	c.events, c.occurrences = append(c.events, *row), append(c.occurrences, o)
	c.after.Date++
	if e.status == schema.StatusPublish || e.status == schema.StatusPrivate {
		c.ends.widen(edges{edge{id, row.StartDateUTC}, edge{id, row.EndDateUTC}})
	}
}
