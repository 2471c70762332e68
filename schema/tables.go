package schema

import "slices"

// table describes a table for all databases, with the columns and indexes of WordPress or The Events Calendar. It may
// also have indexes, with names that begin with agenda_, for queries that only Agenda makes; just tables that Install
// creates have those.
type table struct {
	name    string // without the prefix
	columns []column
	primary string // columns of the primary key, if it is not a single auto-increment column
	keys    []key
}

type column struct {
	name string
	kind kind
}

// key is an index. In columns, "name(40)" means the first 40 characters of a column on MySQL and MariaDB. An "*" in a
// name is replaced by the table prefix.
type key struct {
	name    string
	columns []string
	unique  bool
	ordered bool // the many rows of a value are read in portions, in the order of the primary key, which this index has
}

var (
	requiredTables = []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "options", "users", "usermeta"}
	optionalTables = []string{occurrencesTable, eventsTable, "termmeta"}
	ownTables      = []string{idempotencyTable} // Agenda's own, also optional
	journalTables  = namesOf(journalDefinitions)
	webhookTables  = namesOf(webhookDefinitions) // created and removed together with those of the journal

	allJournalTables = slices.Concat(journalTables, webhookTables)
)

const (
	eventsTable      = "tec_events"
	occurrencesTable = "tec_occurrences"
	idempotencyTable = "agenda_idempotency"
	journalTable     = "agenda_journal"
)

