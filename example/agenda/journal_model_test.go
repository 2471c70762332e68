package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var (
	journalChanges = flag.Int64("journal.changes", 250, "after how many changes TestLongJournalModel ends")
	journalItems   = flag.Int("journal.items", 80, "of how many posts, beside others, the models of the journal write")
	journalSeed    = flag.Uint64("journal.seed", 1, "of what the models of the journal write at random")
)

// modelTables contains the names of the tables in which items are stored, without the prefix.
var modelTables = []string{
	"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "termmeta", "tec_events", "tec_occurrences", "icl_translations",
	"options",
}

// journalModel writes at random as other programs and this one do. It maintains a copy of the site by reading only the
// items that the journal names.
type journalModel struct {
	*journaled
	*rand.Rand
	loads  bool            // the server accepts LOAD DATA LOCAL INFILE
	dumped bool            // a dump exists
	own    []string        // paths of the items that this program created
	named  map[string]bool // items that this program has written
}

// journalKinds maps post types and taxonomies to the resources of the API.
var journalKinds = map[string]string{
	"tribe_events": "events", "tribe_venue": "venues", "tribe_organizer": "organizers", "attachment": "images",
	"post_tag": "tags", "tribe_events_cat": "categories",
}

// keysOfKinds maps meta keys of the model to the only resources that have them, "" meaning none.
var keysOfKinds = map[string]string{
	"_EventURL": "events", "_EventCost": "events", "_VenueCity": "venues", "_OrganizerPhone": "organizers", "_junk": "",
	"_thumbnail_id": "events venues organizers images",
}

func (j *journaled) model(stream uint64) *journalModel {
	j.Helper()
	m := &journalModel{journaled: j, Rand: rand.New(rand.NewPCG(*journalSeed, stream)), named: map[string]bool{}}
	m.loads = m.takesFiles()
	var posts []string
	for n := range *journalItems {
		posts = append(posts, shortPost(9600+n, pick(m.Rand, "tribe_events", "tribe_venue", "tribe_organizer"), "abc"))
	}
	// Items that this program creates get greater ids than these. So do their meta rows, because they have keys that
	// are not declared.
	posts = append(posts, shortPost(19990, "post", "News"))
	m.run(insertedPosts("INSERT", posts...), "INSERT INTO wp_terms (term_id, name, slug) VALUES (980, 'Other', 'other')",
		"INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (980, 980, 'category', '')",
		"INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (990000, 19990, '_junk', '')")
	m.changes()
	for _, table := range modelTables {
		m.script("CREATE TABLE copy_" + table + " AS SELECT * FROM wp_" + table)
	}
	return m
}

// takesFiles reports whether the server accepts LOAD DATA LOCAL INFILE. By default MySQL does not.
func (m *journalModel) takesFiles() (takes bool) {
	if m.db.Dialect().Name() == dialect.SQLite {
		return false
	}
	_, _ = m.db.DB.ExecContext(m.Context(), "SET GLOBAL local_infile = 1")
	must.Succeed(m, m.db.DB.QueryRowContext(m.Context(), "SELECT @@local_infile").Scan(&takes))
	return takes
}

// script runs statements on one connection, because a dump sets sql_mode there.
func (m *journalModel) script(statements ...string) string {
	m.Helper()
	conn := must.Get(m.db.DB.Conn(m.Context()))(m)
	defer conn.Close()
	all := statements
	if m.db.Dialect().Name() != dialect.SQLite {
		all = slices.Concat([]string{"SET @mode = @@sql_mode, SESSION sql_mode = ''"}, statements, []string{"SET SESSION sql_mode = @mode"})
	}
	for _, s := range all {
		if _, err := conn.ExecContext(m.Context(), s); err != nil {
			m.Fatal(s, err)
		}
	}
	return strings.Join(statements, "; ")
}

