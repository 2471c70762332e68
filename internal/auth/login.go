package auth

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// nobodysPasswords stand in for those of a user who has none, or does not exist,
// so that looking takes as long.
const nobodysPasswords = `a:1:{i:0;a:7:{s:4:"uuid";s:36:"00000000-0000-4000-8000-000000000000";s:6:"app_id";s:0:"";s:4:"name";s:6:"nobody";` +
	`s:8:"password";s:49:"$generic$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";s:7:"created";i:1;s:9:"last_used";N;s:7:"last_ip";N;}}`

// byPassword lets a user in with an application password. Older forms of hashes
// take longer than the present one, for which an unknown user takes as long.
func (u *Users) byPassword(ctx context.Context, r *http.Request, name, password string) (rest.Principal, error) {
	if !u.Network.Secure(r) {
		return rest.Principal{}, errPlain
	}
	client, login, email := u.Network.Client(r), cleanLogin(name), ""
	if isEmail(name) {
		email = name
	}
	a := u.limiter.attempt(login, client)
	if wait := u.limiter.wait(a, u.Now()); wait > 0 {
		return rest.Principal{}, tooMany(wait)
	}
	user, err := u.Store.Find(ctx, login, email)
	if err != nil && !errors.Is(err, store.ErrNoUser) {
		return rest.Principal{}, err
	}
	known := err == nil
	if !known {
		user = &store.User{}
	}
	list, err := parseList(user.ApplicationPasswords)
	if err != nil || list.Len() == 0 {
		known = false
		if list, err = parseList(nobodysPasswords); err != nil {
			return rest.Principal{}, err
		}
	}
	used := find(list, newSecret(password))
	if !known || used == nil {
		return rest.Principal{}, u.refuse(ctx, a, client)
	}
	if wait := u.limiter.succeeded(a, u.Now()); wait > 0 {
		return rest.Principal{}, tooMany(wait)
	}
	id, hash := text(used, fieldUUID), text(used, fieldHash)
	if recordUse(list, id, hash, u.Now(), client) {
		u.storeUse(ctx, user.ID, id, hash, client)
	}
	return u.principal(ctx, user), nil
}

// refuse counts a wrong password and returns the answer to it.
func (u *Users) refuse(ctx context.Context, a attempt, client string) error {
	wait, last := u.limiter.failed(a, u.Now())
	if wait > 0 {
		return tooMany(wait)
	}
	if last {
		u.Logger.WarnContext(ctx, "too many wrong passwords, no more are looked at for a while", "client", client)
	} else {
		u.Logger.DebugContext(ctx, "wrong password or user", "client", client)
	}
	return errPassword
}

func tooMany(wait time.Duration) error {
	return errAttempts.WithHeader("Retry-After", int64(math.Ceil(wait.Seconds())))
}

// recordingTime is how long a request waits for a note about it to be stored.
const recordingTime = 2 * time.Second

// storeUse stores that a password was used, in the list as it is stored by now. A
// request is not worse for it when that fails.
func (u *Users) storeUse(ctx context.Context, userID int64, id, hash, client string) {
	within, cancel := context.WithTimeout(ctx, recordingTime)
	defer cancel()
	now := u.Now()
	err := u.Store.UpdatePasswords(within, userID, func(stored string) (string, bool) {
		list, err := parseList(stored)
		if err != nil || !recordUse(list, id, hash, now, client) {
			return "", false
		}
		return phpval.Serialize(list), true
	})
	if err != nil {
		u.Logger.WarnContext(ctx, "the use of an application password could not be noted", "user", userID, "reason", store.Reason(err))
	}
}
