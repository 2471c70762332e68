package pages

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages/editing"
)

//go:embed templates/*.html
var templateFiles embed.FS

// Site contains the pages of a calendar in all languages. As an http.Handler it answers every path; unknown ones with
// an error page.
type Site struct {
	opts     Options
	at       *addresses
	theme    theme
	client   *client
	versions []*version
	policy   policy
	editing  *editing.Site // nil without pages for editing
	guard    *http.CrossOriginProtection
	err      error // what is wrong with the options
}

// version is the pages in one language.
type version struct {
	lang      Language
	at        *addresses // shared by all languages
	tag       string     // language of the pages' texts: that of the language version, or English
	content   string     // language of items for which the API returns none
	name      string     // name of the calendar
	named     string     // language of the name; "" if it is tag
	texts     dictionary
	words     words
	zone      *time.Location
	weekStart time.Weekday
	templates *template.Template
}

func newVersion(l Language, opts Options) *version {
	code := base(l.Tag)
	v := &version{lang: l, texts: dictionaries[code], words: segmentWords[code], zone: opts.Zone, weekStart: *opts.WeekStart}
	v.tag, v.content = l.Tag, cmp.Or(opts.Content, l.Tag)
	if !HasTexts(l.Tag) {
		v.tag = code
	}
	if v.name = opts.Title; v.name == "" {
		v.name = v.texts.word("calendar")
	} else {
		v.named = v.foreign(calendar.Localized{Language: cmp.Or(opts.Content, v.tag)}, opts.Title)
	}
	v.templates = template.Must(template.New("").Funcs(template.FuncMap{
		"t": v.texts.word, "fill": v.fill, "markup": markup, "lang": langAttributes, "dir": direction, "text": inLanguage,
		"around": v.around, "title": v.markedTitle,
	}).ParseFS(templateFiles, "templates/*.html"))
	return v
}

// fill returns the text of a key with its placeholders replaced by values, in order. Placeholders within values are
// kept.
func (v *version) fill(key string, values ...string) string {
	parts := strings.Split(v.texts.word(key), "%s")
	for i, value := range values[:min(len(values), len(parts)-1)] {
		parts[i] += value
	}
	return strings.Join(parts, "")
}

// around returns the text of a key with its placeholder replaced by a text in a language, as HTML.
func (v *version) around(key, text, lang string) template.HTML {
	before, after, _ := strings.Cut(v.texts.word(key), "%s")
	return template.HTML(template.HTMLEscapeString(before)) + inLanguage(text, lang) + template.HTML(template.HTMLEscapeString(after))
}

// ServeHTTP answers with the page for the language and the route in the path.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.editing != nil && s.editing.Serves(r.URL.EscapedPath()) {
		s.editing.ServeHTTP(w, r)
		return
	}
	w, r = s.tagged(w, r)
	query := queryOf(r)
	if r.Method == http.MethodPost || query.Has("password") { // also where no page accepts the password of an event
		w.Header().Set("Cache-Control", "private, "+noStore)
	}
	r = r.WithContext(calendar.WithClient(r.Context(), r)) // reads of the calendar belong to this visitor
	if s.serveFile(w, r) {
		return
	}
	path := r.URL.EscapedPath()
	v := s.version(path)
	rest, below := strings.CutPrefix(path, v.lang.Prefix)
	to, known := parse(rest)
	switch {
	case !known || !below:
		s.fail(w, r, v, route{kind: home}, notFound())
		return
	case r.Method == http.MethodPost && to.kind == oneEvent:
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		rejectMethod(w, to.kind == oneEvent)
		return
	}
	show := s.show
	feed := query.Has(paramICal)
	switch {
	case to.kind == oldArchive: // answered by a redirect to the calendar, or by its feed
	case feed: // answered without a redirect, since feed readers may not follow one
		show = s.showFeed
	case !strings.HasSuffix(rest, "/") || rest == "/events/":
		redirect(w, r, v.link(to), r.URL.RawQuery)
		return
	}
	if to.kind == home {
		if old, ok := plain(query); ok && old.kind != oneTag { // tag is also a filter of the calendar
			if !feed {
				redirect(w, r, v.link(old), "")
				return
			}
			to = old
		}
	}
	signedIn := s.editing != nil && editing.HasSession(s.editing, r)
	if signedIn && s.guard.Check(r) != nil { // only a POST can be refused
		w.Header().Set("Cache-Control", "private, "+noStore)
		http.Error(w, http.StatusText(http.StatusForbidden), http.StatusForbidden)
		return
	}
	r = s.withOwn(r)
	// Answers with feeds are already cached by the calendar. The page of an event contains a link to the form for its
	// editors.
	editors := to.kind == oneEvent && signedIn
	if !feed && !editors && r.Method != http.MethodPost {
		show = func(w http.ResponseWriter, r *http.Request, v *version, to route) error {
			return s.showKept(w, r, v, to, query)
		}
	}
	if err := show(w, r, v, to); err != nil {
		s.fail(w, r, v, to, err)
	}
}

// rejectMethod answers a request whose method is not allowed. posts says whether POST is.
func rejectMethod(w http.ResponseWriter, posts bool) {
	allowed := "GET, HEAD"
	if posts {
		allowed += ", POST"
	}
	w.Header().Set("Allow", allowed)
	http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
}

