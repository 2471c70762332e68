package linked_test

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// calendar is the recorded site.
type calendar struct {
	*apitest.Site
	venues, organizers *linked.UseCases
}

func open(t *testing.T) *calendar {
	t.Helper()
	s := apitest.Open(t)
	return &calendar{s, s.Events.Venues, s.Events.Organizers}
}

// linking are the events that link a post, by id.
func (c *calendar) linking(key string, id int64) []int64 {
	c.T.Helper()
	events := []int64{}
	err := c.DB.NewSelect().Model((*schema.PostMeta)(nil)).Column("post_id").Where("meta_key = ? AND meta_value = ?", key,
		fmt.Sprint(id)).Order("post_id").Scan(c.T.Context(), &events)
	if err != nil {
		c.T.Fatal(err)
	}
	return events
}
