package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/store"
)

// schemes are those of addresses that Open reads.
var schemes = []string{"http", "https", "webcal", "webcals"}

// IsAddress reports whether Open takes the name of a source for an address.
func IsAddress(name string) bool { return addressOf(name) != nil }

// addressOf returns the address that a name is, nil for a path.
func addressOf(name string) *url.URL {
	u, err := url.Parse(name)
	if err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) {
		return nil
	}
	return u
}

// Shown returns the name of a source for people and logs: an address without its login
// and the values of its query, which may be secrets; a path as it is.
func Shown(name string) string {
	if u := addressOf(name); u != nil {
		return shownAddress(u)
	}
	return name
}

func shownAddress(u *url.URL) string {
	at := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.RawQuery == "" {
		return at.String()
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		// A part without a name may be the secret.
		parts[i] = "…"
		if name, _, named := strings.Cut(part, "="); named {
			parts[i] = name + "=…"
		}
	}
	return at.String() + "?" + strings.Join(parts, "&")
}

// sourceOf returns how the source of a name is stored. An address is known by a hash of
// all of it but its login, and stored as it is shown: addresses that differ only in their
// query are two sources. Anything else is known by its name.
func sourceOf(name string) store.Source {
	u := addressOf(name)
	if u == nil {
		return store.Source{Name: name}
	}
	whole := fetchedFrom(u)
	whole.User, whole.Fragment, whole.RawFragment, whole.Host = nil, "", "", strings.ToLower(whole.Host)
	sum := sha256.Sum256([]byte(whole.String()))
	return store.Source{Name: shownAddress(whole), ID: hex.EncodeToString(sum[:16])}
}

// fetchedFrom returns the address from which a subscription is fetched: webcal and webcals
// are https.
func fetchedFrom(u *url.URL) *url.URL {
	at := *u
	if strings.HasPrefix(at.Scheme, "webcal") {
		at.Scheme = "https"
	}
	return &at
}

// sameSource reports whether what is stored of a source is one. Earlier versions stored the
// whole address, without an id.
func sameSource(stored, is store.Source) bool {
	if stored.ID == "" && is.ID != "" {
		return sourceOf(stored.Name).ID == is.ID
	}
	return stored == is && is.Name != ""
}