func (s *Site) show(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	switch to.kind {
	case home:
		return s.showCalendar(w, r, v)
	case oneEvent:
		return s.showEvent(w, r, v, to)
	case aboutPage:
		return s.showAbout(w, r, v)
	case framed:
		return s.showFramed(w, r, v)
	case builder:
		return s.showBuilder(w, r, v)
	case atomFeed, jsonFeed:
		return s.showNews(w, r, v, to)
	case oldArchive:
		return s.showArchive(w, r, v, to)
	}
	return s.showOwner(w, r, v, to)
}

// version returns the language with the longest prefix of the path.
func (s *Site) version(path string) *version {
	best := -1
	for i, v := range s.versions {
		p := v.lang.Prefix
		if (path == p || strings.HasPrefix(path, p+"/")) && (best < 0 || len(p) > len(s.versions[best].lang.Prefix)) {
			best = i
		}
	}
	return s.versions[max(best, 0)]
}

// redirect redirects to an address of this site. Links begin with a known segment, so they cannot lead to another site.
func redirect(w http.ResponseWriter, r *http.Request, to, query string) {
	if query != "" {
		to += "?" + query
	}
	http.Redirect(w, r, to, http.StatusMovedPermanently)
}

// fail shows an error page. What the API does not show to anonymous callers is answered as not found. Too large
// answers, and what is gone, keep their status.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, v *version, to route, err error) {
	if errors.Is(r.Context().Err(), context.Canceled) {
		return // the visitor closed the connection
	}
	r = s.withOwn(r)
	if to.kind == atomFeed || to.kind == jsonFeed { // the script on other sites reports the status
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	status := http.StatusInternalServerError
	if r.Context().Err() != nil { // the deadline of the host's context has passed
		status = http.StatusServiceUnavailable
	}
	var refused *calendar.Error
	if errors.As(err, &refused) {
		if status = refused.Status; status < 500 && status != http.StatusRequestEntityTooLarge && status != http.StatusGone {
			status = http.StatusNotFound
		}
	}
	if refused == nil || !refused.Lasting() {
		w.Header().Set("Cache-Control", noStore)
	}
	start := route{kind: home}
	page := messagePage{frame: s.frame(r, v, v.link(start), same(start), calendar.Localized{}),
		Heading: "missing.title", Text: v.texts.word("missing.text")}
	switch {
	case status == http.StatusRequestEntityTooLarge:
		page.Heading, page.Text = "large.title", v.texts.word("large.text")
	case status >= 500:
		page.Heading, page.Text = "failed.title", v.texts.word("failed.text")
		s.opts.Logger.ErrorContext(r.Context(), "page could not be made", "path", r.URL.Path, "kind", int(to.kind), "error", err)
	}
	page.Title, page.Framed = v.texts.word(page.Heading), to.kind == framed
	_ = s.render(w, r, v, status, "message.html", page) // too small to fail for lack of memory
}

// reply answers with a body, or that the client's copy is current.
func reply(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	sum := sha256.Sum256(body)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
	deliver(w, r, body)
}

// conditions are the request headers that affect an answer with a body.
var conditions = []string{"If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"}

// deliver sends a body, after the header, according to the conditions of the request. Without conditions it is sent in
// one piece.
func deliver(w http.ResponseWriter, r *http.Request, body []byte) {
	given := func(name string) bool { return len(r.Header[name]) > 0 }
	if r.Method != http.MethodGet || slices.ContainsFunc(conditions, given) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
		return
	}
	w.Header().Set("Accept-Ranges", "bytes")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if kept, ok := w.(*recorder); ok {
		kept.body = bytes.Clone(body) // the buffer of a page may be twice as large, and only the body is counted
		return
	}
	_, _ = w.Write(body) // the visitor may have closed the connection
}

// shownPage is a page for a template. Each embeds a frame.
type shownPage interface {
	framed() bool
	forEditor() bool
}

// render writes a whole page, or an error page if the template fails. It returns an error if there is not enough memory.
func (s *Site) render(w http.ResponseWriter, r *http.Request, v *version, status int, name string, page shownPage) error {
	out := s.client.newBuffer(r.Context())
	if err := v.templates.ExecuteTemplate(out, name, page); out.full != nil {
		return out.full
	} else if err != nil {
		s.opts.Logger.ErrorContext(r.Context(), "template failed", "template", name, "error", err)
		w.Header().Set("Cache-Control", noStore)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return nil
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", v.tag)
	h.Set("Content-Security-Policy", s.policy.header(name, page.framed()))
	if v.lang.Root != "" {
		h.Set("Link", "<"+v.lang.Root+`>; rel="https://api.w.org/"`)
	}
	if a := s.programs(v); a.Version != "" {
		h.Set("X-TEC-API-VERSION", a.Version)
		h.Set("X-TEC-API-ROOT", a.Index)
		h.Set("X-TEC-API-ORIGIN", a.Origin)
	}
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	if page.forEditor() {
		h.Set("Content-Security-Policy", s.policy.ofEditor(name))
		h.Set("Referrer-Policy", "no-referrer")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	if status == http.StatusOK && r.Method != http.MethodPost {
		if h.Get("Cache-Control") == "" && !s.client.names() { // otherwise the cache in front is notified of changes
			h.Set("Cache-Control", "no-cache")
		}
		reply(w, r, h.Get("Content-Type"), out.Bytes())
		return nil
	}
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // the visitor may have closed the connection
	return nil
}
