package schema

import "cmp"

// Names are the post types and taxonomies of a site, which may have renamed them.
type Names struct {
	Event     string // post type
	Venue     string // post type
	Organizer string // post type
	Category  string // taxonomy of events only
	Tag       string // taxonomy shared with other post types
}

// DefaultNames returns the names that WordPress and The Events Calendar use.
func DefaultNames() Names {
	return Names{Event: "tribe_events", Venue: "tribe_venue", Organizer: "tribe_organizer", Category: "tribe_events_cat", Tag: "post_tag"}
}

// OrDefaults replaces empty names by the default ones.
func (n Names) OrDefaults() Names {
	d := DefaultNames()
	return Names{
		Event: cmp.Or(n.Event, d.Event), Venue: cmp.Or(n.Venue, d.Venue), Organizer: cmp.Or(n.Organizer, d.Organizer),
		Category: cmp.Or(n.Category, d.Category), Tag: cmp.Or(n.Tag, d.Tag),
	}
}

// Post types that are the same on every site.
const (
	TypeAttachment = "attachment"
	TypeUserStyles = "wp_global_styles" // users' changes to a theme, as JSON
	TypePost       = "post"
	TypePage       = "page"
	TypeRevision   = "revision"
	TypePattern    = "wp_block"           // synced pattern: blocks that several posts show
	TypeSeries     = "tribe_event_series" // series of events: see Series
)

// Post statuses. Sites may have others; see RegisteredStatuses.
const (
	StatusPublish   = "publish"
	StatusFuture    = "future"
	StatusDraft     = "draft"
	StatusPending   = "pending"
	StatusPrivate   = "private"
	StatusTrash     = "trash"
	StatusAutoDraft = "auto-draft"
	StatusInherit   = "inherit" // of attachments and revisions
)

// RegisteredStatuses are the values that a status parameter or field accepts, in the order in which they are listed.
var RegisteredStatuses = []string{
	StatusPublish, StatusFuture, StatusDraft, StatusPending, StatusPrivate, StatusTrash, StatusAutoDraft, StatusInherit,
	"request-pending", "request-confirmed", "request-failed", "request-completed", "in-progress", "failed",
	"tribe-ea-success", "tribe-ea-failed", "tribe-ea-schedule", "tribe-ea-pending", "tribe-ea-draft", "tribe-ignored",
}

// Meta keys of events.
const (
	MetaStartDate         = "_EventStartDate" // in the event's time zone
	MetaEndDate           = "_EventEndDate"
	MetaStartDateUTC      = "_EventStartDateUTC"
	MetaEndDateUTC        = "_EventEndDateUTC"
	MetaDuration          = "_EventDuration" // in seconds
	MetaAllDay            = "_EventAllDay"
	MetaTimezone          = "_EventTimezone"
	MetaTimezoneAbbr      = "_EventTimezoneAbbr"
	MetaCost              = "_EventCost" // may have several rows
	MetaCurrencySymbol    = "_EventCurrencySymbol"
	MetaCurrencyCode      = "_EventCurrencyCode"
	MetaCurrencyPosition  = "_EventCurrencyPosition"
	MetaURL               = "_EventURL"
	MetaShowMap           = "_EventShowMap"
	MetaShowMapLink       = "_EventShowMapLink"
	MetaHideFromUpcoming  = "_EventHideFromUpcoming" // any row hides the event from lists
	MetaFeatured          = "_tribe_featured"
	MetaRecurrence        = "_EventRecurrence"  // serialized recurrence rules of Events Calendar Pro: see Recurs
	MetaVenueID           = "_EventVenueID"     // may have several rows
	MetaOrganizerID       = "_EventOrganizerID" // may have several rows
	MetaEventOrigin       = "_EventOrigin"
	MetaEventStatus       = "_tribe_events_status" // "canceled" or "postponed"
	MetaEventStatusReason = "_tribe_events_status_reason"
	MetaGlobalIDLineage   = "_tribe_aggregator_global_id_lineage"
	MetaModifiedFields    = "_tribe_modified_fields" // serialized; also of venues and organizers
)

