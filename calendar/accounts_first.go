package calendar

import (
	"context"
	"crypto/subtle"
	"net/http"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
)

// firstTime is how long the key for the first user is valid.
const firstTime = time.Hour

// firstUser is the key with which anybody may create the first user of a site. It is kept in the memory of the process.
// The zero value accepts no key.
type firstUser struct {
	mu   sync.Mutex
	key  string
	ends time.Time
}

func (f *firstUser) open(key string, ends time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.key, f.ends = key, ends
}

func (f *firstUser) accepts(key string, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.key != "" && now.Before(f.ends) && subtle.ConstantTimeCompare([]byte(f.key), []byte(key)) == 1
}

// OpenFirst returns a key with which its holder can create the first user of a standalone site, an administrator. The
// key is valid for an hour, or until there is such a user. It is "" if a user of the site can already add others, if
// the site has another admin, and if the calendar is read-only.
func (a Accounts) OpenFirst(ctx context.Context) (key string, err error) {
	err = a.use(ctx, func(ctx context.Context) error {
		rights, err := a.c.users.Store.WithRights(ctx)
		if err != nil || !site.From(ctx).Own || a.c.ReadOnly() || auth.Managed(ctx, rights) {
			return err
		}
		key = auth.NewToken()
		a.c.first.open(key, a.c.options.Now().Add(firstTime))
		return nil
	})
	return key, err
}

// First returns an *Error with status 410 unless key was returned by OpenFirst and is still valid.
func (a Accounts) First(ctx context.Context, key string) error {
	return a.use(ctx, func(context.Context) error { return a.checkFirst(key) })
}

func (a Accounts) checkFirst(key string) error {
	if !a.c.first.accepts(key, a.c.options.Now()) {
		return auth.ErrInvitation
	}
	return nil
}

// administrator is the role with all capabilities.
const administrator = "administrator"

// AddFirst creates the first user of a site with the key that OpenFirst returned, and a session of this user. The key
// can be used once.
func (a Accounts) AddFirst(ctx context.Context, r *http.Request, key, login, email, password string) (began Session, err error) {
	err = a.withWrites(ctx, func(ctx context.Context) error {
		if err := a.checkFirst(key); err != nil {
			return err
		}
		if err := a.secure(r); err != nil {
			return err
		}
		hash, err := auth.HashChosen(password)
		if err != nil {
			return err
		}
		n := auth.NewUser{Login: login, Email: email, Role: administrator}
		id, err := a.c.users.Add(ctx, n, hash, "", func(rights []string) error {
			if auth.Managed(ctx, rights) {
				return auth.ErrInvitation
			}
			return nil
		})
		if err != nil {
			return err
		}
		a.c.first.open("", time.Time{})
		began, err = a.begin(ctx, r, &userstore.User{ID: id, Login: login, PasswordHash: hash}, "", false)
		return err
	})
	return began, err
}
