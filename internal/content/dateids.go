package content

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// insertPost adds a post and sets its id. Occurrences have ids in a range above those of posts: if the new id comes
// near that range, the range is moved up (D67).
func insertPost(ctx context.Context, st *store.Store, p *schema.Post) error {
	if err := st.Posts.Insert(ctx, p); err != nil {
		return err
	}
	base := site.From(ctx).NextDateBase(p.ID)
	if base == 0 {
		return nil
	}
	stored, found, err := st.Options.Lock(ctx, schema.OptionDateBase)
	if err != nil {
		return err
	}
	if n, _ := strconv.ParseInt(stored, 10, 64); n >= base { // an earlier step of this write has moved it
		return nil
	}
	return st.Options.Set(ctx, schema.OptionDateBase, strconv.FormatInt(base, 10), found)
}
