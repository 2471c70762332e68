// Package permalink makes the public addresses of a site's pages, from settings, slugs and the
// segments that kinds declare. It does no I/O.
package permalink

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// Settings are those of a site that its addresses depend on, as they are
// stored. EventSlug and EventsSlug are the options singleEventSlug and
// eventsSlug; where the site stores none, "event" and "events" are to be given.
type Settings struct {
	Home, SiteURL, Permalink  string
	EventSlug, EventsSlug     string
	TagBase, Locale           string
	UploadPath, UploadURLPath string
	UploadsOfSite             int64 // the number of the site of a network that has a directory of its own there, else 0
	RewrittenUploads          bool  // likewise, in the form of before WordPress 3.5
	WordPress                 release.Release

	// Host, Path and Query are what the addresses of pages in one language have of it: the host instead of that of Home,
	// what comes first below the site's root, and what comes last. See schema.LanguagePlace.
	Host, Path, Query string
}

// home returns the address of the site in the language.
func (s *Settings) home() string {
	home := strings.TrimRight(s.Home, "/")
	scheme, rest, ok := strings.Cut(home, "://")
	if s.Host == "" || !ok {
		return home
	}
	_, path, below := strings.Cut(rest, "/")
	if below {
		path = "/" + path
	}
	return scheme + "://" + s.Host + path
}

// Slug makes the slug of a title or name on the site.
func (s Settings) Slug(title string) string { return s.Spelling().Slug(title) }

// Spelling returns how the site writes accented letters plainly.
func (s Settings) Spelling() *wp.Spelling { return wp.SpellingOf(s.Locale, s.WordPress) }

// Uploads returns the address of the site's uploaded files.
func (s Settings) Uploads() string { return uploadsURL(s) }

// Linker makes the public addresses of one site, or one language version of it.
type Linker struct {
	home          string
	pretty        bool
	structure     string            // of the addresses of the site's posts
	slash         string            // what pretty addresses end in
	items         map[string]string // what comes before the slugs, by post type
	category, tag string            // what comes before the slugs
	uploads       string
	global        string // a global id up to the number
	query         string // at the end of addresses, without "?"
}

// New resolves the settings once. Segments are what addresses of posts have
// before their slugs, by the stored post type; the taxonomies are the stored
// names.
func New(s Settings, segments map[string]string, categoryTax, tagTax string) *Linker {
	home := s.home()
	front, index := permalinkFront(s.Permalink)
	if s.Path != "" && !index {
		home += "/" + s.Path
	}
	l := &Linker{
		home: home, query: s.Query,
		pretty: s.Permalink != "", structure: s.Permalink,
		items:   make(map[string]string, len(segments)),
		uploads: uploadsURL(s),
		global:  globalPrefix(strings.TrimRight(s.Home, "/")),
	}
	if !l.pretty {
		if tagTax == "post_tag" {
			tagTax = "tag"
		}
		base := home + "/?"
		for postType := range segments {
			l.items[postType] = base + postType
		}
		l.category, l.tag = base+categoryTax, base+tagTax
		return l
	}
	if strings.HasSuffix(s.Permalink, "/") {
		l.slash = "/"
	}
	root := home
	if index {
		below := indexFile
		if s.Path != "" {
			below += "/" + s.Path
		}
		root, front = root+below, below+strings.TrimPrefix(front, indexFile)
	}
	words := wp.LocaleOf(s.Locale)
	for postType, segment := range segments {
		l.items[postType] = root + "/" + segment
	}
	l.category = root + "/" + words.Category
	if events := s.Slug(s.EventsSlug); events != "" {
		l.category = root + "/" + events + "/" + words.Category
	}
	l.tag = tagBase(home, front, index, strings.Trim(s.TagBase, "/"))
	return l
}

// tagBase is what comes before the slugs of tags. A base that the site has set
// also replaces the front of the permalinks, except after index.php, which
// every address needs.
func tagBase(home, front string, index bool, own string) string {
	switch {
	case own == "":
		return home + front + "tag"
	case index:
		return home + front + own
	}
	return home + "/" + own
}

// permalinkFront is what comes before the first placeholder of a permalink
// structure, and whether it starts with index.php.
func permalinkFront(structure string) (front string, index bool) {
	fixed, _, ok := strings.Cut(structure, "%")
	if !ok {
		fixed = "" // without a placeholder there is no front
	}
	return "/" + strings.TrimLeft(fixed, "/"), strings.HasPrefix(strings.TrimLeft(structure, "/"), "index.php")
}

// indexFile begins the paths of permalinks on servers that cannot rewrite addresses.
const indexFile = "/index.php"

// LD is the address of an event as its JSON-LD shows it: it ends in a slash
// wherever the site has permalinks, whatever these end in. That of an event
// without a page of its own has the slash in its query too, as clients expect.
func (l *Linker) LD(event string) string {
	switch {
	case !l.pretty || l.query != "" || strings.HasSuffix(event, "/"):
		return event
	case strings.HasPrefix(event, l.home+"/?"):
		return event + "%2F/"
	}
	return event + "/"
}

