package auth

import (
	"crypto/md5"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// cookie is a login cookie. Its parts are kept verbatim, because its MAC covers them as text.
type cookie struct{ login, expiration, token, mac string }

// cookiePrefix is the beginning of the login cookie's name on every site.
const cookiePrefix = "wordpress_logged_in_"

// cookieName returns the name of a site's login cookie.
func cookieName(siteURL string) string {
	sum := md5.Sum([]byte(siteURL))
	return cookiePrefix + hex.EncodeToString(sum[:])
}

// MayBeLogin reports whether a request contains credentials for any site.
func MayBeLogin(r *http.Request) bool {
	login := slices.ContainsFunc(r.Cookies(), func(c *http.Cookie) bool { return strings.HasPrefix(c.Name, cookiePrefix) })
	return login || len(r.Header.Values("Authorization")) > 0 || readNonce(r, nil).given
}

// readCookie returns the login cookie of a request. ok is false if there is none or it is malformed.
func readCookie(r *http.Request, siteURL string) (cookie, bool) {
	raw, err := r.Cookie(cookieName(siteURL))
	if err != nil {
		return cookie{}, false
	}
	value, err := url.PathUnescape(raw.Value)
	if err != nil {
		return cookie{}, false
	}
	parts := strings.Split(value, "|")
	if len(parts) != 4 {
		return cookie{}, false
	}
	return cookie{parts[0], parts[1], parts[2], parts[3]}, true
}

// grace is the number of seconds for which an expired login is still valid for a POST, so that a form can be submitted.
const grace = 60 * 60

// expired reports whether a cookie has expired according to its own text, which saves a query of the database.
func (c cookie) expired(r *http.Request, now time.Time) bool {
	until, err := strconv.ParseInt(c.expiration, 10, 64)
	if err != nil {
		return true
	}
	late := now.Unix()
	if r.Method == http.MethodPost {
		late -= grace
	}
	return until < late
}

// hasSession reports whether the stored sessions of a user contain the session of the cookie. A logout removes it,
// which invalidates the cookie everywhere.
func (c cookie) hasSession(stored string, now time.Time) bool {
	until, ok := phpval.ArrayOf(stored).Get(verifierOf(c.token))
	if session, isArray := until.(*phpval.Array); isArray {
		until, ok = session.Get("expiration")
	} else if _, isInt := until.(int64); !isInt {
		return false
	}
	return ok && phpval.Int(until) >= now.Unix()
}

// nonce proves that a request comes from the site's pages. given is also true for an empty nonce.
type nonce struct {
	text  string
	given bool
}

const (
	nonceHeader = "X-WP-Nonce"
	nonceField  = "_wpnonce"
)

// readNonce returns the nonce from a field of the form, the query or a header. A value that is not a string counts as
// an empty nonce.
func readNonce(r *http.Request, form func(name string) (string, bool)) nonce {
	if form != nil {
		if s, given := form(nonceField); given {
			return nonce{s, true}
		}
	}
	if query, err := param.ParseForm(r.URL.RawQuery); err == nil {
		if v, ok := query.Get(nonceField); ok {
			s, _ := v.(string)
			return nonce{s, true}
		}
	}
	if values := r.Header.Values(nonceHeader); len(values) > 0 {
		return nonce{values[0], true}
	}
	return nonce{}
}