// states returns the stored values of each item. It reads all columns, with other statements than those with which the
// journal compares.
func (j *journaled) states(prefix string) map[string]string {
	j.Helper()
	read := func(query string, take func(cells []string)) {
		j.Helper()
		rows, err := j.db.DB.QueryContext(j.Context(), strings.ReplaceAll(query, "wp_", prefix))
		if err == nil {
			err = eachRow(rows, take)
		}
		if err != nil {
			j.Fatal(query, err)
		}
	}
	thumbnails, images, found := map[string]string{}, map[string]bool{}, map[string]string{}
	read("SELECT m.post_id, m.meta_value FROM wp_postmeta m JOIN wp_posts p ON p.ID = m.post_id WHERE m.meta_key = '_thumbnail_id' "+
		"AND p.post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer') ORDER BY m.meta_id DESC",
		func(c []string) { thumbnails[c[0]] = c[1] })
	for _, image := range thumbnails {
		images[image] = true
	}
	type post struct{ kind, name string }
	posts := map[string]post{}
	read("SELECT ID, post_type, post_author, post_content, post_title, post_excerpt, post_status, post_name, post_modified, menu_order "+
		"FROM wp_posts", func(c []string) {
		kind := journalKinds[c[1]]
		if kind != "" && (kind != "images" || images[c[0]]) {
			posts[c[0]] = post{kind, kind + " " + c[0]}
			found[kind+" "+c[0]] = fmt.Sprintf("%q", c)
		}
	})
	add := func(kinds string) func(c []string) { // of these resources
		return func(c []string) {
			if p := posts[c[0]]; p.kind != "" && strings.Contains(kinds, p.kind) {
				found[p.name] += fmt.Sprintf(" %q", c)
			}
		}
	}
	read("SELECT post_id, meta_id, meta_key, meta_value FROM wp_postmeta ORDER BY meta_id", func(c []string) {
		kinds, is := keysOfKinds[c[2]]
		if !is {
			kinds = "events venues organizers images"
		}
		add(kinds)(c)
	})
	read("SELECT r.object_id, r.term_taxonomy_id, r.term_order, tt.term_id, tt.taxonomy FROM wp_term_relationships r "+
		"JOIN wp_term_taxonomy tt ON tt.term_taxonomy_id = r.term_taxonomy_id AND tt.taxonomy IN ('post_tag', 'tribe_events_cat') "+
		"ORDER BY 2", add("events"))
	read("SELECT post_id, occurrence_id, event_id, start_date, end_date, duration, has_recurrence FROM wp_tec_occurrences ORDER BY 2",
		add("events"))
	read("SELECT post_id, event_id, start_date, end_date, duration, rset FROM wp_tec_events ORDER BY 2", add("events"))
	read("SELECT element_id, trid, language_code, source_language_code, element_type FROM wp_icl_translations ORDER BY translation_id",
		func(c []string) {
			if strings.HasPrefix(c[4], "post_tribe") {
				add(journalKinds[strings.TrimPrefix(c[4], "post_")])(c)
			}
		})
	read("SELECT t.term_id, tt.taxonomy, t.name, t.slug, t.term_group, tt.term_taxonomy_id, tt.description, tt.parent FROM wp_terms t "+
		"JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id", func(c []string) {
		if kind := journalKinds[c[1]]; kind != "" {
			found[kind+" "+c[0]] = fmt.Sprintf("%q", c)
		}
	})
	read("SELECT option_value FROM wp_options WHERE option_name = 'timezone_string'", func(c []string) { found["settings 1"] = c[0] })
	return found
}

// eachRow calls take with the cells of each row.
func eachRow(rows *sql.Rows, take func(cells []string)) error {
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		cells, into := make([]*string, len(names)), make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		texts := make([]string, len(cells))
		for i, c := range cells {
			texts[i] = "\x00" // stands for NULL
			if c != nil {
				texts[i] = *c
			}
		}
		take(texts)
	}
	return rows.Err()
}

// differences returns what differs between two states.
func differences(was, is map[string]string) (list []string) {
	for name, state := range is {
		if before, known := was[name]; !known {
			list = append(list, "new "+name)
		} else if before != state {
			list = append(list, "changed "+name)
		}
	}
	for name := range was {
		if _, still := is[name]; !still {
			list = append(list, "gone "+name)
		}
	}
	slices.Sort(list)
	return list
}

