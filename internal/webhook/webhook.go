// Package webhook signs messages according to Standard Webhooks 1.0 and computes when a failed delivery is tried again.
package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"math"
	mathrand "math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// The HTTP headers of a message.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// The lengths of keys, in bytes: the least, the greatest, and that of new ones.
const (
	shortest, longest = 24, 64
	usual             = 32
)

const prefix = "whsec_"

// ErrSecret is the error of Secret for a string that is not a valid secret.
var ErrSecret = errors.New(`a secret is "whsec_" and 24 to 64 bytes in base64`)

// NewSecret returns a random secret in the form that Secret reads.
func NewSecret() string {
	key := make([]byte, usual)
	_, _ = rand.Read(key) // crypto/rand.Read never returns an error
	return prefix + base64.StdEncoding.EncodeToString(key)
}

// Secret decodes a secret, "whsec_" and a base64 string, and returns the key.
func Secret(text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(text), prefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < shortest || len(key) > longest {
		return nil, ErrSecret
	}
	return key, nil
}

// NewID returns a random id for a message. All deliveries of the message have the same id.
func NewID() string { return "msg_" + rand.Text() }

// Sign returns the values of two headers: the signatures of a message by each key, separated by spaces, and the
// timestamp that they include.
func Sign(id string, at time.Time, body []byte, keys ...[]byte) (signature, moment string) {
	moment = strconv.FormatInt(at.Unix(), 10)
	list := make([]string, len(keys))
	for i, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + moment + "."))
		mac.Write(body)
		list[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(list, " "), moment
}

// delays are the times to wait after the first failed delivery, the second and so on: 75 hours in total, as Standard
// Webhooks proposes.
var delays = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour,
	24 * time.Hour,
}

// longestWait limits the wait that a Retry-After header can ask for.
const longestWait = 24 * time.Hour

// Delay returns how long to wait after a number of failed deliveries, randomized by up to 10 % either way, or longer if
// the Retry-After header of the response asks for that. It returns false if the message should not be delivered again.
func Delay(tries int64, retryAfter string, now time.Time) (time.Duration, bool) {
	if tries < 1 || tries > int64(len(delays)) {
		return 0, false
	}
	wait := delays[tries-1]
	wait += time.Duration((mathrand.Float64() - 0.5) / 5 * float64(wait))
	return min(max(wait, asked(retryAfter, now)), max(wait, longestWait)), true
}

// asked returns the wait that a Retry-After header asks for, in seconds or as a date; 0 if it is empty or malformed.
func asked(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && !math.IsInf(seconds, 0) {
		return time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	}
	at, err := time.Parse(time.RFC1123, text)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