// Item is the address of a post of one of the types that New was given. One that is not published
// is addressed by its id; a private one has its permalink.
func (l *Linker) Item(postType string, id int64, slug, status string) string {
	if status != "publish" && status != "private" {
		return l.named(l.home + "/?post_type=" + postType + "&p=" + strconv.FormatInt(id, 10))
	}
	return l.named(l.join(l.items[postType], slug))
}

// Date is the address of one of the dates of an event, by its id and the day on which it begins.
func (l *Linker) Date(postType string, id int64, slug, status, day string) string {
	if status != "publish" && status != "private" {
		return l.Item(postType, id, slug, status)
	}
	event := l.join(l.items[postType], slug)
	if l.pretty {
		return l.named(strings.TrimSuffix(event, l.slash) + "/" + day + l.slash)
	}
	return l.named(event + "&eventDate=" + day)
}

// named adds what comes last in the addresses of a language.
func (l *Linker) named(address string) string {
	switch {
	case l.query == "":
		return address
	case strings.Contains(address, "?"):
		return address + "&" + l.query
	}
	return address + "?" + l.query
}

// Category is the address of a category, given its slug after those of its
// ancestors, the topmost first.
func (l *Linker) Category(slugs []string) string {
	if !l.pretty && len(slugs) > 0 {
		slugs = slugs[len(slugs)-1:]
	}
	return l.named(l.join(l.category, strings.Join(slugs, "/")))
}

// Tag is the address of a tag.
func (l *Linker) Tag(slug string) string { return l.named(l.join(l.tag, slug)) }

func (l *Linker) join(base, slug string) string {
	switch {
	case slug == "":
		return base + l.slash
	case l.pretty:
		return base + "/" + slug + l.slash
	}
	return base + "=" + slug
}

// Attachment is the address of the page of an uploaded file that belongs to no
// post.
func (l *Linker) Attachment(id int64, slug string) string {
	if !l.pretty || slug == "" {
		return l.home + "/?attachment_id=" + strconv.FormatInt(id, 10)
	}
	return l.home + "/" + slug + l.slash
}

// AttachmentBelow is the address of the page of an uploaded file that belongs to a
// post, whose address is given: "" where that is not known.
func (l *Linker) AttachmentBelow(post string, id int64, slug string) string {
	if !l.pretty || post == "" || strings.Contains(post, "?") {
		return l.Attachment(id, "")
	}
	if _, _, numeric := wp.Numeric(slug); numeric || strings.Contains(l.structure, "%category%") {
		slug = "attachment/" + slug
	}
	return strings.TrimRight(post, "/") + "/" + slug + l.slash
}

// Post is the address of a published post of the site's own pages, "" where it
// depends on more than the post's own row. date is its wall-clock time.
func (l *Linker) Post(id int64, slug, date string) string {
	day, clock, _ := strings.Cut(date, " ")
	days, clocks := strings.Split(day+"--", "-"), strings.Split(clock+"::", ":")
	path := strings.NewReplacer(
		"%year%", days[0], "%monthnum%", days[1], "%day%", days[2], "%hour%", clocks[0], "%minute%", clocks[1], "%second%", clocks[2],
		"%postname%", slug, "%post_id%", strconv.FormatInt(id, 10),
	).Replace(l.structure)
	for _, unknown := range []string{"%category%", "%author%"} {
		if strings.Contains(path, unknown) {
			return ""
		}
	}
	return l.home + "/" + strings.TrimLeft(path, "/")
}

// Page is the address of a page, given its slug after those of the pages above it.
func (l *Linker) Page(slugs []string) string {
	root := l.home
	if _, index := permalinkFront(l.structure); index {
		root += "/index.php"
	}
	return root + "/" + strings.Join(slugs, "/") + l.slash
}

// Uploads is the address below which uploaded files are found, without a slash
// at its end.
func (l *Linker) Uploads() string { return l.uploads }

// GlobalID is the id of a post among all sites.
func (l *Linker) GlobalID(id int64) string { return l.global + strconv.FormatInt(id, 10) }

func uploadsURL(s Settings) string {
	site := s.SiteURL
	if site == "" {
		site = s.Home
	}
	site = strings.TrimRight(site, "/")
	address := strings.TrimRight(s.UploadURLPath, "/")
	if address == "" {
		path := phpval.Trim(s.UploadPath)
		// A path of the server's file system is no part of the address.
		if path == "" || path[0] == '/' || path[0] == '\\' || len(path) > 1 && path[1] == ':' {
			path = "wp-content/uploads"
		}
		address = site + "/" + strings.TrimRight(path, "/")
	}
	switch {
	case s.RewrittenUploads:
		return site + "/files"
	case s.UploadsOfSite > 0:
		return address + "/sites/" + strconv.FormatInt(s.UploadsOfSite, 10)
	}
	return address
}

// globalPrefix is home without scheme, user and port, and the start of the id.
func globalPrefix(home string) string {
	rest, _, _ := strings.Cut(home, "#")
	rest, query, _ := strings.Cut(rest, "?")
	if _, after, ok := strings.Cut(rest, "://"); ok {
		rest = after
	}
	host, path, slash := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	// The colons of an IPv6 address are in brackets.
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		host = host[:colon]
	}
	if slash {
		host += "/" + path
	}
	if query != "" {
		return host + "?" + query + "&id="
	}
	return host + "?id="
}