// insertedPosts returns the statement that inserts or replaces posts.
func insertedPosts(how string, posts ...string) string {
	return how + " INTO wp_posts (ID, post_title, post_content, post_excerpt, post_status, post_name, post_type, post_mime_type, " +
		"to_ping, pinged, post_content_filtered, guid, post_date, post_date_gmt, post_modified, post_modified_gmt) VALUES " +
		strings.Join(posts, ", ")
}

// post returns the id of one of the posts that are created and deleted.
func (m *journalModel) post() int { return 9600 + m.IntN(*journalItems) }

// pick returns a random one of the values.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// statement returns a random statement that writes some rows.
func (m *journalModel) statement() string {
	r := m.Rand
	id, text := pick(r, 9001+r.IntN(5), m.post(), m.post()), pick(r, "abc", "ABC", "ábc", "abc ", "", "9001")
	row, term := 900_000+r.IntN(4**journalItems), 950+r.IntN(12)
	switch r.IntN(20) {
	case 0, 1:
		return fmt.Sprintf("UPDATE wp_posts SET %s = '%s' WHERE ID = %d", pick(r, "post_title", "post_content", "post_excerpt"), text, id)
	case 2:
		return fmt.Sprintf("UPDATE wp_posts SET post_status = CASE post_status WHEN 'publish' THEN 'trash' ELSE 'publish' END "+
			"WHERE ID = %d", id)
	case 3, 4, 5:
		kind := pick(r, "tribe_events", "tribe_events", "tribe_events", "tribe_venue", "tribe_organizer", "attachment", "post")
		return insertedPosts("REPLACE", shortPost(m.post(), kind, text))
	case 6:
		return fmt.Sprintf("DELETE FROM wp_posts WHERE ID = %d", m.post())
	case 7, 8:
		return fmt.Sprintf("REPLACE INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (%d, %d, '%s', '%s')", row, id,
			m.key(), text)
	case 9:
		return fmt.Sprintf("REPLACE INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (%d, %d, '_thumbnail_id', '%d')", row,
			id, pick(r, 9001, m.post()))
	case 10:
		return fmt.Sprintf("%s WHERE meta_id BETWEEN %d AND %d",
			pick(r, "DELETE FROM wp_postmeta", "UPDATE wp_postmeta SET meta_value = NULL"), row, row+4)
	case 11:
		return fmt.Sprintf("REPLACE INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (%d, %d, %d)", id,
			pick(r, 911, 912, term), r.IntN(2))
	case 12:
		return fmt.Sprintf("DELETE FROM wp_term_relationships WHERE object_id = %d", id)
	case 13:
		return pick(r, fmt.Sprintf("REPLACE INTO wp_terms (term_id, name, slug, term_group) VALUES (%d, '%s', 's%d', %d)", term, text, term,
			r.IntN(3)),
			fmt.Sprintf("REPLACE INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent) VALUES (%d, %d, '%s', "+
				"'%s', %d)", term, term, pick(r, "post_tag", "tribe_events_cat", "category"), text, r.IntN(2)*901),
			fmt.Sprintf("DELETE FROM wp_term_taxonomy WHERE term_id = %d", term), "UPDATE wp_term_taxonomy SET count = count + 1",
			fmt.Sprintf("UPDATE wp_terms SET name = '%s' WHERE term_id IN (901, 902)", text))
	case 14:
		return fmt.Sprintf("REPLACE INTO wp_tec_events (event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, "+
			"duration, hash, rset) VALUES (%d, %d, '2031-05-01 10:00:00', '2031-05-01 12:00:00', 'UTC', '2031-05-01 10:00:00', "+
			"'2031-05-01 12:00:00', %d, '%d', %s)", 20000+id, id, r.IntN(4), id, pick(r, "NULL", "'RDATE'"))
	case 15:
		return fmt.Sprintf("REPLACE INTO wp_tec_occurrences (occurrence_id, event_id, post_id, start_date, start_date_utc, end_date, "+
			"end_date_utc, duration, hash) VALUES (%d, %d, %d, '2031-05-01 10:00:00', '2031-05-01 10:00:00', '2031-05-01 12:00:00', "+
			"'2031-05-01 12:00:00', %d, 'h%d')", row, 20000+id, id, r.IntN(4), row)
	case 16:
		return pick(r, fmt.Sprintf("UPDATE wp_tec_occurrences SET duration = duration + 1 WHERE post_id BETWEEN %d AND %d", id,
			id+*journalItems/8),
			fmt.Sprintf("DELETE FROM wp_tec_occurrences WHERE post_id = %d", id))
	case 17:
		return pick(r, fmt.Sprintf("REPLACE INTO wp_icl_translations (translation_id, element_type, element_id, trid, language_code) "+
			"VALUES (%d, 'post_%s', %d, %d, '%s')", 99000+id,
			pick(r, "tribe_events", "tribe_venue"), id, 10*id+r.IntN(9), pick(r, "en", "fr")),
			fmt.Sprintf("DELETE FROM wp_icl_translations WHERE element_id = %d", id))
	case 18:
		return fmt.Sprintf("UPDATE wp_posts SET post_author = %d, post_modified = '2030-01-%02d 10:00:00' WHERE ID BETWEEN %d AND %d",
			r.IntN(9), 1+r.IntN(28), id, id+*journalItems/4)
	default:
		return pick(r, "UPDATE wp_options SET option_value = '"+pick(r, "UTC", "Europe/Paris", "Pacific/Apia")+
			"' WHERE option_name = 'timezone_string'",
			fmt.Sprintf("UPDATE wp_posts SET menu_order = %d WHERE post_type = 'tribe_organizer'", r.IntN(3)))
	}
}

