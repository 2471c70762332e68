package floor

import (
	"strings"

	"github.com/agendahq/agenda/schema"
)

// These are the statements, with {p} for the table prefix, {o} for a join in the order in which it is written, and
// {ids} for a list of ids.
const (
	postColumns = "p.ID, p.post_author, p.post_parent, p.post_date, p.post_date_gmt, p.post_modified, p.post_modified_gmt, " +
		"p.post_title, p.post_content, p.post_excerpt, p.post_status, p.post_password, p.post_name, p.post_type, " +
		"p.post_mime_type, p.guid, p.menu_order"
	postsByID   = "SELECT " + postColumns + " FROM {p}posts p WHERE p.ID IN ({ids})"
	postsBySlug = "SELECT " + postColumns + " FROM {p}posts p WHERE p.post_name = ? AND p.post_type = {event}"

	termColumns = "t.term_id, tt.term_taxonomy_id, tt.parent, tt.count, t.term_group, t.name, t.slug, tt.taxonomy, tt.description"
	termsByPost = "SELECT " + termColumns + ", r.object_id FROM {p}term_relationships r" +
		" JOIN {p}term_taxonomy tt ON tt.term_taxonomy_id = r.term_taxonomy_id JOIN {p}terms t ON t.term_id = tt.term_id" +
		" WHERE r.object_id IN ({ids}) AND tt.taxonomy IN ({category}, {tag})"

	categoryFrom = " FROM {p}terms t JOIN {p}term_taxonomy tt ON tt.term_id = t.term_id WHERE tt.taxonomy = {category}"
	categoryPage = "SELECT " + termColumns + categoryFrom + " ORDER BY t.name, t.term_id LIMIT ? OFFSET ?"
	categoryAll  = "SELECT COUNT(*)" + categoryFrom

	// The venues that a public event links.
	venueFrom = " FROM {p}posts p WHERE p.post_type = {venue} AND p.post_status = {publish}" +
		" AND EXISTS (SELECT 1 FROM {p}postmeta m JOIN {p}posts e ON e.ID = m.post_id WHERE m.meta_key = {venueKey}" +
		" AND m.meta_value = CAST(p.ID AS CHAR){collate} AND e.post_type = {event} AND e.post_status = {publish} AND e.post_password = '')"
	venuePage = "SELECT p.ID" + venueFrom + " ORDER BY p.post_date DESC, p.ID DESC LIMIT ? OFFSET ?"
	venueAll  = "SELECT COUNT(*)" + venueFrom

	// A page is read in the order of starts, with its posts one by one, so that the scan ends when the page is full.
	dateFrom  = " FROM {p}tec_occurrences o{starts} {o} {p}posts p ON p.ID = o.post_id" + notHidden
	venueLink = " FROM {p}postmeta v JOIN {p}tec_occurrences o ON o.post_id = v.post_id JOIN {p}posts p ON p.ID = o.post_id" + notHidden
	notHidden = " LEFT JOIN {p}postmeta h ON h.post_id = o.post_id AND h.meta_key = {hidden}"
	dateWhere = " WHERE o.start_date >= ? AND o.end_date <= ? AND p.post_type = {event} AND p.post_status = {publish} AND h.meta_id IS NULL"

	// A total counts the occurrences alone and subtracts the few that are not shown.
	countFrom  = " FROM {p}tec_occurrences o{starts}"
	countWhere = " WHERE o.start_date >= ? AND o.end_date <= ?" +
		" AND o.post_id NOT IN (SELECT post_id FROM {p}postmeta WHERE meta_key = {hidden})" +
		" AND o.post_id NOT IN (SELECT ID FROM {p}posts WHERE post_type = {event} AND post_status <> {publish})"

	andVenue  = " AND v.meta_key = {venueKey} AND v.meta_value = ?"
	andTerm   = " AND EXISTS (SELECT 1 FROM {p}term_relationships r WHERE r.object_id = o.post_id AND r.term_taxonomy_id IN ({terms}))"
	andSearch = " AND p.post_password = '' AND (p.post_title LIKE ? OR p.post_excerpt LIKE ? OR p.post_content LIKE ?)"

	eventColumns = "SELECT o.post_id, o.start_date, p.post_date"
	eventOrder   = " ORDER BY o.start_date LIMIT ? OFFSET ?"

	// Far from the beginning, a page is found in the index, and its posts are read after that.
	lateBegin = "SELECT d.post_id, d.start_date, p.post_date FROM (SELECT o.post_id, o.start_date"
	lateEnd   = ") d JOIN {p}posts p ON p.ID = d.post_id ORDER BY d.start_date"
)

