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

// Root is the segment below the prefix of a language that all addresses of these pages begin with.
const Root = "/edit"

// Language is one language version of the pages.
type Language struct {
	Tag    string // of the calendar's language
	Words  string // the language of the words of the pages: nl, en or fr
	Prefix string // start of the path of every page: "" or "/nl"
	Name   string // what the language calls itself
}

// Config is what the pages around give these. All of it is set but Logo.
type Config struct {
	Calendar   *calendar.Calendar
	Languages  []Language
	Name       string // of the calendar, "" for the word in the language of the page
	Style      string // address of the style sheet of all pages
	Icon, Logo string // addresses
	Origin     string // scheme and host of the public address, "" if it is not known
	Zone       *time.Location
	Now        func() time.Time
	Logger     *slog.Logger
}

// Site are the pages. Its methods are called by several goroutines at the same time.
type Site struct {
	Config

	accounts  calendar.Accounts
	languages []*language
	pages     []page
	forms     *forms
	guard     *http.CrossOriginProtection
	version   string // of the style sheet and the script
	path      string // of the session's cookie
}

// language is the site in one language.
type language struct {
	Language

	texts     map[string]string
	templates *template.Template
}

// New returns the pages.
func New(c Config) *Site {
	s := &Site{Config: c, accounts: c.Calendar.Accounts(), guard: http.NewCrossOriginProtection()}
	if c.Origin != "" {
		_ = s.guard.AddTrustedOrigin(c.Origin) // where a proxy changes the host of requests; it has the form of an origin
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
		"t": v.word, "fill": v.fill, "link": v.link, "error": fieldErrors.of, "field": newField,
		"role": v.role, "day": func(t time.Time) string { return t.In(zone).Format(time.DateOnly) },
	}).ParseFS(templateFiles, "templates/*.html"))
	return v
}

// commonPath returns the path that the prefixes of all languages are below: that of the site, as far as it is known.
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

// link returns the address of one of these pages, by its path below Root.
func (l *language) link(path string) string { return l.Prefix + Root + path }

// Serves reports whether an escaped path is that of one of these pages, whether or not there is one.
func (s *Site) Serves(path string) bool {
	_, _, ok := s.find(path)
	return ok
}

// Paths returns the paths of all pages, with the variables of gin.
func (s *Site) Paths() (paths []string) {
	for _, l := range s.languages {
		prefix, err := url.PathUnescape(l.Prefix) // as the router compares it
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

// ServeHTTP answers with a page, or with an error page.
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
	req := &request{Request: r, site: s, lang: l, below: strings.TrimSuffix(below, "/")}
	a, err := s.answer(w, req)
	if err != nil {
		a = s.failure(req, err)
	}
	s.send(w, req, a)
}

// protect sets the headers of every page: none is kept by a cache, shown in a frame of any page, or lets another site know its address,
// which may have a secret in it. Scripts and styles are this server's alone.
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
		// There browsers say nothing else of where a form comes from, and with no-referrer not even that.
		h.Set("Referrer-Policy", "same-origin")
	}
}
