package schema

import "github.com/uptrace/bun"

// Post is a row of posts: an event, venue, organizer, attachment, revision or anything else that a site publishes.
type Post struct {
	bun.BaseModel `bun:"table:?(prefix)posts,alias:p"`

	ID              int64  `bun:"ID,pk,autoincrement"`
	Author          int64  `bun:"post_author"`
	Date            string `bun:"post_date"`     // in the site's zone
	DateGMT         string `bun:"post_date_gmt"` // zero for drafts
	Content         string `bun:"post_content"`
	Title           string `bun:"post_title"`
	Excerpt         string `bun:"post_excerpt"`
	Status          string `bun:"post_status"`
	CommentStatus   string `bun:"comment_status"`
	PingStatus      string `bun:"ping_status"`
	Password        string `bun:"post_password"` // plain text; empty: not protected
	Name            string `bun:"post_name"`     // the slug
	ToPing          string `bun:"to_ping"`
	Pinged          string `bun:"pinged"`
	Modified        string `bun:"post_modified"`
	ModifiedGMT     string `bun:"post_modified_gmt"`
	ContentFiltered string `bun:"post_content_filtered"`
	Parent          int64  `bun:"post_parent"`
	GUID            string `bun:"guid"`
	MenuOrder       int64  `bun:"menu_order"` // -1: a sticky event
	Type            string `bun:"post_type"`
	MimeType        string `bun:"post_mime_type"`
	CommentCount    int64  `bun:"comment_count"`
}

// PostMeta is one value of a post. A key may have several rows; for a single value the lowest ID counts. A NULL key or
// value reads as "".
type PostMeta struct {
	bun.BaseModel `bun:"table:?(prefix)postmeta,alias:pm"`

	ID     int64  `bun:"meta_id,pk,autoincrement"`
	PostID int64  `bun:"post_id"`
	Key    string `bun:"meta_key"`
	Value  string `bun:"meta_value"`
}

// Term is the name of a category or tag, or of a term of any other taxonomy.
type Term struct {
	bun.BaseModel `bun:"table:?(prefix)terms,alias:t"`

	ID    int64  `bun:"term_id,pk,autoincrement"`
	Name  string `bun:"name"` // HTML-escaped
	Slug  string `bun:"slug"`
	Group int64  `bun:"term_group"`
}

// TermTaxonomy puts a term into a taxonomy. Posts have its ID, not the term's.
type TermTaxonomy struct {
	bun.BaseModel `bun:"table:?(prefix)term_taxonomy,alias:tt"`

	ID          int64  `bun:"term_taxonomy_id,pk,autoincrement"`
	TermID      int64  `bun:"term_id"`
	Taxonomy    string `bun:"taxonomy"`
	Description string `bun:"description"`
	Parent      int64  `bun:"parent"` // a term ID; 0 at the top
	Count       int64  `bun:"count"`  // published posts only
}

// TermRelationship assigns a term of a taxonomy to a post.
type TermRelationship struct {
	bun.BaseModel `bun:"table:?(prefix)term_relationships,alias:tr"`

	ObjectID       int64 `bun:"object_id,pk"` // a post ID
	TermTaxonomyID int64 `bun:"term_taxonomy_id,pk"`
	Order          int64 `bun:"term_order"`
}

// TermMeta is one value of a term. A NULL key or value reads as "".
type TermMeta struct {
	bun.BaseModel `bun:"table:?(prefix)termmeta,alias:tm"`

	ID     int64  `bun:"meta_id,pk,autoincrement"`
	TermID int64  `bun:"term_id"`
	Key    string `bun:"meta_key"`
	Value  string `bun:"meta_value"`
}

// User is an account of the site.
type User struct {
	bun.BaseModel `bun:"table:?(prefix)users,alias:u"`

	ID            int64  `bun:"ID,pk,autoincrement"`
	Login         string `bun:"user_login"`
	Pass          string `bun:"user_pass"` // a password hash
	Nicename      string `bun:"user_nicename"`
	Email         string `bun:"user_email"`
	URL           string `bun:"user_url"`
	Registered    string `bun:"user_registered"`
	ActivationKey string `bun:"user_activation_key"`
	Status        int64  `bun:"user_status"`
	DisplayName   string `bun:"display_name"`
}