// Meta keys of venues.
const (
	MetaVenueAddress       = "_VenueAddress"
	MetaVenueCity          = "_VenueCity"
	MetaVenueCountry       = "_VenueCountry"
	MetaVenueProvince      = "_VenueProvince"
	MetaVenueState         = "_VenueState"
	MetaVenueStateProvince = "_VenueStateProvince"
	MetaVenueZip           = "_VenueZip"
	MetaVenuePhone         = "_VenuePhone"
	MetaVenueURL           = "_VenueURL"
	MetaVenueShowMap       = "_VenueShowMap"
	MetaVenueShowMapLink   = "_VenueShowMapLink"
	MetaVenueLat           = "_VenueLat"
	MetaVenueLng           = "_VenueLng"
	MetaVenueOrigin        = "_VenueOrigin"
)

// Meta keys of organizers.
const (
	MetaOrganizerPhone   = "_OrganizerPhone"
	MetaOrganizerWebsite = "_OrganizerWebsite"
	MetaOrganizerEmail   = "_OrganizerEmail"
	MetaOrganizerOrigin  = "_OrganizerOrigin"
)

// Meta keys of images, trash and addresses, on posts of any type.
const (
	MetaThumbnailID        = "_thumbnail_id" // post id of an attachment
	MetaAttachedFile       = "_wp_attached_file"
	MetaAttachmentMetadata = "_wp_attachment_metadata" // serialized
	MetaAttachmentAlt      = "_wp_attachment_image_alt"
	MetaOriginalURL        = "_tribe_importer_original_url"

	MetaTrashStatus      = "_wp_trash_meta_status"
	MetaTrashTime        = "_wp_trash_meta_time"
	MetaTrashComments    = "_wp_trash_meta_comments_status" // serialized: the status of each comment, by id
	MetaDesiredSlug      = "_wp_desired_post_slug"
	MetaIgnoredStatus    = "_tribe_ignored_event_previous_status"
	MetaOldSlug          = "_wp_old_slug"
	MetaOldDate          = "_wp_old_date"
	MetaSourceUID        = "_agenda_uid"             // of an imported item: its identifier in the source
	MetaSource           = "_agenda_source"          // of an imported item: the source, a file, URL or name
	MetaSourceID         = "_agenda_source_id"       // of an imported item: hash of a source's URL, which is not stored in full
	MetaAdopted          = "_agenda_adopted"         // of an event that existed before it was imported: it is never pruned
	MetaPruned           = "_agenda_pruned"          // of a trashed event: its source no longer contained it
	MetaSourceStatus     = "_agenda_source_status"   // of an item that is not public in its source: the source's word, and the given status
	MetaSourceDates      = "_agenda_source_dates"    // of an event: which dates its source has moved, from where and to where
	MetaUnlinkedEvents   = "_agenda_unlinked_events" // of a trashed venue or organizer: events to link again when it is restored
	MetaRSVPForEvent     = "_tribe_rsvp_for_event"
	MetaTicketForEvent   = "_tec_tickets_commerce_event"
	MetaWooTicketOfEvent = "_tribe_wooticket_for_event"
)

// TrashedSlugSuffix is appended to the slug of a post in the trash, so that a new post can use the slug.
const TrashedSlugSuffix = "__trashed"

// Meta keys of users. Those of roles include the table prefix: see UserMetaCapabilities.
const (
	UserMetaApplicationPasswords = "_application_passwords" // serialized
	UserMetaSessionTokens        = "session_tokens"         // serialized
)

// UserMetaCapabilities returns the meta key of a user's serialized roles and capabilities on the site with a prefix.
func UserMetaCapabilities(prefix string) string { return prefix + "capabilities" }
