package schema

// The sections of a report.
const (
	sectionServer   = "Server"
	sectionTables   = "Tables"
	sectionEvents   = "Events"
	sectionMeta     = "Meta"
	sectionTerms    = "Categories and tags"
	sectionSettings = "Settings"
	sectionIndexes  = "Indexes"
)

var (
	eventTables = []string{"posts", "postmeta"}
	dateTables  = []string{"posts", "postmeta", occurrencesTable}
	termTables  = []string{"posts", "term_taxonomy", "term_relationships"}
)

// questions are the checks in the order in which they run, which is also the order of the statements that fix problems:
// keys before storage engines, storage engines before character sets, indexes last.
var questions = []question{
	{sectionServer, "version", nil, anywhere, false, "", askVersion},
	{sectionServer, "session", nil, onServer, false, "", askSession},
	{sectionServer, "rights", nil, onServer, false, "the account may read and write", askRights},
	{sectionServer, "limits", nil, onServer, false, "the server's limits allow large texts and joins", askLimits},
	{sectionServer, "changes", nil, anywhere, false, "", askChanges},
	{sectionServer, "file", nil, inFile, false, "the file is sound", askFile},

	{sectionTables, "tables", nil, anywhere, false, "all tables exist and can be read", askTables},
	{sectionTables, "keys", nil, onServer, false, "every table has its primary key and numbers its rows", askKeys},
	{sectionTables, "engine", nil, onServer, false, "all tables support transactions", askEngines},
	{sectionTables, "columns", nil, onServer, false, "no column of another program needs a value", askForeign},
	{sectionTables, "latin1", nil, onServer, false, "", askMisread},
	{sectionTables, "charset", nil, onServer, false, "all texts can hold every character (utf8mb4)", askCharsets},
	{sectionTables, "collation", nil, onServer, false, "texts compare the same way everywhere", askCollations},
	{sectionTables, "rows", []string{"posts"}, anywhere, false, "", countPosts},

	{sectionEvents, "migration", []string{"options"}, anywhere, false, "", askMigration},
	{sectionEvents, "occurrences", dateTables, anywhere, false, "every event with dates has an occurrence", askOccurrences},
	{sectionEvents, "tec_events", []string{"posts", "postmeta", eventsTable}, anywhere, false,
		"every event with dates has its row in tec_events", askEventRows},
	{sectionEvents, "dateless", eventTables, anywhere, false, "every published event has dates", askDateless},
	{sectionEvents, "dates", dateTables, anywhere, true, "occurrences have the dates of their events", askDates},
	{sectionEvents, checkZones, eventTables, anywhere, false, "UTC times of upcoming events agree with their time zones", askZones},
	{sectionEvents, "several", eventTables, anywhere, false, "every event has one date", askSeveral},
	{sectionEvents, "stray", []string{"posts", occurrencesTable}, anywhere, false, "every occurrence belongs to an event", askStray},

	{sectionMeta, "orphans", eventTables, anywhere, false, "every value belongs to a post", askOrphans},
	{sectionMeta, "duplicates", eventTables, anywhere, true, "no event has two values where only one counts", askDuplicates},
	{sectionMeta, "links", eventTables, anywhere, true, "venues and organizers of events exist", askLinks},
	{sectionMeta, "leftovers", eventTables, anywhere, false, "only events have event dates", askLeftovers},

	{sectionTerms, "terms", []string{"terms", "term_taxonomy"}, anywhere, false, "every category and tag has a name", askTerms},
	{sectionTerms, "counts", termTables, anywhere, false, "the stored numbers of published posts are right", askCounts},

	{sectionSettings, "options", []string{"options"}, anywhere, false, "roles and addresses exist", askOptions},
	{sectionSettings, "locale", []string{"options"}, anywhere, false, "the words of the site's language are known", askLocale},
	{sectionSettings, "wordpress", []string{"options"}, anywhere, false, "", askRelease},
	{sectionSettings, "theme", []string{"options", "posts"}, anywhere, false, "", askTheme},
	{sectionSettings, "dates", []string{"options"}, anywhere, false, "", askDateForm},
	{sectionSettings, "rest", []string{"options"}, anywhere, false, "no active plugin is known to close the REST API", askREST},
	{sectionSettings, "languages", []string{"options", "term_taxonomy"}, anywhere, false, "", askLanguages},
	{sectionSettings, "caches", []string{"options"}, anywhere, false, "every known cache of WordPress has a companion", askCaches},
	{sectionSettings, "autoload", []string{"options"}, anywhere, false, "", askAutoload},

	{sectionIndexes, "plans", dateTables, anywhere, false, "", askPlans},
	{sectionIndexes, "indexes", nil, anywhere, false, "none is missing", askIndexes},
	{sectionIndexes, "search", []string{"posts"}, onServer, false, "", askSearch},
}