var tables = []table{
	// agenda_title finds the venue or organizer with a name, which a new event may give instead of an id.
	{name: "posts", columns: []column{
		{"ID", autoID}, {"post_author", reference}, {"post_date", zeroDate}, {"post_date_gmt", zeroDate},
		{"post_content", longText}, {"post_title", text}, {"post_excerpt", text},
		{"post_status", word(20, "publish")}, {"comment_status", word(20, "open")}, {"ping_status", word(20, "open")},
		{"post_password", word(255, "")}, {"post_name", word(200, "")}, {"to_ping", text}, {"pinged", text},
		{"post_modified", zeroDate}, {"post_modified_gmt", zeroDate}, {"post_content_filtered", longText},
		{"post_parent", reference}, {"guid", word(255, "")}, {"menu_order", integer}, {"post_type", word(20, "post")},
		{"post_mime_type", word(100, "")}, {"comment_count", counter},
	}, keys: []key{
		{name: "post_name", columns: []string{"post_name(191)"}},
		{name: "type_status_date", columns: []string{"post_type", "post_status", "post_date", "ID"}},
		{name: "post_parent", columns: []string{"post_parent"}},
		{name: "post_author", columns: []string{"post_author"}},
		{name: "type_status_author", columns: []string{"post_type", "post_status", "post_author"}},
		{name: "agenda_title", columns: []string{"post_title(40)", "post_type", "post_status"}},
	}},
	// agenda_value finds the posts with a value, such as a link to a venue. agenda_post finds out whether a post has a
	// key, such as the one that hides an event, without reading its other rows.
	{name: "postmeta", columns: metaColumns("meta_id", "post_id"), keys: append(metaKeys("post_id"),
		key{name: "agenda_value", columns: []string{"meta_key(40)", "meta_value(20)", "post_id"}},
		key{name: "agenda_post", columns: []string{"post_id", "meta_key(40)"}})},
	{name: "terms", columns: []column{
		{"term_id", autoID}, {"name", word(200, "")}, {"slug", word(200, "")}, {"term_group", group},
	}, keys: []key{
		{name: "slug", columns: []string{"slug(191)"}},
		{name: "name", columns: []string{"name(191)"}},
	}},
	{name: "termmeta", columns: metaColumns("meta_id", "term_id"), keys: metaKeys("term_id")},
	{name: "term_taxonomy", columns: []column{
		{"term_taxonomy_id", autoID}, {"term_id", reference}, {"taxonomy", word(32, "")}, {"description", longText},
		{"parent", reference}, {"count", counter},
	}, keys: []key{
		{name: "term_id_taxonomy", columns: []string{"term_id", "taxonomy"}, unique: true},
		{name: "taxonomy", columns: []string{"taxonomy"}},
	}},
	{name: "term_relationships", columns: []column{
		{"object_id", reference}, {"term_taxonomy_id", reference}, {"term_order", integer},
	}, primary: "object_id,term_taxonomy_id", keys: []key{
		{name: "term_taxonomy_id", columns: []string{"term_taxonomy_id"}},
	}},
	{name: "users", columns: []column{
		{"ID", autoID}, {"user_login", word(60, "")}, {"user_pass", word(255, "")}, {"user_nicename", word(50, "")},
		{"user_email", word(100, "")}, {"user_url", word(100, "")}, {"user_registered", zeroDate},
		{"user_activation_key", word(255, "")}, {"user_status", integer}, {"display_name", word(250, "")},
	}, keys: []key{
		{name: "user_login_key", columns: []string{"user_login"}},
		{name: "user_nicename", columns: []string{"user_nicename"}},
		{name: "user_email", columns: []string{"user_email"}},
	}},
	{name: "usermeta", columns: metaColumns("umeta_id", "user_id"), keys: metaKeys("user_id")},
	{name: "options", columns: []column{
		{"option_id", autoID}, {"option_name", word(191, "")}, {"option_value", longText}, {"autoload", word(20, "yes")},
	}, keys: []key{
		{name: "option_name", columns: []string{"option_name"}, unique: true},
		{name: "autoload", columns: []string{"autoload"}},
	}},
	{name: eventsTable, columns: []column{
		{"event_id", autoID}, {"post_id", owner}, {"start_date", textDate}, {"end_date", textDateOrNull},
		{"timezone", word(30, "UTC")}, {"start_date_utc", textDate}, {"end_date_utc", textDateOrNull},
		{"duration", seconds}, {"updated_at", touched}, {"hash", digest},
	}, keys: []key{
		{name: "post_id", columns: []string{"post_id"}, unique: true},
	}},
	// With the agenda_ indexes, a list reads its page and its total from an index alone, by local or by UTC dates.
	{name: occurrencesTable, columns: []column{
		{"occurrence_id", autoID}, {"event_id", owner}, {"post_id", owner}, {"start_date", date}, {"start_date_utc", date},
		{"end_date", date}, {"end_date_utc", date}, {"duration", seconds}, {"hash", digest}, {"updated_at", touched},
	}, keys: []key{
		{name: "hash", columns: []string{"hash"}, unique: true},
		{name: "event_id", columns: []string{"event_id"}},
		{name: "idx_*tec_occurrences_post_id_dates", columns: []string{"post_id", "end_date", "start_date"}},
		{name: "idx_*tec_occurrences_post_id_dates_utc", columns: []string{"post_id", "end_date_utc", "start_date_utc"}},
		{name: "agenda_start", columns: []string{"start_date", "end_date", "post_id"}},
		{name: "agenda_start_utc", columns: []string{"start_date_utc", "end_date_utc", "post_id"}},
		{name: "agenda_end", columns: []string{"end_date"}},
		{name: "agenda_end_utc", columns: []string{"end_date_utc"}},
	}},
	{name: idempotencyTable, columns: []column{
		{"request_key", longDigest}, {"fingerprint", longDigest}, {"expires", counter}, {"answer", blob},
	}, primary: "request_key", keys: []key{
		{name: "expires", columns: []string{"expires"}},
	}},
}

// namesOf returns the names of tables, without the prefix.
func namesOf(tables []table) (names []string) {
	for _, t := range tables {
		names = append(names, t.name)
	}
	return names
}

func metaColumns(id, of string) []column {
	return []column{{id, autoID}, {of, reference}, {"meta_key", wordOrNull(255)}, {"meta_value", longTextOrNull}}
}

func metaKeys(of string) []key {
	return []key{{name: of, columns: []string{of}}, {name: "meta_key", columns: []string{"meta_key(191)"}, ordered: true}}
}
