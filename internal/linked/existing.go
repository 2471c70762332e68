package linked

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// existing returns the ids of stored items that are the same as new ones in l (D71). A stored item is the same if it is
// published, is in the request's language, and has the name and every other value given; it has to be the only one, and
// the caller must be able to read it. Values that a password hides are not compared, so that nobody can guess them.
func (r Linker) existing(ctx context.Context, l Links) (map[*linked]int64, error) {
	names, namedAs := []string{}, map[*linked]int{} // namedAs is the index of an item's name in names
	for _, it := range l.items {
		if it.id != 0 || nameless(it.in) {
			continue
		}
		if name := r.kind.Service.Content.Title(ctx, *it.in.Shared.Title); name != "" {
			at := slices.Index(names, name)
			if at < 0 {
				at, names = len(names), append(names, name)
			}
			namedAs[it] = at
		}
	}
	named, err := r.kind.Service.Content.Store.Posts.PublishedAs(ctx, r.kind.PostType, r.kind.Service.Content.Languages.Filter(ctx,
		r.kind.PostType), names)
	if err != nil {
		return nil, err
	}
	named = slices.DeleteFunc(named, func(n *store.Named) bool {
		return !r.kind.Service.Content.Types.CanOpen(ctx, store.PostAccess{
			ID: n.ID, Author: n.Author, Status: n.Status, Type: n.Type, Protected: n.Password != "",
		})
	})
	metas, err := r.metaOf(ctx, named)
	if err != nil {
		return nil, err
	}
	is := map[*linked]int64{}
	for it, name := range namedAs {
		var same []int64
		for _, n := range named {
			if !n.Names[name] {
				continue
			}
			equal, err := r.equals(ctx, it, content.EditOf(n.Post, metas[n.ID]))
			if err != nil {
				return nil, err
			}
			if equal {
				same = append(same, n.ID)
			}
		}
		if len(same) == 1 {
			is[it] = same[0]
		}
	}
	return is, nil
}

func (r Linker) metaOf(ctx context.Context, posts []*store.Named) (map[int64][]*schema.PostMeta, error) {
	var ids []int64
	for _, p := range posts {
		ids = append(ids, p.ID)
	}
	rows, err := r.kind.Service.Content.Store.Posts.MetaRows(ctx, ids)
	of := make(map[int64][]*schema.PostMeta, len(ids))
	for _, row := range rows {
		of[row.PostID] = append(of[row.PostID], row)
	}
	return of, err
}

// equals reports whether a stored item has every given value of a new item, apart from the name: an update with them
// would change nothing. Empty strings count as absent, as for new items (D19).
func (r Linker) equals(ctx context.Context, it *linked, stored *content.Edit) (bool, error) {
	in, shared := *it.in, *it.in.Shared
	in.Shared, shared.Title = &shared, nil
	for _, text := range []**string{&shared.Description, &shared.Excerpt} {
		if *text != nil && **text == "" {
			*text = nil
		}
	}
	err := r.kind.Apply(ctx, &in, stored)
	var refused *param.Failure
	if errors.Is(err, caller.ErrForbidden) || errors.As(err, &refused) {
		return false, nil // a new item is rejected for the same reason
	}
	return err == nil && stored.Unchanged(), err
}

// made is an item that the current write inserted.
type made struct {
	name string // folded
	row  schema.Post
	meta []*schema.PostMeta // nil until it is compared
}

// amongMade returns the id of an item that this write inserted and that is the same as a new one (D71): its name
// differs at most in case and accents, and it has every given value. It returns 0 if there is none.
func (r Linker) amongMade(ctx context.Context, it *linked, inserted []*made) (int64, error) {
	if it.id != 0 || nameless(it.in) {
		return 0, nil
	}
	name := wp.Folded(r.kind.Service.Content.Title(ctx, *it.in.Shared.Title))
	for _, m := range inserted {
		if m.name != name {
			continue
		}
		if m.meta == nil {
			var err error
			if m.meta, err = r.kind.Service.Content.Store.Posts.MetaRows(ctx, []int64{m.row.ID}); err != nil {
				return 0, err
			}
		}
		if equal, err := r.equals(ctx, it, content.EditOf(m.row, m.meta)); equal || err != nil {
			return m.row.ID, err
		}
	}
	return 0, nil
}

// published returns those of the existing items that are still published, and locks them, so that none that is being
// moved to the trash is linked.
func (r Linker) published(ctx context.Context, existing map[*linked]int64) (map[*linked]int64, error) {
	if len(existing) == 0 {
		return nil, nil
	}
	published, err := r.kind.Service.Content.Store.Posts.LockPublished(ctx, slices.Collect(maps.Values(existing)))
	maps.DeleteFunc(existing, func(_ *linked, id int64) bool { return !published[id] })
	return existing, err
}
