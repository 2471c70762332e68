package schema

// The tables of the journal: see InstallJournal. No other program reads or writes them.
var journalDefinitions = []table{
	{name: objectsTable, columns: []column{
		{"kind", ownWord}, {"object_id", owner}, {"fingerprint", word(255, "")}, {"object_type", word(32, "")},
		{"object_status", word(20, "")}, {"author", reference}, {"language", word(32, "")}, {"slug", word(200, "")}, {"image", reference},
	}, primary: "kind,object_id", keys: []key{
		{name: "image", columns: []string{"image"}},
	}},
	{name: linksTable, columns: []column{
		{"kind", ownWord}, {"object_id", owner}, {"linked_kind", ownWord}, {"linked_id", owner},
	}, primary: "kind,object_id,linked_kind,linked_id", keys: []key{
		{name: "linked", columns: []string{"linked_kind", "linked_id", "kind", "object_id"}},
	}},
	{name: changesTable, columns: []column{
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

// JournalRelease is the release of these tables. Those of another one are not read: InstallJournal makes older ones anew.
const JournalRelease = 2

// ownWord is a short word of our own.
var ownWord = kind{"varchar(32) NOT NULL DEFAULT ''", "TEXT NOT NULL DEFAULT ''"}

// Functions of SQLite that package embedded registers for fingerprints: of the columns of a row, and the aggregate of those
// of several rows, which does not depend on their order.
const (
	RowFingerprint  = "agenda_row_fingerprint"
	RowsFingerprint = "agenda_rows_fingerprint"

	// NumberOf is a function of embedded databases: the number that a text is, NULL for what is none.
	NumberOf = "agenda_number"
)