// UserMeta is one value of a user. A NULL key or value reads as "".
type UserMeta struct {
	bun.BaseModel `bun:"table:?(prefix)usermeta,alias:um"`

	ID     int64  `bun:"umeta_id,pk,autoincrement"`
	UserID int64  `bun:"user_id"`
	Key    string `bun:"meta_key"`
	Value  string `bun:"meta_value"`
}

// Option is a setting of the site. Names are unique.
type Option struct {
	bun.BaseModel `bun:"table:?(prefix)options,alias:o"`

	ID       int64  `bun:"option_id,pk,autoincrement"`
	Name     string `bun:"option_name"`
	Value    string `bun:"option_value"`
	Autoload string `bun:"autoload"` // "on", "off", "auto"; older sites "yes", "no"
}

// EventRow is the row of an event in tec_events, with the dates of its post meta.
type EventRow struct {
	bun.BaseModel `bun:"table:?(prefix)tec_events,alias:te"`

	ID           int64  `bun:"event_id,pk,autoincrement"`
	PostID       int64  `bun:"post_id"`
	StartDate    string `bun:"start_date"` // in the event's zone
	EndDate      string `bun:"end_date"`
	Timezone     string `bun:"timezone"` // at most 30 characters
	StartDateUTC string `bun:"start_date_utc"`
	EndDateUTC   string `bun:"end_date_utc"`
	Duration     int64  `bun:"duration"` // seconds, at most MaxDuration
	UpdatedAt    string `bun:"updated_at,nullzero,default:current_timestamp"`
	Hash         string `bun:"hash"` // always empty
}

// Occurrence is a row of tec_occurrences, by which events are filtered and ordered. An event without one is in no list.
type Occurrence struct {
	bun.BaseModel `bun:"table:?(prefix)tec_occurrences,alias:oc"`

	ID           int64  `bun:"occurrence_id,pk,autoincrement"`
	EventID      int64  `bun:"event_id"` // of the EventRow
	PostID       int64  `bun:"post_id"`
	StartDate    string `bun:"start_date"` // in the event's zone
	StartDateUTC string `bun:"start_date_utc"`
	EndDate      string `bun:"end_date"`
	EndDateUTC   string `bun:"end_date_utc"`
	Duration     int64  `bun:"duration"` // seconds, at most MaxDuration
	Hash         string `bun:"hash"`     // see OccurrenceHash; unique
	UpdatedAt    string `bun:"updated_at,nullzero,default:current_timestamp"`
}

// EventDates is the row of tec_events with the column of sites whose events have several dates: see InstallDates.
type EventDates struct {
	EventRow `bun:",extend"`

	Rset string `bun:"rset"` // all dates as iCalendar properties, one a line; NULL or "" for one date
}

// OccurrenceDates is the row of tec_occurrences with the columns of such sites.
type OccurrenceDates struct {
	Occurrence `bun:",extend"`

	HasRecurrence int64 `bun:"has_recurrence"` // 1: it is one of several
	Sequence      int64 `bun:"sequence"`       // how often the dates were written; NULL on an event that has one again
	IsRdate       int64 `bun:"is_rdate"`       // 1: the date is explicit, and follows from no rule
}

// Series links an event to the post of its series, of TypeSeries. Sites whose events have several dates have the table.
type Series struct {
	bun.BaseModel `bun:"table:?(prefix)tec_series_relationships,alias:sr"`

	ID          int64 `bun:"relationship_id,pk,autoincrement"`
	SeriesID    int64 `bun:"series_post_id"`
	EventID     int64 `bun:"event_id"` // of the EventRow
	EventPostID int64 `bun:"event_post_id"`
}

// IdempotentRequest is a request that was carried out under an Idempotency-Key, with its answer. The table is this
// package's own: see InstallIdempotency.
type IdempotentRequest struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_idempotency,alias:ir"`

	Key         string `bun:"request_key,pk"` // SHA-256 of the caller and the key, in hexadecimal digits
	Fingerprint string `bun:"fingerprint"`    // SHA-256 of the request
	Expires     int64  `bun:"expires"`        // seconds since 1970
	Answer      []byte `bun:"answer"`         // compressed
}

