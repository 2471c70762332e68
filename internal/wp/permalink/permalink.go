// Package permalink builds the URLs of a site's pages from its settings, slugs and the path segments of post types. It
// does no I/O.
package permalink

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// Settings are the settings of a site that its URLs depend on, as they are stored. EventSlug and EventsSlug are The
// Events Calendar's options singleEventSlug and eventsSlug; pass "event" and "events" if the site stores none.
type Settings struct {
	Home, SiteURL, Permalink  string
	EventSlug, EventsSlug     string
	TagBase, Locale           string
	UploadPath, UploadURLPath string
	UploadsOfSite             int64 // number of the site, if it is in a multisite network with a subdirectory for its uploads; else 0
	RewrittenUploads          bool  // uploads have the URLs of WordPress before 3.5
	WordPress                 release.Release

	// Host, Path and Query are the parts of a page's URL that depend on its language: a host instead of that of Home, a
	// first path segment, and the last part of the query. See schema.LanguagePlace.
	Host, Path, Query string
}

// home returns the URL of the site in the language.
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

// Slug returns the slug of a title or a name.
func (s Settings) Slug(title string) string { return s.Spelling().Slug(title) }

// Spelling returns the site's rules for accented letters.
func (s Settings) Spelling() *wp.Spelling { return wp.SpellingOf(s.Locale, s.WordPress) }

// Uploads returns the URL of the uploads directory.
func (s Settings) Uploads() string { return uploadsURL(s) }

// Linker builds the URLs of one site, or of one language of it.
type Linker struct {
	home          string
	pretty        bool
	structure     string            // permalink structure of posts
	slash         string            // "/" if pretty URLs end in a slash, else ""
	items         map[string]string // URL before the slug, by post type
	category, tag string            // URL before the slug
	uploads       string
	global        string // global id of an event, without the number
	query         string // query string for the language, without "?"
}

// New returns the Linker of a site. segments are the path segments before slugs, by post type. The taxonomies are the
// stored names.
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

// tagBase returns the URL before the slugs of tags. A tag base that the site has set also replaces the front of the
// permalink structure, except index.php, which every URL needs.
func tagBase(home, front string, index bool, own string) string {
	switch {
	case own == "":
		return home + front + "tag"
	case index:
		return home + front + own
	}
	return home + "/" + own
}

// permalinkFront returns the part of a permalink structure before the first placeholder. index reports whether the
// structure begins with index.php.
func permalinkFront(structure string) (front string, index bool) {
	fixed, _, ok := strings.Cut(structure, "%")
	if !ok {
		fixed = "" // without a placeholder there is no front
	}
	return "/" + strings.TrimLeft(fixed, "/"), strings.HasPrefix(strings.TrimLeft(structure, "/"), "index.php")
}

// indexFile is the beginning of paths on servers that cannot rewrite URLs.
const indexFile = "/index.php"

// LD returns the URL of an event as The Events Calendar writes it in JSON-LD: with pretty permalinks it always ends in
// a slash, even if permalinks do not. The URL of an unpublished event gets an escaped slash in its query, too.
func (l *Linker) LD(event string) string {
	switch {
	case !l.pretty || l.query != "" || strings.HasSuffix(event, "/"):
		return event
	case strings.HasPrefix(event, l.home+"/?"):
		return event + "%2F/"
	}
	return event + "/"
}

// Item returns the URL of a post of one of the types given to New. An unpublished post has a URL with its id; a private
// one has its permalink.
func (l *Linker) Item(postType string, id int64, slug, status string) string {
	if status != "publish" && status != "private" {
		return l.named(l.home + "/?post_type=" + postType + "&p=" + strconv.FormatInt(id, 10))
	}
	return l.named(l.join(l.items[postType], slug))
}

// Date returns the URL of an occurrence of an event, given the event's id and the day on which the occurrence begins.
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

// named appends the query string for the language.
func (l *Linker) named(address string) string {
	switch {
	case l.query == "":
		return address
	case strings.Contains(address, "?"):
		return address + "&" + l.query
	}
	return address + "?" + l.query
}

// Category returns the URL of a category, given the slugs of its ancestors, topmost first, and its own.
func (l *Linker) Category(slugs []string) string {
	if !l.pretty && len(slugs) > 0 {
		slugs = slugs[len(slugs)-1:]
	}
	return l.named(l.join(l.category, strings.Join(slugs, "/")))
}

// Tag returns the URL of a tag.
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

// Attachment returns the URL of the page of an attachment without a parent post.
func (l *Linker) Attachment(id int64, slug string) string {
	if !l.pretty || slug == "" {
		return l.home + "/?attachment_id=" + strconv.FormatInt(id, 10)
	}
	return l.home + "/" + slug + l.slash
}

// AttachmentBelow returns the URL of the page of an attachment of a post. post is the URL of that post, "" if it is not
// known.
func (l *Linker) AttachmentBelow(post string, id int64, slug string) string {
	if !l.pretty || post == "" || strings.Contains(post, "?") {
		return l.Attachment(id, "")
	}
	if _, _, numeric := wp.Numeric(slug); numeric || strings.Contains(l.structure, "%category%") {
		slug = "attachment/" + slug
	}
	return strings.TrimRight(post, "/") + "/" + slug + l.slash
}

// Post returns the URL of a published blog post, "" if it depends on more than the post's row. date is the local time
// of publication.
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

// Page returns the URL of a page, given the slugs of its ancestors, topmost first, and its own.
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

// GlobalID returns The Events Calendar's global id of a post, which contains the site's URL.
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
		// An absolute path in the file system is not part of the URL.
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

// globalPrefix returns home without its scheme, user and port, and the beginning of the id.
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
	// The colons of an IPv6 address are inside brackets.
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
