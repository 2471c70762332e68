package contract

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/agendahq/agenda/schema"
)

// snapshot is all that a site stores.
type snapshot struct {
	posts map[int64]schema.Post
	metas map[int64]string  // of a post, "key=value" line by line
	terms map[int64]string  // names by id
	rest  map[string]string // other tables
}

// snapshot reads all rows.
func (s *site) snapshot() *snapshot {
	s.T.Helper()
	shot := &snapshot{posts: map[int64]schema.Post{}, metas: map[int64]string{}, terms: map[int64]string{}, rest: map[string]string{}}
	var posts []*schema.Post
	var metas []*schema.PostMeta
	var terms []*schema.Term
	s.all(&posts, "ID")
	s.all(&metas, "meta_id")
	s.all(&terms, "term_id")
	for _, p := range posts {
		shot.posts[p.ID] = *p
	}
	for _, m := range metas {
		shot.metas[m.PostID] += m.Key + "=" + m.Value + "\n"
	}
	for _, t := range terms {
		shot.terms[t.ID] = t.Name + " " + t.Slug
	}
	shot.rest["term_taxonomy"] = rowsText[schema.TermTaxonomy](s, "term_taxonomy_id")
	shot.rest["term_relationships"] = rowsText[schema.TermRelationship](s, "object_id", "term_taxonomy_id")
	shot.rest["options"] = rowsText[schema.Option](s, "option_id")
	shot.rest["tec_events"] = rowsText[schema.EventRow](s, "event_id")
	shot.rest["tec_occurrences"] = rowsText[schema.Occurrence](s, "occurrence_id")
	shot.rest["users"] = rowsText[schema.User](s, "ID")
	shot.rest["usermeta"] = rowsText[schema.UserMeta](s, "umeta_id")
	return shot
}

func (s *site) all(rows any, order ...string) {
	s.T.Helper()
	if err := s.DB.NewSelect().Model(rows).Order(order...).Scan(context.Background()); err != nil {
		s.T.Fatalf("%T: %v", rows, err)
	}
}

func rowsText[T any](s *site, order ...string) string {
	s.T.Helper()
	var rows []*T
	s.all(&rows, order...)
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%+v\n", *r)
	}
	return b.String()
}

// same tells in which respect two snapshots differ, "" if in none.
func (s *snapshot) same(other *snapshot) string {
	for name, rows := range s.rest {
		if rows != other.rest[name] {
			return name
		}
	}
	switch {
	case !maps.Equal(s.posts, other.posts):
		return "posts"
	case !maps.Equal(s.metas, other.metas):
		return "postmeta"
	case !maps.Equal(s.terms, other.terms):
		return "terms"
	}
	return ""
}

// compare looks for rows that changed though nobody was allowed to: after
// refusals any row, after writes (wrote) those of other posts.
func (p *plan) compare(c *complaints, before, after *snapshot, wrote bool) {
	p.T.Helper()
	if !wrote {
		if table := before.same(after); table != "" {
			p.T.Errorf("reads and refused writes changed the table %s", table)
		}
	}
	for _, in := range p.inquiries {
		if in.subject == nil || wrote && in.changes() {
			continue
		}
		id, isTerm := in.subject.id, in.state == ""
		switch {
		case isTerm && before.terms[id] != after.terms[id]:
			c.of(in, "the term changed")
		case isTerm: // posts may have the same id
		case before.posts[id] != after.posts[id]:
			c.of(in, "the row of the post changed")
		case before.metas[id] != after.metas[id]:
			c.of(in, "the meta rows of the post changed")
		}
	}
}

// effects looks for what allowed writes were to do.
func (p *plan) effects(c *complaints, before, after *snapshot) {
	created := map[string]bool{}
	for id, row := range after.posts {
		if _, old := before.posts[id]; !old && row.Type != schema.TypeRevision {
			created[row.Title] = true
		}
	}
	for id, name := range after.terms {
		if _, old := before.terms[id]; !old {
			title, _, _ := strings.Cut(name, " changed")
			created[title] = true
		}
	}
	wanted := 0
	for _, in := range p.inquiries {
		switch {
		case !in.changes():
		case in.subject == nil:
			wanted++
			if !created[in.title] {
				c.of(in, "nothing was made")
			}
		case in.state == "":
			c.of(in, in.termEffect(after))
		default:
			c.of(in, in.postEffect(before, after))
		}
	}
	if len(created) != wanted {
		p.T.Errorf("%d items were made, want %d", len(created), wanted)
	}
}

func (in *inquiry) termEffect(after *snapshot) string {
	name, stored := after.terms[in.subject.id]
	switch {
	case strings.HasPrefix(in.method, "DELETE") && stored:
		return "the term is still there"
	case !strings.HasPrefix(in.method, "DELETE") && !strings.HasPrefix(name, in.title+" "):
		return "the term is " + name
	}
	return ""
}

func (in *inquiry) postEffect(before, after *snapshot) string {
	id := in.subject.id
	was, is := before.posts[id], after.posts[id]
	metas := after.metas[id]
	switch {
	case in.method == forced:
		if is.ID != 0 || metas != "" {
			return "the post is still there"
		}
	case in.method == "DELETE":
		if is.Status != schema.StatusTrash || !strings.Contains(metas, schema.MetaTrashStatus+"="+was.Status+"\n") {
			return "the post is not in the trash: " + is.Status + "\n" + metas
		}
	case is.Title != in.title || is.Status != was.Status || is.Author != was.Author || is.Name != was.Name:
		return fmt.Sprintf("the post became %q, %s, of %d, %s", is.Title, is.Status, is.Author, is.Name)
	}
	return ""
}
