package schema

import "cmp"

// Names are the post types and taxonomies of a site. A site may have renamed them.
type Names struct {
	Event     string // post type
	Venue     string // post type
	Organizer string // post type
	Category  string // taxonomy of events
	Tag       string // taxonomy shared with other posts
}

// DefaultNames returns the names of a site that renamed nothing.
func DefaultNames() Names {
	return Names{Event: "tribe_events", Venue: "tribe_venue", Organizer: "tribe_organizer", Category: "tribe_events_cat", Tag: "post_tag"}
}

// OrDefaults returns the names with defaults for empty ones.
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
	TypeUserStyles = "wp_global_styles" // what users changed of a theme, as JSON
	TypePost       = "post"
	TypePage       = "page"
	TypeRevision   = "revision"
	TypePattern    = "wp_block"           // blocks that several texts show
	TypeSeries     = "tribe_event_series" // several events, or those made of one, under a name: see Series
)

// Statuses of posts. Sites have more; see RegisteredStatuses.
const (
	StatusPublish   = "publish"
	StatusFuture    = "future"
	StatusDraft     = "draft"
	StatusPending   = "pending"
	StatusPrivate   = "private"
	StatusTrash     = "trash"
	StatusAutoDraft = "auto-draft"
	StatusInherit   = "inherit" // attachments and revisions
)

// RegisteredStatuses are the values of a status parameter or field, in this order and exact case.
var RegisteredStatuses = []string{
	StatusPublish, StatusFuture, StatusDraft, StatusPending, StatusPrivate, StatusTrash, StatusAutoDraft, StatusInherit,
	"request-pending", "request-confirmed", "request-failed", "request-completed", "in-progress", "failed",
	"tribe-ea-success", "tribe-ea-failed", "tribe-ea-schedule", "tribe-ea-pending", "tribe-ea-draft", "tribe-ignored",
}

// Meta keys of events.
const (
	MetaStartDate         = "_EventStartDate" // in the event's zone
	MetaEndDate           = "_EventEndDate"
	MetaStartDateUTC      = "_EventStartDateUTC"
	MetaEndDateUTC        = "_EventEndDateUTC"
	MetaDuration          = "_EventDuration" // seconds
	MetaAllDay            = "_EventAllDay"
	MetaTimezone          = "_EventTimezone"
	MetaTimezoneAbbr      = "_EventTimezoneAbbr"
	MetaCost              = "_EventCost" // any number of rows
	MetaCurrencySymbol    = "_EventCurrencySymbol"
	MetaCurrencyCode      = "_EventCurrencyCode"
	MetaCurrencyPosition  = "_EventCurrencyPosition"
	MetaURL               = "_EventURL"
	MetaShowMap           = "_EventShowMap"
	MetaShowMapLink       = "_EventShowMapLink"
	MetaHideFromUpcoming  = "_EventHideFromUpcoming" // any row hides the event from lists
	MetaFeatured          = "_tribe_featured"
	MetaRecurrence        = "_EventRecurrence"  // serialized; rules from which several dates follow: see Recurs
	MetaVenueID           = "_EventVenueID"     // any number of rows
	MetaOrganizerID       = "_EventOrganizerID" // any number of rows
	MetaEventOrigin       = "_EventOrigin"
	MetaEventStatus       = "_tribe_events_status" // canceled, postponed
	MetaEventStatusReason = "_tribe_events_status_reason"
	MetaGlobalIDLineage   = "_tribe_aggregator_global_id_lineage"
	MetaModifiedFields    = "_tribe_modified_fields" // serialized; also on venues and organizers
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
	MetaThumbnailID        = "_thumbnail_id" // an attachment's post ID
	MetaAttachedFile       = "_wp_attached_file"
	MetaAttachmentMetadata = "_wp_attachment_metadata" // serialized
	MetaAttachmentAlt      = "_wp_attachment_image_alt"
	MetaOriginalURL        = "_tribe_importer_original_url"

	MetaTrashStatus      = "_wp_trash_meta_status"
	MetaTrashTime        = "_wp_trash_meta_time"
	MetaTrashComments    = "_wp_trash_meta_comments_status" // serialized: the statuses of comments, by their ids
	MetaDesiredSlug      = "_wp_desired_post_slug"
	MetaIgnoredStatus    = "_tribe_ignored_event_previous_status"
	MetaOldSlug          = "_wp_old_slug"
	MetaOldDate          = "_wp_old_date"
	MetaSourceUID        = "_agenda_uid"             // of an imported item: what names it where it came from
	MetaSource           = "_agenda_source"          // and where that is: a file, an address, a name
	MetaSourceID         = "_agenda_source_id"       // of an address, which is not stored whole: a hash of it
	MetaAdopted          = "_agenda_adopted"         // on an event that was there before a source had it: it is never pruned
	MetaPruned           = "_agenda_pruned"          // on a trashed event: it was in its source no more
	MetaSourceStatus     = "_agenda_source_status"   // of an item that its source does not call public: its word, and the given status
	MetaSourceDates      = "_agenda_source_dates"    // of an event: which of its dates the source has moved, from where and to where
	MetaUnlinkedEvents   = "_agenda_unlinked_events" // on a trashed venue or organizer: the events to link again
	MetaRSVPForEvent     = "_tribe_rsvp_for_event"
	MetaTicketForEvent   = "_tec_tickets_commerce_event"
	MetaWooTicketOfEvent = "_tribe_wooticket_for_event"
)

// TrashedSlugSuffix ends the slug of a post in the trash, so that a new post may have the slug.
const TrashedSlugSuffix = "__trashed"

// Meta keys of users. The keys of roles have the table prefix: see UserMetaCapabilities.
const (
	UserMetaApplicationPasswords = "_application_passwords" // serialized
	UserMetaSessionTokens        = "session_tokens"         // serialized
)

// UserMetaCapabilities returns the key of a user's serialized roles and capabilities on the site with this prefix.
func UserMetaCapabilities(prefix string) string { return prefix + "capabilities" }
