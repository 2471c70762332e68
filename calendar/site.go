package calendar

import (
	"reflect"

	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Site describes where and how the site stores its calendar.
type Site struct {
	// Prefix is the table prefix, of 1 to 32 letters, digits or underscores. Default "wp_". Calendars with different
	// prefixes may share a DB.
	Prefix string

	// UserPrefix is the table prefix of the users. A user's roles are those on the site with Prefix. Default: Prefix;
	// for a site of a network (WordPress multisite), which shares the users of the network's first site, the prefix of
	// that site: if Prefix is "wp_3_", it is "wp_" if there is no wp_3_users and wp_blogs contains the id 3.
	UserPrefix string

	// URL is the address of the site if it differs from the stored one, for example for a copy that is served
	// elsewhere. It is used in place of the site's options "home" and "siteurl", which are not changed. Default: those
	// options.
	URL string

	// Names are the post types and taxonomies in which the site stores its calendar. Default: each is that of
	// schema.DefaultNames.
	Names schema.Names

	// Translations is where the site stores the languages of its items, if it does. Then each root shows the items in
	// its language, writes record that language, and items list their versions in other languages. Default: determined
	// from the database by New, which never creates anything for it.
	Translations Translations

	// Dates is how lists show recurring events: an item per occurrence, or one per event. Default: according to the
	// site's settings, whenever these are read.
	Dates Dates

	// WordPress is the release of WordPress whose rules apply, one of Releases: texts are rendered and filtered as by
	// that release. Default: determined from the database whenever settings are read, or the newest on a standalone
	// site.
	WordPress string

	// WriteDates permits writing the occurrences of recurring events while the plugin that maintains them is active on
	// the site. They are written as the plugin writes them: explicit occurrences, but no rules. Default false: only the
	// plugin writes them.
	WriteDates bool

	// DefaultLanguage is the tag of the language of items for which no language is stored. Default: according to the
	// site's settings, or the first of Options.Languages.
	DefaultLanguage string

	// Marks are the typographic marks that replace typed quotes, dashes and so on. Default: EnglishMarks.
	Marks Marks

	// GeoRadius is the radius in km of searches with geoloc_lat and geoloc_lng. Default 25.
	GeoRadius float64

	// FilterHTML filters the HTML of all callers, even of those with the capability unfiltered_html from the site or an
	// Authenticator. It is for sites whose configuration file sets DISALLOW_UNFILTERED_HTML. On a network of sites only
	// the network's administrators have that capability, independent of the roles of a site. Default false.
	FilterHTML bool

	// Latin1AsIs permits writing to a site whose columns are declared as latin1 although a sample of their texts is
	// UTF-8. It is for sites whose texts are right as they are. Default false: the calendar is read-only on such a
	// site, since the site itself could not read what is written.
	Latin1AsIs bool

	// SearchIndex makes searches in event lists use a FULLTEXT index of the site, so that not all texts are read. They
	// then find whole words, compared by the collation of the texts: "jazz" does not find "jazzy". Words of one or two
	// letters, common English words ("with", "from"), words in scripts without spaces, punctuation and the order of a
	// phrase are still searched in the texts. The index is an InnoDB one over post_title, post_excerpt and
	// post_content. The calendar never creates it: if it is missing, the error of New contains the statement that
	// creates it. New also rejects SQLite, and servers whose indexes omit further words. Searches of venues and
	// organizers do not use it. Default false: parts of words are found too.
	SearchIndex bool
}

// Marks are the typographic marks of a language, as HTML. Start from EnglishMarks: unless all fields are empty, an
// empty field removes what was typed.
type Marks struct {
	OpenDouble, CloseDouble string // "…"
	OpenSingle, CloseSingle string // '…'
	Apostrophe              string // ' within a word or before a year
	Prime, DoublePrime      string // 6' and 12"
	EnDash, EmDash          string // - and --
	Ellipsis                string // ...
	Trademark               string // (tm) after a space
	// Words begin with an apostrophe that would otherwise be taken for a quote, such as 'tis.
	Words []struct{ Typed, Shown string }
}

// EnglishMarks returns the marks of a site in English.
func EnglishMarks() Marks { return Marks(*render.EnglishMarks()) }

// rendered returns the marks for rendering, or nil for the English ones.
func (m Marks) rendered() *render.Marks {
	if reflect.ValueOf(m).IsZero() {
		return nil
	}
	return (*render.Marks)(&m)
}

// Releases returns the supported releases of WordPress, the oldest first.
func Releases() []string { return release.Names() }

// release returns the release that the host chose, which has been validated, or nil if it chose none.
func (s Site) release() *release.Release {
	r, err := release.Parse(s.WordPress)
	if err != nil {
		return nil
	}
	return &r
}
