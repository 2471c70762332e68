package editing

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// page is an entry of the table of pages: it answers requests with a method and a path.
type page struct {
	method string
	// path is below Root. A segment "{id}" matches the id of an item, "{key}" a secret of letters, digits and dashes.
	path string
	may  may // whether the caller may use the page; others have to sign in, or are rejected
	body int64
	show func(s *Site, r *request) (answer, error)
	// resume shows a form that was sent without a session, after the user has signed in. nil if that is not possible.
	resume func(s *Site, r *request) (answer, error)
	// keeps are the names of the values with which resume shows the form; nil for all. A form with passwords has to name
	// the others.
	keeps []string
}

// may reports whether a caller may use a page. nil permits everybody.
type may func(p calendar.Principal) bool

var anyone may

// signedIn reports whether the caller is a user.
func signedIn(p calendar.Principal) bool { return p.UserID > 0 }

// can permits users who have one of the given capabilities.
func can(rights ...string) may {
	return func(p calendar.Principal) bool { return signedIn(p) && slices.ContainsFunc(rights, p.Can) }
}

// defaultBody is the maximal size of a form in bytes, unless its page has another limit.
const defaultBody = 64 << 10

// route returns the page for a request, or the methods that its path has instead. It sets the id and the key from the
// path.
func (s *Site) route(r *request) (found *page, allow []string) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range s.pages {
		p := &s.pages[i]
		if !r.match(p.path) {
			continue
		}
		if p.method == method {
			return p, nil
		}
		allow = append(allow, p.method)
	}
	return nil, allow
}

// match reports whether a request's path matches a pattern.
func (r *request) match(pattern string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(r.below, "/")
	if len(want) != len(have) {
		return false
	}
	id, key := int64(0), ""
	for i, segment := range want {
		switch segment {
		case "{id}":
			n, err := strconv.ParseInt(have[i], 10, 64)
			if err != nil || n <= 0 || strconv.FormatInt(n, 10) != have[i] {
				return false
			}
			id = n
		case "{key}":
			if key = have[i]; !isKey(key) {
				return false
			}
		default:
			if segment != have[i] {
				return false
			}
		}
	}
	r.id, r.key = id, key
	return true
}

// maxKey is the maximal length of a key in a path. All secrets are shorter.
const maxKey = 100

func isKey(text string) bool {
	return text != "" && len(text) <= maxKey && !strings.ContainsFunc(text, func(c rune) bool {
		return !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-')
	})
}