func (m *journalModel) key() string {
	return pick(m.Rand, slices.Sorted(maps.Keys(keysOfKinds))...)
}

// shape writes like programs that replace many rows at once.
func (m *journalModel) shape() string {
	m.Helper()
	n := m.IntN(8)
	if n > 4 && m.db.Dialect().Name() == dialect.SQLite {
		n -= 4
	}
	switch n {
	case 0:
		m.dumped = true
		var statements []string
		for _, table := range modelTables {
			statements = append(statements, "DROP TABLE IF EXISTS dump_"+table, "CREATE TABLE dump_"+table+" AS SELECT * FROM wp_"+table)
		}
		m.script(statements...)
		return "a dump"
	case 1:
		m.restore()
		return "a restored dump"
	case 2:
		return m.script("BEGIN", "DELETE FROM wp_postmeta WHERE post_id BETWEEN 9600 AND 9604", m.statement(), m.statement(),
			"UPDATE wp_terms SET term_group = term_group + 1", "COMMIT")
	case 3:
		return m.script("BEGIN", "DELETE FROM wp_posts", "DELETE FROM wp_tec_events", "ROLLBACK")
	case 4:
		return m.script("CREATE TABLE kept AS SELECT * FROM wp_term_relationships", "DELETE FROM wp_term_relationships",
			"INSERT INTO wp_term_relationships SELECT * FROM kept WHERE term_taxonomy_id <> 912", "DROP TABLE kept")
	case 5:
		return m.script("CREATE TABLE swapped LIKE wp_postmeta",
			fmt.Sprintf("INSERT INTO swapped SELECT * FROM wp_postmeta "+
				"WHERE meta_id NOT BETWEEN 9100 AND 989999 OR meta_id %% 9 <> %d", m.IntN(9)),
			"RENAME TABLE wp_postmeta TO gone, swapped TO wp_postmeta", "DROP TABLE gone")
	case 6:
		return m.script("ALTER TABLE wp_posts ROW_FORMAT = DYNAMIC", "TRUNCATE wp_tec_occurrences")
	default:
		return m.load()
	}
}

// restore replaces the tables by those of the dump.
func (m *journalModel) restore() {
	m.Helper()
	if !m.dumped {
		return
	}
	if m.db.Dialect().Name() == dialect.SQLite {
		statements := []string{"BEGIN IMMEDIATE"}
		for _, table := range modelTables {
			statements = append(statements, "DELETE FROM wp_"+table, "INSERT INTO wp_"+table+" SELECT * FROM dump_"+table)
		}
		m.script(append(statements, "COMMIT")...)
		return
	}
	for _, table := range modelTables {
		m.script("CREATE TABLE restored LIKE wp_"+table, "INSERT INTO restored SELECT * FROM dump_"+table, "DROP TABLE wp_"+table,
			"RENAME TABLE restored TO wp_"+table)
	}
}

