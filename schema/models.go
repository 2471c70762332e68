package schema

import "github.com/uptrace/bun"

// Post is a row of wp_posts: an event, venue, organizer, attachment, revision or any other post type.
type Post struct {
	bun.BaseModel `bun:"table:?(prefix)posts,alias:p"`

	ID              int64  `bun:"ID,pk,autoincrement"`
	Author          int64  `bun:"post_author"`
	Date            string `bun:"post_date"`     // in the site's time zone
	DateGMT         string `bun:"post_date_gmt"` // the zero date for drafts
	Content         string `bun:"post_content"`
	Title           string `bun:"post_title"`
	Excerpt         string `bun:"post_excerpt"`
	Status          string `bun:"post_status"`
	CommentStatus   string `bun:"comment_status"`
	PingStatus      string `bun:"ping_status"`
	Password        string `bun:"post_password"` // in plain text; "" if the post is not protected
	Name            string `bun:"post_name"`     // slug
	ToPing          string `bun:"to_ping"`
	Pinged          string `bun:"pinged"`
	Modified        string `bun:"post_modified"`
	ModifiedGMT     string `bun:"post_modified_gmt"`
	ContentFiltered string `bun:"post_content_filtered"`
	Parent          int64  `bun:"post_parent"`
	GUID            string `bun:"guid"`
	MenuOrder       int64  `bun:"menu_order"` // -1 marks a sticky event
	Type            string `bun:"post_type"`
	MimeType        string `bun:"post_mime_type"`
	CommentCount    int64  `bun:"comment_count"`
}

// PostMeta is a row of wp_postmeta. A key may have several rows; where only one value is expected, the row with the
// lowest id counts. A NULL key or value is read as "".
type PostMeta struct {
	bun.BaseModel `bun:"table:?(prefix)postmeta,alias:pm"`

	ID     int64  `bun:"meta_id,pk,autoincrement"`
	PostID int64  `bun:"post_id"`
	Key    string `bun:"meta_key"`
	Value  string `bun:"meta_value"`
}

// Term is a row of wp_terms: a category, a tag, or a term of another taxonomy.
type Term struct {
	bun.BaseModel `bun:"table:?(prefix)terms,alias:t"`

	ID    int64  `bun:"term_id,pk,autoincrement"`
	Name  string `bun:"name"` // HTML-escaped
	Slug  string `bun:"slug"`
	Group int64  `bun:"term_group"`
}

// TermTaxonomy is a row of wp_term_taxonomy: a term in a taxonomy. Posts refer to its id, not to that of the term.
type TermTaxonomy struct {
	bun.BaseModel `bun:"table:?(prefix)term_taxonomy,alias:tt"`

	ID          int64  `bun:"term_taxonomy_id,pk,autoincrement"`
	TermID      int64  `bun:"term_id"`
	Taxonomy    string `bun:"taxonomy"`
	Description string `bun:"description"`
	Parent      int64  `bun:"parent"` // term id; 0 at the top level
	Count       int64  `bun:"count"`  // published posts only
}

// TermRelationship is a row of wp_term_relationships: it assigns a term of a taxonomy to a post.
type TermRelationship struct {
	bun.BaseModel `bun:"table:?(prefix)term_relationships,alias:tr"`

	ObjectID       int64 `bun:"object_id,pk"` // post id
	TermTaxonomyID int64 `bun:"term_taxonomy_id,pk"`
	Order          int64 `bun:"term_order"`
}

// TermMeta is a row of wp_termmeta. A NULL key or value is read as "".
type TermMeta struct {
	bun.BaseModel `bun:"table:?(prefix)termmeta,alias:tm"`

	ID     int64  `bun:"meta_id,pk,autoincrement"`
	TermID int64  `bun:"term_id"`
	Key    string `bun:"meta_key"`
	Value  string `bun:"meta_value"`
}

// User is a row of wp_users.
type User struct {
	bun.BaseModel `bun:"table:?(prefix)users,alias:u"`

	ID            int64  `bun:"ID,pk,autoincrement"`
	Login         string `bun:"user_login"`
	Pass          string `bun:"user_pass"` // password hash
	Nicename      string `bun:"user_nicename"`
	Email         string `bun:"user_email"`
	URL           string `bun:"user_url"`
	Registered    string `bun:"user_registered"`
	ActivationKey string `bun:"user_activation_key"`
	Status        int64  `bun:"user_status"`
	DisplayName   string `bun:"display_name"`
}

