package contract

import (
	"fmt"
	"strings"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// snapshot contains everything that a site stores.
type snapshot struct {
	rows  apitest.Rows
	posts map[int64]schema.Post
	metas map[int64]string // by post, "key=value" in each line
	terms map[int64]string // names by id
}

// snapshot reads all rows.
func (s *site) snapshot() *snapshot {
	s.T.Helper()
	shot := &snapshot{rows: s.Rows(), posts: map[int64]schema.Post{}, metas: map[int64]string{}, terms: map[int64]string{}}
	for _, p := range rowsOf[schema.Post](s, "ID") {
		shot.posts[p.ID] = p
	}
	for _, m := range rowsOf[schema.PostMeta](s, "meta_id") {
		shot.metas[m.PostID] += m.Key + "=" + m.Value + "\n"
	}
	for _, t := range rowsOf[schema.Term](s, "term_id") {
		shot.terms[t.ID] = t.Name + " " + t.Slug
	}
	return shot
}

// rowsOf returns all rows of a model.
func rowsOf[T any](s *site, order string) (rows []T) {
	s.T.Helper()
	if err := s.DB.NewSelect().Model(&rows).Order(order).Scan(s.T.Context()); err != nil {
		s.T.Fatalf("%T: %v", rows, err)
	}
	return rows
}

// compare reports rows that should not have changed: after rejected requests any row, and after writes (wrote) those of
// other posts.
func (p *plan) compare(c *complaints, before, after *snapshot, wrote bool) {
	p.T.Helper()
	if !wrote {
		if lines := before.rows.Differences(after.rows); len(lines) > 0 {
			p.T.Errorf("reads and refused writes changed\n%s", strings.Join(lines, "\n"))
		}
	}
	for _, in := range p.inquiries {
		if in.subject == nil || wrote && in.changes() {
			continue
		}
		id, isTerm := in.subject.id, in.state == ""
		switch {
		case isTerm && before.terms[id] != after.terms[id]:
			c.record(in, "the term changed")
		case isTerm: // a post may have the same id
		case before.posts[id] != after.posts[id]:
			c.record(in, "the row of the post changed")
		case before.metas[id] != after.metas[id]:
			c.record(in, "the meta rows of the post changed")
		}
	}
}

// effects checks that allowed writes have changed what they should change.
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
				c.record(in, "nothing was made")
			}
		case in.state == "":
			c.record(in, in.termEffect(after))
		default:
			c.record(in, in.postEffect(before, after))
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
