// Package webhook signs messages as Standard Webhooks 1.0 says, and says when they are tried again.
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

// The headers of a message.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// Lengths of secrets in bytes.
const (
	shortest, longest = 24, 64
	usual             = 32
)

const prefix = "whsec_"

// ErrSecret is the error of a secret that is no one of Standard Webhooks.
var ErrSecret = errors.New(`a secret is "whsec_" and 24 to 64 bytes in base64`)

// NewSecret returns a random secret.
func NewSecret() string {
	key := make([]byte, usual)
	_, _ = rand.Read(key) // it never fails
	return prefix + base64.StdEncoding.EncodeToString(key)
}

// Secret reads a secret.
func Secret(text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(text), prefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < shortest || len(key) > longest {
		return nil, ErrSecret
	}
	return key, nil
}

// NewID returns the id of a message, which all its tries have.
func NewID() string { return "msg_" + rand.Text() }

// Sign returns the signatures of a message by keys, with spaces between them, and the text of its moment.
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

// delays are how long to wait after each try that failed: 75 hours in all, as Standard Webhooks proposes.
var delays = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour,
	24 * time.Hour,
}

// longestWait bounds what Retry-After may ask for.
const longestWait = 24 * time.Hour

// Delay returns how long to wait after so many tries, a tenth more or less, or as long as the answer asks for in Retry-After,
// if that is longer. False means that it was tried often enough.
func Delay(tries int64, retryAfter string, now time.Time) (time.Duration, bool) {
	if tries < 1 || tries > int64(len(delays)) {
		return 0, false
	}
	wait := delays[tries-1]
	wait += time.Duration((mathrand.Float64() - 0.5) / 5 * float64(wait))
	return min(max(wait, asked(retryAfter, now)), max(wait, longestWait)), true
}

// asked reads Retry-After: seconds or a date.
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
