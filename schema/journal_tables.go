package schema

// The tables of the journal: see InstallJournal. Only Agenda reads and writes them.
var journalDefinitions = []table{
	{name: "agenda_objects", columns: []column{
		{"kind", ownWord}, {"object_id", owner}, {"fingerprint", word(255, "")}, {"object_type", word(32, "")},
		{"object_status", word(20, "")}, {"author", reference}, {"language", word(32, "")}, {"slug", word(200, "")}, {"image", reference},
	}, primary: "kind,object_id", keys: []key{
		{name: "image", columns: []string{"image"}},
	}},
	{name: "agenda_links", columns: []column{
		{"kind", ownWord}, {"object_id", owner}, {"linked_kind", ownWord}, {"linked_id", owner},
	}, primary: "kind,object_id,linked_kind,linked_id", keys: []key{
		{name: "linked", columns: []string{"linked_kind", "linked_id", "kind", "object_id"}},
	}},
	{name: "agenda_changes", columns: []column{
		{"sequence", owner}, {"moment", counter}, {"mark", ownWord}, {"kind", ownWord}, {"object_id", owner}, {"operation", ownWord},
		{"own", mark}, {"object_type", word(32, "")}, {"object_status", word(20, "")}, {"author", reference},
		{"language", word(32, "")}, {"slug", word(200, "")}, {"was_type", word(32, "")}, {"was_status", word(20, "")},
		{"was_author", reference}, {"was_language", word(32, "")}, {"was_slug", word(200, "")},
	}, primary: "sequence"},
	{name: journalTable, columns: []column{
		{"name", ownWord}, {"incarnation", ownWord}, {"declarations", word(64, "")}, {"release_no", counter}, {"sequence", counter},
		{"mark", ownWord}, {"secret", word(64, "")}, {"complete", counter}, {"progress", word(255, "")}, {"holder", word(64, "")},
		{"held_until", counter},
	}, primary: "name"},
}

// JournalRelease is the release of these tables. Tables of another release are not read; InstallJournal replaces older
// ones.
const JournalRelease = 2

// ownWord is the type of short strings that Agenda defines.
var ownWord = kind{"varchar(32) NOT NULL DEFAULT ''", "TEXT NOT NULL DEFAULT ''"}

// SQL functions that package embedded registers with SQLite: a fingerprint of the columns of a row, and an aggregate
// over several rows that does not depend on their order.
const (
	RowFingerprint  = "agenda_row_fingerprint"
	RowsFingerprint = "agenda_rows_fingerprint"

	// NumberOf converts a string to a number, NULL if it is none. It exists on SQLite only.
	NumberOf = "agenda_number"
)