// load makes the server read rows from a file.
func (m *journalModel) load() string {
	m.Helper()
	if !m.loads {
		return ""
	}
	var rows strings.Builder
	for range 1 + m.IntN(*journalItems/2) {
		fmt.Fprintf(&rows, "%d\t%d\t%s\t%s\n", 900_000+m.IntN(4**journalItems), m.post(), m.key(), pick(m.Rand, "abc", "ábc", "", `\N`))
	}
	name := m.Name()
	mysql.RegisterReaderHandler(name, func() io.Reader { return strings.NewReader(rows.String()) })
	defer mysql.DeregisterReaderHandler(name)
	m.script("LOAD DATA LOCAL INFILE 'Reader::" + name + "' REPLACE INTO TABLE wp_postmeta CHARACTER SET utf8mb4 " +
		"(meta_id, post_id, meta_key, meta_value)")
	return "loaded " + rows.String()
}

// writeOwn writes through the API.
func (m *journalModel) writeOwn() string {
	m.Helper()
	ctx := calendar.WithPrincipal(m.Context(), calendar.Principal{UserID: 1})
	method, path, body := http.MethodPost, pick(m.Rand, "/tags", "/venues", "/organizers"), map[string]any{}
	body[map[string]string{"/tags": "name", "/venues": "venue", "/organizers": "organizer"}[path]] = fmt.Sprint("own ", m.Int())
	if n := len(m.own); n > 0 && m.IntN(2) == 0 || n > 20 {
		i := m.IntN(n)
		path = m.own[i]
		if method = http.MethodPut; m.IntN(2) == 0 || n > 20 {
			method, body = http.MethodDelete, nil
			m.own = slices.Delete(m.own, i, i+1)
		} else {
			body = map[string]any{"slug": fmt.Sprint("own-", m.Int())}
		}
	}
	answer, err := m.calendar.Do(ctx, method, path, nil, body)
	var refused *calendar.Error
	if errors.As(err, &refused) && refused.Status < 500 && method != http.MethodPost { // the item is not in the restored dump
		return "none"
	}
	var item struct{ ID int64 }
	if err == nil && method == http.MethodPost {
		err = json.Unmarshal(answer, &item)
		path = fmt.Sprintf("%s/%d", path, item.ID)
		m.own = append(m.own, path)
	}
	if err != nil {
		m.Fatal(method, path, err)
	}
	m.named[strings.ReplaceAll(path[1:], "/", " ")] = true
	return method + " " + path
}

// writeOnce executes one random write.
func (m *journalModel) writeOnce() string {
	m.Helper()
	switch m.IntN(24) {
	case 0, 1:
		return m.shape()
	case 2, 3:
		return m.writeOwn()
	case 4:
		return m.script("BEGIN", m.statement(), "ROLLBACK")
	case 5:
		return m.script("BEGIN", m.statement(), m.statement(), m.statement(), "COMMIT")
	default:
		return m.script(m.statement())
	}
}

// writes executes a random number of writes, sometimes only one, so that no other write hides what it changes.
func (m *journalModel) writes() (wrote []string) {
	m.Helper()
	for range pick(m.Rand, 1, 3, 10, 40) {
		wrote = append(wrote, m.writeOnce())
	}
	return wrote
}

// replay updates the copy: it reads the items that the journal names from the site.
func (m *journalModel) replay(changes []schema.JournalChange) {
	m.Helper()
	ids := map[string][]string{}
	for _, c := range changes {
		ids[c.Kind] = append(ids[c.Kind], fmt.Sprint(c.ID))
	}
	var statements []string
	take := func(table, which string) {
		statements = append(statements, "DELETE FROM copy_"+table+" WHERE "+which,
			"INSERT INTO copy_"+table+" SELECT * FROM wp_"+table+" WHERE "+which)
	}
	for stored, kind := range journalKinds {
		if len(ids[kind]) == 0 {
			continue
		}
		in := " IN (" + strings.Join(ids[kind], ",") + ")"
		if strings.HasPrefix(stored, "tribe_events_") || stored == "post_tag" {
			take("terms", "term_id"+in)
			take("termmeta", "term_id"+in)
			take("term_taxonomy", "term_id"+in+" AND taxonomy = '"+stored+"'")
			continue
		}
		take("posts", "ID"+in+" AND post_type = '"+stored+"'")
		for _, table := range []string{"postmeta", "tec_events", "tec_occurrences"} {
			take(table, "post_id"+in)
		}
		take("term_relationships", "object_id"+in)
		take("icl_translations", "element_id"+in+" AND element_type = 'post_"+stored+"'")
	}
	if len(ids["settings"]) > 0 {
		take("options", "option_name = 'timezone_string'")
	}
	m.script(statements...)
}

