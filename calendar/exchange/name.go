package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/store/sourcestore"
)

// schemes are the schemes of addresses that Open fetches.
var schemes = []string{"http", "https", "webcal", "webcals"}

// IsAddress reports whether Open treats the name of a source as an address.
func IsAddress(name string) bool { return addressOf(name) != nil }

// addressOf returns the address that a name is, or nil if it is a path.
func addressOf(name string) *url.URL {
	u, err := url.Parse(name)
	if err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) {
		return nil
	}
	return u
}

// Shown returns the name of a source for messages and logs. Of an address it omits the login and the values of the
// query, which may be secrets. A path is returned unchanged.
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
		// A parameter without a name may be the secret.
		parts[i] = "…"
		if name, _, named := strings.Cut(part, "="); named {
			parts[i] = name + "=…"
		}
	}
	return at.String() + "?" + strings.Join(parts, "&")
}

// sourceOf returns the stored form of a source. An address is stored as Shown returns it, and identified by a hash of
// all of it but its login, so that addresses which differ only in their query are different sources. Any other source
// is identified by its name.
func sourceOf(name string) sourcestore.Source {
	u := addressOf(name)
	if u == nil {
		return sourcestore.Source{Name: name}
	}
	whole := fetchedFrom(u)
	whole.User, whole.Fragment, whole.RawFragment, whole.Host = nil, "", "", strings.ToLower(whole.Host)
	sum := sha256.Sum256([]byte(whole.String()))
	return sourcestore.Source{Name: shownAddress(whole), ID: hex.EncodeToString(sum[:16])}
}

// fetchedFrom returns the address from which a subscription is fetched: webcal and webcals become https.
func fetchedFrom(u *url.URL) *url.URL {
	at := *u
	if strings.HasPrefix(at.Scheme, "webcal") {
		at.Scheme = "https"
	}
	return &at
}

// sameSource reports whether a stored source is the same as another. Earlier versions stored the whole address and no
// id.
func sameSource(stored, is sourcestore.Source) bool {
	if stored.ID == "" && is.ID != "" {
		return sourceOf(stored.Name).ID == is.ID
	}
	return stored == is && is.Name != ""
}
