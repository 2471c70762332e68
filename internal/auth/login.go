package auth

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// ByPassword authenticates a user with an application password. A wrong password, or one of an unknown user, is
// rejected at a fixed time after the request arrived.
func (u *Users) ByPassword(ctx context.Context, r *http.Request, name, password string) (caller.Principal, error) {
	var used *phpval.Array
	user, err := u.login(ctx, r, name, func(user *userstore.User) bool {
		used = usedPassword(user, password)
		return used != nil
	})
	if err != nil {
		return caller.Principal{}, err
	}
	u.noteUse(ctx, r, user, used)
	return u.principal(ctx, user), nil
}

// usedPassword returns the entry of the user's application password that equals password, or nil. If the stored list
// cannot be read, no password is accepted.
func usedPassword(user *userstore.User, password string) *phpval.Array {
	list, err := parseList(user.ApplicationPasswords)
	if err != nil {
		return nil
	}
	return find(list, newSecret(password))
}

// noteUse stores that an application password was used, at most once a day.
func (u *Users) noteUse(ctx context.Context, r *http.Request, user *userstore.User, used *phpval.Array) {
	list, err := parseList(user.ApplicationPasswords)
	if err != nil {
		return
	}
	id, hash, client := stringField(used, fieldUUID), stringField(used, fieldHash), u.Network.Client(r)
	if recordUse(list, id, hash, u.Now(), client) {
		u.storeUse(ctx, user.ID, id, hash, client)
	}
}

// login finds a user by name or e-mail address, and accepts the login if right returns true and no limit of wrong
// passwords is exceeded. A login is rejected at a fixed time after the request arrived.
func (u *Users) login(ctx context.Context, r *http.Request, name string, right func(*userstore.User) bool) (*userstore.User, error) {
	arrived := u.refusals.now()
	if !u.Network.Secure(r) {
		return nil, rest.ErrPlainHTTP
	}
	client, login, email := u.Network.Client(r), cleanLogin(name, site.From(ctx).Links.Spelling()), ""
	if wp.IsEmail(name) {
		email = name
	}
	a := u.Limiter.attempt(login, client)
	if wait := u.Limiter.wait(a, u.Now()); wait > 0 {
		return nil, tooMany(wait)
	}
	s, wait := u.shared.attempt(ctx, login, client, u.Now())
	if wait > 0 {
		u.Limiter.learn(a, s.counts, u.Now())
		return nil, tooMany(wait)
	}
	user, err := u.Store.Find(ctx, login, email)
	if err != nil && !errors.Is(err, userstore.ErrNoUser) {
		return nil, err
	}
	if err != nil || user.Barred || !right(user) {
		return nil, u.refuse(ctx, a, s, user, client, arrived)
	}
	if wait := u.Limiter.succeeded(a, u.Now()); wait > 0 {
		return nil, u.untold(ctx, wait, arrived)
	}
	u.shared.succeeded(ctx, s, u.Now())
	return user, nil
}

// refuse counts and logs a wrong password, and returns the error for the response at the fixed time. user is nil if it
// is unknown.
func (u *Users) refuse(ctx context.Context, a attempt, s *sharedAttempt, user *userstore.User, client string,
	arrived time.Time) error {
	wait, last := u.Limiter.failed(a, u.Now())
	if wait == 0 {
		wait = u.shared.failed(ctx, s, u.Now())
	}
	if wait > 0 {
		return u.untold(ctx, wait, arrived)
	}
	message := "wrong password or user"
	if last {
		message = "too many wrong passwords: no more are checked for a while"
	}
	name := "unknown" // not the name as it was typed, because people accidentally type passwords there
	if user != nil {
		name = user.Login
	}
	u.Logger.WarnContext(ctx, message, "user", name, "client", client)
	if !u.refusals.wait(ctx, arrived) {
		return tooMany(u.refusals.after)
	}
	return rest.ErrPassword
}

// untold returns the response to an attempt that was checked while others reached a limit. Neither its text nor its
// time reveals the result.
func (u *Users) untold(ctx context.Context, wait time.Duration, arrived time.Time) error {
	u.refusals.wait(ctx, arrived)
	return tooMany(wait)
}

// TryPostPassword counts an attempt at a post's password by the client of a request. right says whether the password
// was right. Beyond the limit it returns an error.
func (u *Users) TryPostPassword(r *http.Request, post int64, right bool) error {
	address := u.Network.Client(r)
	wait := u.Limiter.tried(address, post, right, u.Now())
	if wait == 0 {
		wait = u.shared.tried(r.Context(), address, post, right, u.Now())
	}
	if wait > 0 {
		return tooMany(wait)
	}
	return nil
}

func tooMany(wait time.Duration) error {
	return rest.ErrAttempts.After(int64(math.Ceil(wait.Seconds())))
}

// recordingTime limits how long a request waits until the use of its password is stored.
const recordingTime = 2 * time.Second

// storeUse stores that a password was used, in the current stored list. A failure is logged and does not fail the
// request.
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
		u.Logger.WarnContext(ctx, "the use of an application password could not be recorded", "user", userID,
			"reason", userstore.Reason(err))
	}
}
