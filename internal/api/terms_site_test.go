package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// roles are what the callers of the tests may do, and no more.
var roles = map[string]string{
	"editor":      "edit_tribe_events publish_tribe_events manage_categories edit_posts",
	"author":      "edit_tribe_events publish_tribe_events edit_posts",
	"contributor": "edit_tribe_events edit_posts",
	"subscriber":  "read",
}

// server serves a fresh copy of the recorded site to callers of these roles.
type server struct {
	*apitest.Site
	categories, tags *term.UseCases
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := apitest.Open(t)
	for role, capabilities := range roles {
		p := caller.Principal{UserID: 2, Capabilities: map[string]bool{}}
		for c := range strings.FieldsSeq(capabilities) {
			p.Capabilities[c] = true
		}
		s.Callers[role] = p
	}
	return &server{s, s.Events.Categories, s.Events.Tags}
}

// rows returns all rows that writes of terms may touch.
func (s *server) rows() string {
	s.T.Helper()
	var b strings.Builder
	for _, q := range []string{
		"SELECT CONCAT_WS('|', 'term', term_id, name, slug, term_group) FROM wp_terms ORDER BY term_id",
		"SELECT CONCAT_WS('|', 'place', term_taxonomy_id, term_id, taxonomy, description, parent, count) FROM wp_term_taxonomy " +
			"ORDER BY term_taxonomy_id",
		"SELECT CONCAT_WS('|', 'has', object_id, term_taxonomy_id, term_order) FROM wp_term_relationships " +
			"ORDER BY object_id, term_taxonomy_id",
		"SELECT CONCAT_WS('|', 'meta', meta_id, term_id, meta_key, meta_value) FROM wp_termmeta ORDER BY meta_id",
		"SELECT CONCAT_WS('|', option_name, option_value) FROM wp_options ORDER BY option_id",
		"SELECT CONCAT_WS('|', ID, post_modified, post_status) FROM wp_posts ORDER BY ID",
	} {
		b.WriteString(strings.Join(s.Scan(q), "\n") + "\n")
	}
	return b.String()
}

// added returns what one state of the rows has and another has not.
func added(before, after string) []string {
	old := strings.Split(before, "\n")
	return slices.DeleteFunc(strings.Split(after, "\n"), func(line string) bool {
		return slices.Contains(old, line) || strings.HasPrefix(line, schema.OptionLastSavePost)
	})
}

// takeChanges returns the changes that hooks were called with since the last call.
func (s *server) takeChanges() []content.Change {
	c := s.Changes
	s.Changes = nil
	return c
}
