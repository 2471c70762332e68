package editing

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

//go:embed templates/*.html
var templateFiles embed.FS

// Root is the path of these pages below the prefix of a language.
const Root = "/edit"

// Language is a language version of the pages.
type Language struct {
	Tag    string // Tag of the calendar's language
	Words  string // language of the pages' texts: nl, en or fr
	Prefix string // beginning of the path of every page: "" or "/nl"
	Name   string // name of the language in the language itself
}

// Config configures the pages. Package pages sets all fields, but Logo and Uploads can be empty.
type Config struct {
	Calendar   *calendar.Calendar
	Languages  []Language
	Name       string // name of the calendar; "" for the word for calendar in the page's language
	Style      string // address of the style sheet of the public pages
	Icon, Logo string // addresses
	Uploads    string // directory of uploaded images; "" for none
	Origin     string // scheme and host of the public address; "" if not known
	Zone       *time.Location
	Now        func() time.Time
	Logger     *slog.Logger
}

// Site contains the pages. It is safe for concurrent use.
type Site struct {
	Config

	accounts  calendar.Accounts
	languages []*language
	pages     []page
	forms     *forms
	guard     *http.CrossOriginProtection
	version   string // hash of the style sheet and the script
	path      string // path of the session cookie
}

// language is the pages in one language.
type language struct {
	Language

	texts     map[string]string
	templates *template.Template
}

// New returns the pages.
func New(c Config) *Site {
	s := &Site{Config: c, accounts: c.Calendar.Accounts(), guard: http.NewCrossOriginProtection()}
	if c.Origin != "" {
		_ = s.guard.AddTrustedOrigin(c.Origin) // required if a proxy changes the host of requests; the value is a valid origin
	}
	for _, l := range c.Languages {
		s.languages = append(s.languages, newLanguage(l, c.Zone))
	}
	s.forms = newForms(s)
	s.pages = slices.Concat(accountPages(), s.forms.pages())
	sum := sha256.Sum256(slices.Concat(styleSheet, script))
	s.version = hex.EncodeToString(sum[:6])
	s.path = commonPath(c.Languages)
	return s
}

func newLanguage(l Language, zone *time.Location) *language {
	v := &language{Language: l, texts: dictionaries[l.Words]}
	v.templates = template.Must(template.New("").Funcs(template.FuncMap{
		"t": v.word, "fill": v.fill, "link": v.link, "error": fieldErrors.forField, "field": newField,
		"role": v.role, "day": func(t time.Time) string { return t.In(zone).Format(time.DateOnly) },
	}).ParseFS(templateFiles, "templates/*.html"))
	return v
}

// commonPath returns the path below which the prefixes of all languages are, or "/" if there is none.
func commonPath(all []Language) string {
	path := ""
	for i, l := range all {
		if i == 0 || len(l.Prefix) < len(path) {
			path = l.Prefix
		}
	}
	for _, l := range all {
		if l.Prefix != path && !strings.HasPrefix(l.Prefix, path+"/") {
			return "/"
		}
	}
	return cmp.Or(path, "/")
}

// link returns the address of one of these pages, given its path below Root.
func (l *language) link(path string) string { return l.Prefix + Root + path }

// Serves reports whether an escaped path is below Root of a language, even if there is no such page.
func (s *Site) Serves(path string) bool {
	_, _, ok := s.find(path)
	return ok
}

// Paths returns the paths of all pages, with gin's variables.
func (s *Site) Paths() (paths []string) {
	for _, l := range s.languages {
		prefix, err := url.PathUnescape(l.Prefix) // the router compares unescaped paths
		if err != nil {
			prefix = l.Prefix
		}
		paths = append(paths, prefix+Root, prefix+Root+"/*path")
	}
	return paths
}

// find returns the language with the longest prefix of a path, and the path below Root.
func (s *Site) find(path string) (found *language, below string, ok bool) {
	for _, l := range s.languages {
		rest, in := strings.CutPrefix(path, l.Prefix+Root)
		if in && (rest == "" || rest[0] == '/') && (found == nil || len(l.Prefix) > len(found.Prefix)) {
			found, below = l, rest
		}
	}
	return found, below, found != nil
}

// ServeHTTP answers with a page or an error page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l, below, ok := s.find(r.URL.EscapedPath())
	if !ok {
		http.NotFound(w, r)
		return
	}
	if s.serveFile(w, r, below) {
		return
	}
	s.protect(w.Header(), r)
	req := &request{Request: r, site: s, began: time.Now(), lang: l, below: strings.TrimSuffix(below, "/")}
	a, err := s.answer(w, req)
	if err != nil {
		req.discardRest(w, r.Body) // that of r has no limits
		a = s.failure(req, err)
	}
	s.send(w, req, a)
}

// protect sets the headers of all pages: they must not be cached or framed, and other sites must not get their
// addresses as referrer, since these may contain secrets. Scripts and styles are only loaded from this server.
func (s *Site) protect(h http.Header, r *http.Request) {
	h.Set("Cache-Control", "private, no-store")
	h.Del(calendar.SurrogateKey)
	h.Del(calendar.CacheTag)
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob:; "+
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Referrer-Policy", "no-referrer")
	if !s.accounts.Connection(r).Encrypted {
		// Without TLS, browsers identify the origin of a form only with these headers, which no-referrer would remove.
		h.Set("Referrer-Policy", "same-origin")
	}
}
