package rest

import (
	"net/http"
	"net/url"
	"strings"
)

const (
	// allowedHeaders are the request headers that the API reads and for which browsers need permission.
	allowedHeaders = "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match, " +
		"X-HTTP-Method-Override, X-Requested-With, Cache-Control, Pragma, " + keyHeader
	// exposedHeaders are the headers of answers that scripts may read, in addition to those that they always may.
	exposedHeaders = "X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, ETag, Location, Retry-After, Allow, X-WP-Nonce, " +
		"Content-Disposition, " + replayedHeader
	allMethods   = "OPTIONS, GET, POST, PUT, PATCH, DELETE"
	preflightAge = "3600" // seconds for which a browser may cache a preflight
)

// allowOrigin sets the headers by which a browser decides what pages of the request's origin may send and read. They
// are not part of an answer, which is the same for all origins. route is nil if the request has none.
func (e *Engine) allowOrigin(h http.Header, r *http.Request, route *Route) {
	origin := r.Header.Get("Origin")
	if e.NoCORS || origin == "" {
		return
	}
	methods := allMethods
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		// A preflight request carries no login, so the methods do not depend on the caller.
		methods = http.MethodOptions
		if route != nil {
			methods = strings.Join(route.Methods(), ", ")
		}
		h.Set("Access-Control-Max-Age", preflightAge)
	}
	h.Set("Access-Control-Allow-Origin", cleanOrigin(origin))
	h.Set("Access-Control-Allow-Methods", methods)
	if e.CredentialOrigins[origin] {
		h.Set("Access-Control-Allow-Credentials", "true")
	}
}

// cleanOrigin returns an origin that is safe to repeat: "null", or the scheme and host of an address, where apps and
// extensions have schemes of their own. For others it returns "", which matches no origin.
func cleanOrigin(origin string) string {
	if origin == "null" || origin == "file://" { // the origin of pages loaded from files in some apps
		return origin
	}
	if !strings.Contains(origin, ":") {
		origin = "http://" + origin
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || strings.ContainsFunc(u.Host, notInOrigins) {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// notInOrigins reports whether a character cannot be in the host of an origin. Browsers encode the others.
func notInOrigins(c rune) bool { return c <= ' ' || c >= 0x7F || strings.ContainsRune(`"'<>\,;`, c) }
