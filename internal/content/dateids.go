package content

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

// insertPost adds a post and sets its id. Where that comes near the ids of dates, which are
// above those of posts, these move up (D67).
func (s *Service) insertPost(ctx context.Context, p *schema.Post) error {
	if err := s.Store.Posts.Insert(ctx, p); err != nil {
		return err
	}
	base := site.From(ctx).NextDateBase(p.ID)
	if base == 0 {
		return nil
	}
	stored, found, err := s.Store.Options.Lock(ctx, schema.OptionDateBase)
	if err != nil {
		return err
	}
	if n, _ := strconv.ParseInt(stored, 10, 64); n >= base { // an earlier part of this write has moved them
		return nil
	}
	return s.Store.Options.Set(ctx, schema.OptionDateBase, strconv.FormatInt(base, 10), found)
}
