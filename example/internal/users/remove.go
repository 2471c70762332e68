package users

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/schema"
)

// Administrator is the role that has all rights.
const Administrator = "administrator"

// Remove removes a user of the site and returns how many posts were reassigned to the user heir. If heir is "", it does
// not remove the author of a post. It never removes the last administrator.
func (s *Site) Remove(ctx context.Context, login, heir string) (posts int64, err error) {
	u, err := s.find(ctx, "login", login)
	if err != nil {
		return 0, err
	}
	if s.accounts.OfNetwork(ctx) {
		return 0, mistake("the site belongs to a network: remove its users in the network admin of WordPress")
	}
	var next *userstore.User
	if heir != "" {
		if next, err = s.find(ctx, "reassign", heir); err != nil {
			return 0, err
		}
		if next.ID == u.ID {
			return 0, mistake("--reassign %q: name another user than the one who is removed", heir)
		}
	}
	err = s.inTransaction(ctx, func(ctx context.Context, w *write) error {
		roles, err := s.roles(ctx, w.tx) // locks their row, as adding a user does
		if err != nil {
			return err
		}
		if err := s.notLast(ctx, w, roles, u); err != nil {
			return err
		}
		if posts, err = s.passOn(ctx, w, u, next); err != nil {
			return err
		}
		w.changed.Users(u.ID)
		if _, err := w.tx.NewDelete().Model((*schema.UserMeta)(nil)).Where("user_id = ?", u.ID).Exec(ctx); err != nil {
			return err
		}
		_, err = w.tx.NewDelete().Model((*schema.User)(nil)).Where("ID = ?", u.ID).Exec(ctx)
		return err
	})
	if err != nil {
		return 0, err
	}
	return posts, nil
}

// notLast returns an error if the site has no other administrator.
func (s *Site) notLast(ctx context.Context, w *write, roles site.Roles, u *userstore.User) error {
	var all []schema.UserMeta
	expr, table := s.table("usermeta", "um")
	q := w.tx.NewSelect().Model(&all).ModelTableExpr(expr, table).Where("meta_key = ?", schema.UserMetaCapabilities(s.prefix))
	if err := s.locked(w.tx, q).Scan(ctx); err != nil {
		return err
	}
	was := false
	for _, m := range all {
		for _, role := range rolesOf(roles, m.Value) {
			if role == Administrator && m.UserID != u.ID {
				return nil
			}
			was = was || role == Administrator
		}
	}
	if was {
		return mistake("--login %q: this is the last administrator", u.Login)
	}
	return nil
}

// passOn reassigns a user's posts to another user. It returns an error if there are posts and heir is nil.
func (s *Site) passOn(ctx context.Context, w *write, u, heir *userstore.User) (posts int64, err error) {
	if heir == nil {
		n, err := w.tx.NewSelect().Model((*schema.Post)(nil)).Where("post_author = ?", u.ID).Count(ctx)
		if err == nil && n > 0 {
			err = mistake("--login %q: the user is the author of %d items: name the user who gets them with --reassign", u.Login, n)
		}
		return 0, err
	}
	var last int64
	for n := store.Portion; n == store.Portion; posts += int64(n) {
		var ids []int64
		err := w.tx.NewSelect().Model((*schema.Post)(nil)).Column("ID").Where("post_author = ?", u.ID).Where("ID > ?", last).
			Order("ID").Limit(store.Portion).Scan(ctx, &ids)
		if n = len(ids); err != nil || n == 0 {
			return posts, err
		}
		last = ids[n-1]
		w.changed.Posts(ids...)
		_, err = w.tx.NewUpdate().Model((*schema.Post)(nil)).Set("post_author = ?", heir.ID).Where("ID IN (?)", bun.List(ids)).Exec(ctx)
		if err != nil {
			return 0, err
		}
	}
	return posts, nil
}
