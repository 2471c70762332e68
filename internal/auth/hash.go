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

	// maxPassword is the length up to which a password is looked at.
	maxPassword = 4096
	// maxCost bounds what a stored bcrypt hash may ask for: about two seconds.
	maxCost = 15
)

// secret is a cleaned application password on trial. Its fast hash is made once:
// comparing it with one stored password takes as long as with many.
type secret struct{ text, fast string }

// newSecret cleans a password as it was sent: only ASCII letters and digits
// count, so that it may be written in groups.
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

// matches reports whether a stored hash is the secret's. The form of the hash says
// how it was made; an unknown one matches nothing.
func (s secret) matches(hash string) bool {
	switch {
	case s.text == "":
		return false
	case strings.HasPrefix(hash, fastPrefix):
		return equal(s.fast, hash)
	case len(hash) <= 2*md5.Size:
		sum := md5.Sum([]byte(s.text))
		return equal(hex.EncodeToString(sum[:]), hash)
	case strings.HasPrefix(hash, slowPrefix):
		mac := hmac.New(sha512.New384, []byte(slowKey))
		mac.Write([]byte(s.text))
		return bcryptMatches(hash[len("$wp"):], base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	case strings.HasPrefix(hash, phpassPrefix):
		return equal(phpass(s.text, hash), hash)
	case strings.HasPrefix(hash, "$2"):
		return bcryptMatches(hash, s.text)
	}
	return false
}

// equal compares without telling by its time how much is alike.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// slow lets few of the expensive comparisons run at once: many wrong passwords
// at the same time are to keep one processor busy and not all.
var slow = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

func bcryptMatches(hash, password string) bool {
	slow <- struct{}{}
	defer func() { <-slow }()
	cost, err := bcrypt.Cost([]byte(hash))
	return err == nil && cost <= maxCost && bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}

// fastHash is how application passwords are stored: they are long and random, so
// that a slow hash would add nothing.
func fastHash(password string) string {
	h, err := blake2b.New(fastSize, []byte(fastKey))
	if err != nil {
		panic(err) // the sizes are constants
	}
	h.Write([]byte(password))
	return fastPrefix + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// HashPassword returns the hash under which a new application password is
// stored. Only letters and digits of the password count.
func HashPassword(plain string) string { return newSecret(plain).fast }

const passwordLength = 24

// NewPassword returns a random application password of 24 letters and digits.
func newPassword() string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	const fair = 256 - 256%len(alphabet) // bytes from here on would prefer the first letters
	b := make([]byte, 0, passwordLength)
	var random [2 * passwordLength]byte
	for {
		_, _ = rand.Read(random[:]) // it ends the program rather than fail
		for _, c := range random {
			if int(c) < fair {
				b = append(b, alphabet[int(c)%len(alphabet)])
			}
			if len(b) == passwordLength {
				return string(b)
			}
		}
	}
}