// metaByID selects rows of all keys, without order: choosing an index for twenty keys would take a server longer than
// reading the rows.
const metaByID = "SELECT post_id, meta_key, meta_value FROM {p}postmeta{ofPost} WHERE post_id IN ({ids})"

// keys contains the keys of the meta rows that answers show.
type keys map[string]bool

var (
	eventKeys = keysOf(
		schema.MetaStartDate, schema.MetaEndDate, schema.MetaStartDateUTC, schema.MetaEndDateUTC, schema.MetaAllDay,
		schema.MetaTimezone, schema.MetaTimezoneAbbr, schema.MetaCost, schema.MetaCurrencySymbol, schema.MetaCurrencyCode,
		schema.MetaCurrencyPosition, schema.MetaURL, schema.MetaShowMap, schema.MetaShowMapLink,
		schema.MetaHideFromUpcoming, schema.MetaFeatured, schema.MetaEventStatus, schema.MetaVenueID, schema.MetaOrganizerID,
		schema.MetaThumbnailID, schema.MetaGlobalIDLineage)
	linkedKeys = keysOf(
		schema.MetaThumbnailID, schema.MetaGlobalIDLineage, schema.MetaVenueAddress, schema.MetaVenueCity,
		schema.MetaVenueCountry, schema.MetaVenueProvince, schema.MetaVenueState, schema.MetaVenueZip, schema.MetaVenuePhone,
		schema.MetaVenueURL, schema.MetaVenueStateProvince, schema.MetaVenueShowMap, schema.MetaVenueShowMapLink,
		schema.MetaVenueLat, schema.MetaVenueLng, schema.MetaOrganizerPhone, schema.MetaOrganizerWebsite, schema.MetaOrganizerEmail)
	fileKeys = keysOf(schema.MetaAttachedFile, schema.MetaAttachmentMetadata, schema.MetaAttachmentAlt)
)

func keysOf(names ...string) keys {
	k := keys{}
	for _, name := range names {
		k[name] = true
	}
	return k
}

// quoted returns names as literals. They contain no quotes.
func quoted(names ...string) string { return "'" + strings.Join(names, "','") + "'" }

// Site contains what the statements depend on.
type Site struct {
	Prefix    string
	SQLite    bool
	Indexed   bool   // on MySQL: tec_occurrences has the index agenda_start
	Collation string // on MySQL: that of the values of meta rows
}

// statements returns a function that inserts the names of a site into a statement.
func (s Site) statements() func(string) string {
	names := schema.DefaultNames()
	inOrder, ofPost, starts, collate := "STRAIGHT_JOIN", " FORCE INDEX (post_id)", "", ""
	if s.SQLite {
		inOrder, ofPost = "CROSS JOIN", ""
	}
	if s.Indexed {
		starts = " FORCE INDEX (agenda_start)"
	}
	if s.Collation != "" {
		collate = " COLLATE " + s.Collation
	}
	return strings.NewReplacer("{p}", s.Prefix, "{o}", inOrder, "{starts}", starts, "{ofPost}", ofPost, "{collate}", collate,
		"{event}", quoted(names.Event), "{venue}", quoted(names.Venue), "{category}", quoted(names.Category), "{tag}", quoted(names.Tag),
		"{publish}", quoted(schema.StatusPublish),
		"{venueKey}", quoted(schema.MetaVenueID), "{hidden}", quoted(schema.MetaHideFromUpcoming)).Replace
}