// copied fails the test if the copy differs from the site.
func (m *journalModel) copied(is map[string]string) {
	m.Helper()
	if left := differences(m.states("copy_"), is); len(left) > 0 {
		m.Fatalf("seed %d: after %d changes the copy differs: %q", *journalSeed, m.seen, left)
	}
}

// together returns the combined effect of changes, in the order of the ids. An item that was created and deleted is
// left out.
func together(changes []schema.JournalChange) map[string]string {
	first, last := map[string]string{}, map[string]string{}
	for _, c := range changes {
		name := fmt.Sprintf("%s %d", c.Kind, c.ID)
		if last[name] = c.Operation; first[name] == "" {
			first[name] = c.Operation
		}
	}
	for name, operation := range first {
		switch came, went := operation == schema.JournalNew, last[name] == schema.JournalGone; {
		case came && went:
			delete(last, name)
		case !came && !went:
			last[name] = schema.JournalChanged
		case came:
			last[name] = schema.JournalNew
		}
	}
	return last
}

// check compares, and fails the test unless the journal names exactly the items that differ between two states. It may
// also name items that this program changed and changed back, because the program records its own writes at once.
func (m *journalModel) check(was, is map[string]string, wrote []string) []schema.JournalChange {
	m.Helper()
	must.Get(m.calendar.ScanJournal(m.Context()))(m)
	changes := m.since()
	var got []string
	for name, operation := range together(changes) {
		if m.named[name] && was[name] == is[name] {
			continue
		}
		got = append(got, operation+" "+name)
	}
	slices.Sort(got)
	if want := differences(was, is); !slices.Equal(got, want) {
		m.Fatalf("seed %d, after %d changes: %q:\n%q, want\n%q", *journalSeed, m.seen, wrote, got, want)
	}
	return changes
}

// TestLongJournalModel writes at random and compares: the journal names the items that are stored differently, and no
// others. A copy that is updated from the journal equals the site.
func TestLongJournalModel(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		m := j.model(1)
		is, round := m.states("wp_"), 0
		var changes []schema.JournalChange // changes not yet applied to the copy
		for ; m.seen < *journalChanges; round++ {
			was, wrote := is, m.writes()
			is = m.states("wp_")
			changed := m.during(func() { changes = append(changes, m.check(was, is, wrote)...) })
			if changed { // the transaction may be rolled back before the change is recorded
				continue
			}
			m.replay(changes)
			changes = nil
		}
		was := is
		is = m.states("wp_")
		m.replay(append(changes, m.check(was, is, nil)...))
		m.copied(is)
		t.Logf("seed %d: %d changes in %d rounds, of %d items; files are loaded: %t", *journalSeed, m.seen, round, len(is), m.loads)
	})
}

// during executes fn while a transaction of another program has written and has not been committed. The transaction may
// be rolled back afterwards. It reports whether there was one.
func (m *journalModel) during(fn func()) bool {
	m.Helper()
	if m.IntN(3) > 0 {
		fn()
		return false
	}
	tx := must.Get(m.db.DB.BeginTx(context.WithoutCancel(m.Context()), nil))(m)
	end := pick(m.Rand, tx.Commit, tx.Rollback)
	defer tx.Rollback() // if the test ends with Fatal
	statement := m.statement()
	if _, err := tx.ExecContext(m.Context(), statement); err != nil {
		m.Fatal(statement, err)
	}
	fn()
	if err := end(); err != nil {
		m.Fatal(statement, err)
	}
	return true
}
