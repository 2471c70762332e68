package calendar

import (
	"reflect"

	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Site says where and how the site stores its calendar.
type Site struct {
	// Prefix is the table prefix, 1 to 32 letters, digits or underscores.
	// Default "wp_". Calendars with different prefixes may share a DB.
	Prefix string

	// UserPrefix is the table prefix of the users. A user's roles are those on the
	// site with Prefix. Default: Prefix, or, of a site of a network (WordPress
	// multisite), which shares the users of the first one, the prefix of that: with
	// "wp_3_" it is "wp_" where there is no wp_3_users and wp_blogs has the number 3.
	UserPrefix string

	// URL is the address of the site, where the stored one is not to count: of a
	// copy that is served elsewhere, say. It takes the place of the site's options
	// "home" and "siteurl", which stay as they are. Default: those.
	URL string

	// Names are the post types and taxonomies in which the site stores its
	// calendar. Default: those of schema.DefaultNames, each by itself.
	Names schema.Names

	// Translations is where the site stores the languages of its items, if it
	// does: then each root shows the items in its language, writes record them in
	// it, and items name their versions in the others. Default: wherever it is
	// found when the calendar is made; nothing is ever created for it.
	Translations Translations

	// Dates is how lists show events that have several dates: one item for each
	// date, or one for each event. Default: what the site's own settings say, read
	// with them.
	Dates Dates

	// WordPress is the release of WordPress that the site counts as: one of Releases. Texts are shown and filtered as
	// that release does. Default: what the site's rows say, read with its settings; the newest on a site of our own.
	WordPress string

	// WriteDates lets the dates of events that have several be written while the
	// program that makes them is active on the site, as that program writes them:
	// those that are explicit, and no rules. Default false: they are its own then.
	WriteDates bool

	// DefaultLanguage is the tag of the language of items for which none is
	// stored. Default: what the site's own settings say, or the first of
	// Options.Languages.
	DefaultLanguage string

	// Marks are the typographic marks that typed quotes, dashes and so on turn
	// into. Default: EnglishMarks.
	Marks Marks

	// GeoRadius is how far around a point geoloc_lat and geoloc_lng look, in
	// km. Default 25.
	GeoRadius float64

	// FilterHTML passes the texts of all callers through the list of allowed HTML,
	// also of those with the right unfiltered_html, whether the site gave it to
	// them or an Authenticator. It is for sites whose configuration file says
	// DISALLOW_UNFILTERED_HTML. On a network of sites only its administrators have
	// that right, whatever the roles of a site say. Default false.
	FilterHTML bool

	// Latin1AsIs lets a site be written whose columns say latin1 and whose texts
	// there, as far as some of them show, are UTF-8: for sites whose texts are right
	// as they are. Default false: nothing is written to such a site, since the site
	// itself could not read it.
	Latin1AsIs bool

	// SearchIndex makes the searches of event lists use a FULLTEXT index of the
	// site, so that not all texts are read. They find whole words then, as the
	// collation of the texts compares them: "jazz" finds no "jazzy". Words of one
	// or two letters, common English ones ("with", "from"), those in scripts
	// without spaces, punctuation and the order of a phrase are still looked for in
	// the texts. The index is InnoDB's, over post_title, post_excerpt and
	// post_content; it is never made here. Where it is missing the error of New
	// holds the statement that makes it; New also refuses SQLite, and servers whose
	// indexes leave out further words. Venues and organizers are searched without
	// it. Default false: words are also found within others.
	SearchIndex bool
}

// Marks are the typographic marks of a language, as HTML. EnglishMarks is what
// to start from: unless all are empty, an empty one drops what was typed.
type Marks struct {
	OpenDouble, CloseDouble string // "…"
	OpenSingle, CloseSingle string // '…'
	Apostrophe              string // ' in a word or before a year
	Prime, DoublePrime      string // 6' and 12"
	EnDash, EmDash          string // - and --
	Ellipsis                string // ...
	Trademark               string // (tm) after a space
	// Words are those that start with an apostrophe, not with a quote.
	Words []struct{ Typed, Shown string }
}

// EnglishMarks returns the marks of a site in English.
func EnglishMarks() Marks { return Marks(*render.EnglishMarks()) }

// rendered returns the marks for rendering, nil for the English ones.
func (m Marks) rendered() *render.Marks {
	if reflect.ValueOf(m).IsZero() {
		return nil
	}
	return (*render.Marks)(&m)
}

// Releases returns the releases of WordPress that are known, the oldest first.
func Releases() []string { return release.Names() }

// release returns the release that the host names, nil for none. It is valid.
func (s Site) release() *release.Release {
	r, err := release.Parse(s.WordPress)
	if err != nil {
		return nil
	}
	return &r
}