// UserMeta is a row of wp_usermeta. A NULL key or value is read as "".
type UserMeta struct {
	bun.BaseModel `bun:"table:?(prefix)usermeta,alias:um"`

	ID     int64  `bun:"umeta_id,pk,autoincrement"`
	UserID int64  `bun:"user_id"`
	Key    string `bun:"meta_key"`
	Value  string `bun:"meta_value"`
}

// Option is a row of wp_options. Names are unique.
type Option struct {
	bun.BaseModel `bun:"table:?(prefix)options,alias:o"`

	ID       int64  `bun:"option_id,pk,autoincrement"`
	Name     string `bun:"option_name"`
	Value    string `bun:"option_value"`
	Autoload string `bun:"autoload"` // "on", "off", "auto"; on older sites "yes", "no"
}

// EventRow is the row of an event in The Events Calendar's table tec_events, with the dates of its post meta.
type EventRow struct {
	bun.BaseModel `bun:"table:?(prefix)tec_events,alias:te"`

	ID           int64  `bun:"event_id,pk,autoincrement"`
	PostID       int64  `bun:"post_id"`
	StartDate    string `bun:"start_date"` // in the event's time zone
	EndDate      string `bun:"end_date"`
	Timezone     string `bun:"timezone"` // at most 30 characters
	StartDateUTC string `bun:"start_date_utc"`
	EndDateUTC   string `bun:"end_date_utc"`
	Duration     int64  `bun:"duration"` // in seconds, at most MaxDuration
	UpdatedAt    string `bun:"updated_at,nullzero,default:current_timestamp"`
	Hash         string `bun:"hash"` // always empty
}

// Occurrence is a row of The Events Calendar's table tec_occurrences, by which events are filtered and sorted. Lists do
// not contain events that have none.
type Occurrence struct {
	bun.BaseModel `bun:"table:?(prefix)tec_occurrences,alias:oc"`

	ID           int64  `bun:"occurrence_id,pk,autoincrement"`
	EventID      int64  `bun:"event_id"` // id of the EventRow
	PostID       int64  `bun:"post_id"`
	StartDate    string `bun:"start_date"` // in the event's time zone
	StartDateUTC string `bun:"start_date_utc"`
	EndDate      string `bun:"end_date"`
	EndDateUTC   string `bun:"end_date_utc"`
	Duration     int64  `bun:"duration"` // in seconds, at most MaxDuration
	Hash         string `bun:"hash"`     // see OccurrenceHash; unique
	UpdatedAt    string `bun:"updated_at,nullzero,default:current_timestamp"`
}

// EventDates is a row of tec_events with the additional column of sites with recurring events: see InstallDates.
type EventDates struct {
	EventRow `bun:",extend"`

	Rset string `bun:"rset"` // all dates as iCalendar properties, one per line; NULL or "" for a single event
}

// OccurrenceDates is a row of tec_occurrences with the additional columns of sites with recurring events.
type OccurrenceDates struct {
	Occurrence `bun:",extend"`

	HasRecurrence int64 `bun:"has_recurrence"` // 1 if the event is recurring
	Sequence      int64 `bun:"sequence"`       // how often the event's dates were written; NULL if it became a single event again
	IsRdate       int64 `bun:"is_rdate"`       // 1 if the date was given explicitly, 0 if it follows from a rule
}

// Series is a row of tec_series_relationships: it links an event to the post of its series, of type TypeSeries. Only
// sites with Events Calendar Pro have the table.
type Series struct {
	bun.BaseModel `bun:"table:?(prefix)tec_series_relationships,alias:sr"`

	ID          int64 `bun:"relationship_id,pk,autoincrement"`
	SeriesID    int64 `bun:"series_post_id"`
	EventID     int64 `bun:"event_id"` // id of the EventRow
	EventPostID int64 `bun:"event_post_id"`
}

