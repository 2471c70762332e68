package auth

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"runtime"
	"strings"

	"golang.org/x/crypto/bcrypt"
	"golang.org/x/crypto/blake2b"
)

const (
	fastPrefix = "$generic$"
	fastKey    = "wp_fast_hash_6.8+"
	fastSize   = 30

	slowPrefix = "$wp$2y$"
	slowKey    = "wp-sha384"

	// maxPassword is the maximum length of passwords that are checked, in bytes.
	maxPassword = 4096
	// maxCost is the maximum cost of stored bcrypt hashes that are checked; it takes about two seconds.
	maxCost = 15
)

// secret is a cleaned application password to check. Its fast hash is computed once, so that checking takes the same
// time for one stored password as for many.
type secret struct{ text, fast string }

// newSecret cleans a password as it was sent. Only ASCII letters and digits count, so it may be written in groups.
func newSecret(sent string) secret {
	var b strings.Builder
	b.Grow(len(sent))
	for _, c := range []byte(sent) {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			b.WriteByte(c)
		}
	}
	text := b.String()
	if len(text) > maxPassword {
		text = ""
	}
	return secret{text, fastHash(text)}
}

// matches reports whether a stored hash belongs to the secret. A hash in an unknown format matches nothing.
func (s secret) matches(hash string) bool {
	switch {
	case s.text == "":
		return false
	case strings.HasPrefix(hash, fastPrefix):
		return equal(s.fast, hash)
	}
	return slowMatches(s.text, hash)
}

// slowMatches reports whether a stored hash belongs to a password, which must not be empty. It supports the formats of
// the hashes of accounts.
func slowMatches(plain, hash string) bool {
	switch {
	case len(hash) <= 2*md5.Size:
		sum := md5.Sum([]byte(plain))
		return equal(hex.EncodeToString(sum[:]), hash)
	case strings.HasPrefix(hash, slowPrefix):
		return bcryptMatches(hash[len("$wp"):], slowText(plain))
	case strings.HasPrefix(hash, phpassPrefix):
		return equal(phpass(plain, hash), hash)
	case strings.HasPrefix(hash, "$2"):
		return bcryptMatches(hash, plain)
	}
	return false
}

// slowText returns the input of bcrypt for a password. Like WordPress, it hashes the password first, because bcrypt
// only uses 72 bytes.
func slowText(plain string) string {
	mac := hmac.New(sha512.New384, []byte(slowKey))
	mac.Write([]byte(plain))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// equal compares strings in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// slow limits the number of concurrent expensive hash computations, so that many wrong passwords cannot keep all
// processors busy.
var slow = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

func bcryptMatches(hash, password string) bool {
	slow <- struct{}{}
	defer func() { <-slow }()
	cost, err := bcrypt.Cost([]byte(hash))
	return err == nil && cost <= maxCost && bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}

// fastHash returns the hash of an application password. These passwords are long and random, so a slow hash would not
// make them safer.
func fastHash(password string) string {
	h, err := blake2b.New(fastSize, []byte(fastKey))
	if err != nil {
		panic(err) // impossible, because the sizes are constants
	}
	h.Write([]byte(password))
	return fastPrefix + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// HashPassword returns the hash of a new application password. Only its letters and digits count.
func HashPassword(plain string) string { return newSecret(plain).fast }

const passwordLength = 24

// newPassword returns a random application password of 24 letters and digits.
func newPassword() string { return randomText(passwordLength) }

// tokenLength is the length of tokens. It is enough for 256 random bits.
const tokenLength = 43

// NewToken returns a random string of letters and digits with at least 256 bits of entropy.
func NewToken() string { return randomText(tokenLength) }

// randomText returns random letters and digits.
func randomText(length int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	const fair = 256 - 256%len(alphabet) // larger bytes would make the first letters more likely
	b := make([]byte, 0, length)
	random := make([]byte, 2*length)
	for {
		_, _ = rand.Read(random) // never fails
		for _, c := range random {
			if int(c) < fair {
				b = append(b, alphabet[int(c)%len(alphabet)])
			}
			if len(b) == length {
				return string(b)
			}
		}
	}
}
