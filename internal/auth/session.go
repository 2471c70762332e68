package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Fields of a stored session. Sessions of our pages are stored among those of WordPress and in the same format, by the
// SHA-256 of a token that only the browser has. Ours have two additional fields, which WordPress preserves and which
// distinguish them: tokens of WordPress's sessions are not accepted here, nor ours there.
const (
	fieldExpiration = "expiration"
	fieldIP         = "ip"
	fieldAgent      = "ua"
	fieldLogin      = "login"
	fieldProof      = "agenda"          // HMAC of the account's password hash with the token as key: a new password ends the session
	fieldUsed       = "agenda_password" // id of the application password that began the session: revoking it ends the session
)

const (
	maxSessions   = 10 // per user; the oldest is ended
	maxAgent      = 255
	shortSession  = 12 * time.Hour
	longerSession = 14 * 24 * time.Hour // with "remember me"
)

func verifierOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func proofOf(token, passwordHash string) string { return hexMAC(sha256.New, token, passwordHash) }

// Begin begins a session of a user and returns its token and its end. used is the id of the application password with
// which the user signed in, or "" for the account's password.
func (u *Users) Begin(ctx context.Context, r *http.Request, user *userstore.User, used string, remember bool) (token string, ends time.Time,
	err error) {
	token, now := NewToken(), u.Now()
	ends = now.Add(shortSession)
	if remember {
		ends = now.Add(longerSession)
	}
	session := phpval.Members(
		fieldExpiration, ends.Unix(), fieldIP, u.Network.Client(r), fieldAgent, agentOf(r), fieldLogin, now.Unix(),
		fieldProof, proofOf(token, user.PasswordHash), fieldUsed, used,
	)
	err = u.changeSessions(ctx, user.ID, func(all *phpval.Array) {
		prune(all, now)
		all.Set(phpval.StrKey(verifierOf(token)), session)
	})
	return token, ends, err
}

func agentOf(r *http.Request) string {
	agent := strings.ToValidUTF8(r.UserAgent(), "")
	if len(agent) > maxAgent {
		agent = strings.ToValidUTF8(agent[:maxAgent], "")
	}
	return agent
}

// ErrSessions is returned for stored sessions that cannot be read. They must not be overwritten.
var ErrSessions = errors.New("auth: the stored sessions cannot be read")

// changeSessions changes the stored sessions of a user while holding a lock.
func (u *Users) changeSessions(ctx context.Context, user int64, change func(*phpval.Array)) error {
	var unread error
	err := u.Store.UpdateSessions(ctx, user, func(stored string) (string, bool) {
		all, err := parseList(stored)
		if unread = nil; err != nil {
			unread = ErrSessions
			return "", false
		}
		change(all)
		changed := phpval.Serialize(all)
		return changed, changed != stored
	})
	return errors.Join(err, unread)
}

// ours iterates over those sessions of a list that our pages began. They are in the order of the list, which usually is
// that of their beginning.
func ours(all *phpval.Array) func(yield func(phpval.Key, *phpval.Array) bool) {
	return func(yield func(phpval.Key, *phpval.Array) bool) {
		for key, session := range passwords(all) {
			if _, is := session.Get(fieldProof); is && !yield(key, session) {
				return
			}
		}
	}
}

// prune removes our sessions that have ended, and the oldest ones as far as one more would exceed maxSessions.
func prune(all *phpval.Array, now time.Time) {
	var live []phpval.Key
	for key, session := range ours(all) {
		if phpval.Int(session.At(fieldExpiration)) < now.Unix() {
			all.Delete(key)
			continue
		}
		live = append(live, key)
	}
	for _, key := range live[:max(0, len(live)+1-maxSessions)] {
		all.Delete(key)
	}
}

// session reports whether a token belongs to a session of a user, and returns when it ends.
func (u *Users) session(user *userstore.User, token string) (ends time.Time, ok bool) {
	all, err := parseList(user.SessionTokens)
	if err != nil || len(token) != tokenLength {
		return ends, false
	}
	session := all.ArrayAt(verifierOf(token))
	if session == nil || !equal(stringField(session, fieldProof), proofOf(token, user.PasswordHash)) {
		return ends, false
	}
	ends = time.Unix(phpval.Int(session.At(fieldExpiration)), 0)
	used := stringField(session, fieldUsed)
	return ends, !ends.Before(u.Now()) && (used == "" || hasPassword(user, used))
}

// hasPassword reports whether a user has the application password with an id.
func hasPassword(user *userstore.User, id string) bool {
	list, err := ListPasswords(user.ApplicationPasswords)
	return err == nil && slices.ContainsFunc(list, func(p AppPassword) bool { return p.UUID == id })
}

// End ends the session of a user with a token.
func (u *Users) End(ctx context.Context, user int64, token string) error {
	return u.changeSessions(ctx, user, func(all *phpval.Array) { all.Delete(phpval.StrKey(verifierOf(token))) })
}

// EndAll ends all sessions of a user on our pages.
func (u *Users) EndAll(ctx context.Context, user int64) error {
	return u.changeSessions(ctx, user, removeOurs)
}

func removeOurs(all *phpval.Array) {
	for key := range ours(all) {
		all.Delete(key)
	}
}

// WithoutSessions removes the sessions of our pages from stored sessions, and reports whether there were any. Sessions
// that cannot be read are returned unchanged.
func WithoutSessions(stored string) (rest string, removed bool) {
	all, err := parseList(stored)
	if err != nil {
		return stored, false
	}
	before := all.Len()
	removeOurs(all)
	return phpval.Serialize(all), all.Len() < before
}