// IdempotentRequest is a completed request with an Idempotency-Key, and its answer. The table is one of Agenda's own:
// see InstallIdempotency.
type IdempotentRequest struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_idempotency,alias:ir"`

	Key         string `bun:"request_key,pk"` // SHA-256 of the caller and the key, in hexadecimal
	Fingerprint string `bun:"fingerprint"`    // SHA-256 of the request
	Expires     int64  `bun:"expires"`        // Unix time in seconds
	Answer      []byte `bun:"answer"`         // compressed
}

// JournalObject is the last known state of an item: its fingerprint, what determines who may see it, and how it is
// named. The table is one of Agenda's own: see InstallJournal.
type JournalObject struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_objects,alias:jo"`

	Kind        string `bun:"kind,pk"` // collection, such as "events" or "tags"
	ID          int64  `bun:"object_id,pk"`
	Fingerprint string `bun:"fingerprint"`   // one hash for each table in which the item is stored
	Type        string `bun:"object_type"`   // post type or taxonomy
	Status      string `bun:"object_status"` // of posts only
	Author      int64  `bun:"author"`        // of posts only
	Language    string `bun:"language"`      // language code; "" if none is stored
	Slug        string `bun:"slug"`
	Image       int64  `bun:"image"` // id of the featured image; 0 for none

	Links []JournalLink `bun:"-"` // stored in a table of their own
}

// JournalLink is a link from an item, in its last known state, to another one, such as an event's venue or a category's
// parent.
type JournalLink struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_links,alias:jl"`

	Kind       string `bun:"kind,pk"`
	ID         int64  `bun:"object_id,pk"`
	LinkedKind string `bun:"linked_kind,pk"`
	LinkedID   int64  `bun:"linked_id,pk"`
}

// JournalChange is a detected change of an item. The columns that begin with "was" contain the state before it.
type JournalChange struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_changes,alias:jc"`

	Sequence    int64  `bun:"sequence,pk"`
	Moment      int64  `bun:"moment"` // when it was detected: Unix time in milliseconds
	Mark        string `bun:"mark"`   // random: distinguishes rows with the same sequence number, which exist after a dump was restored
	Kind        string `bun:"kind"`
	ID          int64  `bun:"object_id"`
	Operation   string `bun:"operation"` // one of the Journal constants
	Own         bool   `bun:"own"`       // recorded by the process that made the change
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

// The operations of a JournalChange.
const (
	JournalNew     = "new"
	JournalChanged = "changed"
	JournalGone    = "gone"
)

// JournalRow is the journal itself, with the name JournalHead, or a worker or follower of it, with the lease that lets
// one process at a time do the work.
type JournalRow struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_journal,alias:jr"`

	Name         string `bun:"name,pk"`
	Incarnation  string `bun:"incarnation"`  // random id of this journal: positions in another one are invalid
	Declarations string `bun:"declarations"` // in the head: hash of what the fingerprints cover
	Release      int64  `bun:"release_no"`   // in the head: JournalRelease of the tables
	Sequence     int64  `bun:"sequence"`     // of the newest change; in a follower, of the last change that it processed
	Mark         string `bun:"mark"`         // Mark of that change
	Secret       string `bun:"secret"`       // in the head: key for signing positions
	Complete     int64  `bun:"complete"`     // all changes up to this time are recorded: Unix time in milliseconds; 0 for not yet
	Progress     string `bun:"progress"`     // of the first comparison
	Holder       string `bun:"holder"`       // of the lease; "" if it is free
	Until        int64  `bun:"held_until"`   // end of the lease: Unix time in milliseconds, by the database's clock
}

// Names of rows in agenda_journal. Followers use names of their own.
const (
	JournalHead       = "journal"
	JournalComparison = "comparison" // the worker that compares
)

// Translation is a row of WPML's table icl_translations: the language of an item, and the group of its translations.
// See InstallTranslations.
type Translation struct {
	bun.BaseModel `bun:"table:?(prefix)icl_translations"`

	ID       int64  `bun:"translation_id,pk,autoincrement"`
	Type     string `bun:"element_type"` // such as "post_tribe_events" or "tax_post_tag"
	Element  int64  `bun:"element_id"`   // post id, or term_taxonomy_id of a term
	Group    int64  `bun:"trid"`
	Language string `bun:"language_code"`
	Source   string `bun:"source_language_code,nullzero"` // "" for the original
}
