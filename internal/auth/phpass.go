package auth

import (
	"crypto/md5"
	"strings"
)

const (
	phpassPrefix = "$P$"
	phpassLength = 34
	phpassDigits = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	// Limits of the number of rounds, as powers of two. The minimum is that of the format, and the maximum is what a
	// stored hash may require here.
	minRounds, maxRounds = 7, 16
)

// phpass returns the portable hash of a password, with the rounds and the salt of setting, which is another such hash.
// It returns "" if setting has another format.
func phpass(password, setting string) string {
	if len(setting) != phpassLength || !strings.HasPrefix(setting, phpassPrefix) {
		return ""
	}
	rounds := strings.IndexByte(phpassDigits, setting[3])
	if rounds < minRounds || rounds > maxRounds {
		return ""
	}
	const head = 12 // prefix, rounds and salt
	sum := md5.Sum([]byte(setting[4:head] + password))
	b := make([]byte, md5.Size+len(password))
	copy(b[md5.Size:], password)
	for range 1 << rounds {
		copy(b, sum[:])
		sum = md5.Sum(b)
	}
	return setting[:head] + phpassText(sum[:])
}

// phpassText encodes each three bytes as four digits, with the lowest bits first.
func phpassText(b []byte) string {
	var out []byte
	bits, held := uint(0), uint(0)
	for _, c := range b {
		bits |= uint(c) << held
		for held += 8; held >= 6; held -= 6 {
			out = append(out, phpassDigits[bits&63])
			bits >>= 6
		}
	}
	if held > 0 {
		out = append(out, phpassDigits[bits&63])
	}
	return string(out)
}
