package editing

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// page is a line of the table of pages: what answers a method at a path.
type page struct {
	method string
	// path is below Root. A segment "{id}" is the number of an item, "{key}" a secret of letters, digits and a dash.
	path string
	may  may // who may; others sign in, or are refused
	body int64
	show func(s *Site, r *request) (answer, error)
}

// may reports whether a caller may use a page; nil lets everybody.
type may func(p calendar.Principal) bool

var anyone may

// signedIn are all users.
func signedIn(p calendar.Principal) bool { return p.UserID > 0 }

// can are users who have one of some rights.
func can(rights ...string) may {
	return func(p calendar.Principal) bool { return signedIn(p) && slices.ContainsFunc(rights, p.Can) }
}

// defaultBody bounds what a form sends, unless its page says otherwise.
const defaultBody = 64 << 10

// route returns the page for a request, or the methods that its path has instead. It fills in what the path names.
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

// match reports whether the path of a request is that of a page.
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

// maxKey is longer than any secret in an address.
const maxKey = 100

func isKey(text string) bool {
	return text != "" && len(text) <= maxKey && !strings.ContainsFunc(text, func(c rune) bool {
		return !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-')
	})
}
