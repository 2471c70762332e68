package auth

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
)

// firstTime is how long the key for the first user is valid.
const firstTime = time.Hour

// administrator is the role with all capabilities.
const administrator = "administrator"

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
	return f.key != "" && now.Before(f.ends) && equal(f.key, key)
}

// OpenFirst returns a key with which its holder can create the first user of a standalone site. It is "" if a user of
// the site can already add others, if the site has another admin, and if readOnly is true.
func (a *Accounts) OpenFirst(ctx context.Context, readOnly bool) (key string, err error) {
	rights, err := a.Users.Store.WithRights(ctx)
	if err != nil || !site.From(ctx).Own || readOnly || Managed(ctx, rights) {
		return "", err
	}
	key = NewToken()
	a.first.open(key, a.Users.Now().Add(firstTime))
	return key, nil
}

// CheckFirst returns ErrInvitation unless a key was returned by OpenFirst and is still valid.
func (a *Accounts) CheckFirst(key string) error {
	if !a.first.accepts(key, a.Users.Now()) {
		return ErrInvitation
	}
	return nil
}

// AddFirst creates the first user of a site, an administrator, with the key that OpenFirst returned, and a session of
// this user. The key can be used once.
func (a *Accounts) AddFirst(ctx context.Context, r *http.Request, key, login, email, password string) (Began, error) {
	if err := a.CheckFirst(key); err != nil {
		return Began{}, err
	}
	if err := a.secure(r); err != nil {
		return Began{}, err
	}
	hash, err := HashChosen(password)
	if err != nil {
		return Began{}, err
	}
	n := NewUser{Login: login, Email: email, Role: administrator}
	id, err := a.Users.Add(ctx, n, hash, "", func(rights []string) error {
		if Managed(ctx, rights) {
			return ErrInvitation
		}
		return nil
	})
	if err != nil {
		return Began{}, err
	}
	a.first.open("", time.Time{})
	return a.begin(ctx, r, &userstore.User{ID: id, Login: login, PasswordHash: hash}, "", false)
}
