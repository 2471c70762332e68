package auth

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

// Keys contains the secret constants of wp-config.php with the same names, which sign cookies and nonces. They are
// never printed.
type Keys struct{ LoggedInKey, LoggedInSalt, NonceKey, NonceSalt string }

// Format prevents the keys from being printed.
func (Keys) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("keys")) }

// LogValue prevents the keys from being logged.
func (Keys) LogValue() slog.Value { return slog.StringValue("keys") }

// Complete reports whether all keys are set. With an incomplete set anybody could compute a nonce, so such a set is not
// used at all.
func (k *Keys) Complete() bool {
	return k != nil && k.LoggedInKey != "" && k.LoggedInSalt != "" && k.NonceKey != "" && k.NonceSalt != ""
}

func hexMAC(algorithm func() hash.Hash, key, message string) string {
	mac := hmac.New(algorithm, []byte(key))
	mac.Write([]byte(message))
	return hex.EncodeToString(mac.Sum(nil))
}

// cookieMAC returns the MAC of a login cookie. It depends on a part of the account's password hash, so that changing
// the password ends old logins.
func (k *Keys) cookieMAC(c cookie, passwordHash string) string {
	fragment := passwordHash[max(0, len(passwordHash)-4):]
	if strings.HasPrefix(passwordHash, phpassPrefix) || strings.HasPrefix(passwordHash, "$2y$") {
		// WordPress uses a part from the middle for these older formats, and existing logins must stay valid.
		fragment = passwordHash[min(8, len(passwordHash)):min(12, len(passwordHash))]
	}
	key := hexMAC(md5.New, k.LoggedInKey+k.LoggedInSalt, c.login+"|"+fragment+"|"+c.expiration+"|"+c.token)
	return hexMAC(sha256.New, key, c.login+"|"+c.expiration+"|"+c.token)
}

// nonceTick is the number of seconds for which a nonce stays the same. It is accepted for one more tick.
const nonceTick = 12 * 60 * 60

// nonce returns the nonce of a session for WordPress's own pages, and that of the previous tick.
func (k *Keys) nonce(now time.Time, user int64, token string) (current, previous string) {
	tick := (now.Unix() + nonceTick - 1) / nonceTick
	at := func(tick int64) string {
		sum := hexMAC(md5.New, k.NonceKey+k.NonceSalt, strconv.FormatInt(tick, 10)+"|wp_rest|"+strconv.FormatInt(user, 10)+"|"+token)
		return sum[len(sum)-12 : len(sum)-2]
	}
	return at(tick), at(tick - 1)
}

// accepts reports whether a nonce belongs to a session, and returns a fresh one.
func (k *Keys) accepts(given string, now time.Time, user int64, token string) (fresh string, ok bool) {
	current, previous := k.nonce(now, user, token)
	isCurrent, isPrevious := equal(given, current), equal(given, previous)
	return current, isCurrent || isPrevious
}