// JournalObject is the last known state of an item: its fingerprint, what decides who may know of it, and how it is named.
// The table is this package's own: see InstallJournal.
type JournalObject struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_objects,alias:jo"`

	Kind        string `bun:"kind,pk"` // "events", "tags"
	ID          int64  `bun:"object_id,pk"`
	Fingerprint string `bun:"fingerprint"`   // one for each table that it is stored in
	Type        string `bun:"object_type"`   // of a post; of a term its taxonomy
	Status      string `bun:"object_status"` // of a post
	Author      int64  `bun:"author"`        // of a post
	Language    string `bun:"language"`      // its code, "" where none is stored
	Slug        string `bun:"slug"`
	Image       int64  `bun:"image"` // the attachment that it shows, 0 for none

	Links []JournalLink `bun:"-"` // what it links, in a table of their own
}

// JournalLink is an item that another one links at its last known state: an event its venue, a category its parent.
type JournalLink struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_links,alias:jl"`

	Kind       string `bun:"kind,pk"`
	ID         int64  `bun:"object_id,pk"`
	LinkedKind string `bun:"linked_kind,pk"`
	LinkedID   int64  `bun:"linked_id,pk"`
}

// JournalChange is a change of an item that was found. The columns that begin with was are what the item had before.
type JournalChange struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_changes,alias:jc"`

	Sequence    int64  `bun:"sequence,pk"`
	Moment      int64  `bun:"moment"` // when it was found, in milliseconds since 1970
	Mark        string `bun:"mark"`   // random: another row of the same sequence, as after a restored dump, has another one
	Kind        string `bun:"kind"`
	ID          int64  `bun:"object_id"`
	Operation   string `bun:"operation"` // one of the Journal constants
	Own         bool   `bun:"own"`       // the process that made it has noted it
	Type        string `bun:"object_type"`
	Status      string `bun:"object_status"`
	Author      int64  `bun:"author"`
	Language    string `bun:"language"`
	Slug        string `bun:"slug"`
	WasType     string `bun:"was_type"`
	WasStatus   string `bun:"was_status"`
	WasAuthor   int64  `bun:"was_author"`
	WasLanguage string `bun:"was_language"`
	WasSlug     string `bun:"was_slug"`
}

// Operations of a JournalChange.
const (
	JournalNew     = "new"
	JournalChanged = "changed"
	JournalGone    = "gone"
)

// JournalRow is the journal itself, under the name JournalHead, or one who works on it or follows it, with the lease by
// which one process at a time does so.
type JournalRow struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_journal,alias:jr"`

	Name         string `bun:"name,pk"`
	Incarnation  string `bun:"incarnation"`  // random: positions of another one are worth nothing
	Declarations string `bun:"declarations"` // of the head: a hash of what fingerprints cover
	Release      int64  `bun:"release_no"`   // of the head: JournalRelease of the tables
	Sequence     int64  `bun:"sequence"`     // of the newest change; of a follower that of the last one it took
	Mark         string `bun:"mark"`         // of this change
	Secret       string `bun:"secret"`       // of the head: a key for signing positions
	Complete     int64  `bun:"complete"`     // until when all changes were found, in milliseconds since 1970; 0: not yet
	Progress     string `bun:"progress"`     // of the first comparison
	Holder       string `bun:"holder"`       // of the lease, "" for nobody
	Until        int64  `bun:"held_until"`   // in milliseconds since 1970, by the clock of the database
}

// Names of rows of the journal. Those of followers are their own.
const (
	JournalHead       = "journal"
	JournalComparison = "comparison" // who compares
)

// Translation is the language of an item on sites that have the table, and the number of its group of versions: see
// InstallTranslations.
type Translation struct {
	bun.BaseModel `bun:"table:?(prefix)icl_translations"`

	ID       int64  `bun:"translation_id,pk,autoincrement"`
	Type     string `bun:"element_type"` // "post_tribe_events", "tax_post_tag"
	Element  int64  `bun:"element_id"`   // of a term its term_taxonomy_id
	Group    int64  `bun:"trid"`
	Language string `bun:"language_code"`
	Source   string `bun:"source_language_code,nullzero"` // "" for the original of its group
}
