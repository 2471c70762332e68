//go:build cluster

package cluster

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// journalLasts is how long the writers of journalOf write.
const journalLasts = 20 * time.Second

// TestJournalOfAllNodes writes on three nodes of a cluster and updates the journal through all of them.
func TestJournalOfAllNodes(t *testing.T) {
	g := NewGalera(t, 3)
	Install(t, DSN(g.Nodes[0].Addr(), ""))
	journalOf(t, g.Nodes, "&wsrep_sync_wait=1")
}

// TestGroupJournal does the same with a MySQL group whose members are all writable.
func TestGroupJournal(t *testing.T) {
	g := NewGroup(t, 3, false)
	Install(t, DSN(g.Members[0].Addr(), ""))
	journalOf(t, g.Members, "&group_replication_consistency=%27BEFORE%27")
}

// journalOf writes and updates the journal on all servers at the same time. Afterwards the journal must match the
// tables: one that is created anew contains the same, its sequence has no gaps, and all servers have it.
func journalOf(t *testing.T, servers []*Server, params string) {
	journal := func(s *Server, name string) {
		t.Helper()
		command(t, "journal", name, "--dsn", DSN(s.Addr(), params))
	}
	journal(servers[0], "install")
	journal(servers[0], "scan")
	var running sync.WaitGroup
	until := time.Now().Add(journalLasts)
	for i, s := range servers {
		running.Go(func() { writeRows(t, s, i, until) })
		running.Go(func() {
			for time.Now().Before(until) { // fails while another process updates the journal
				name, err := binary()
				must(t, err, name)
				p, err := run(nil, name, "journal", "scan", "--dsn", DSN(s.Addr(), params))
				must(t, err)
				<-p.ended
			}
		})
	}
	running.Wait()
	journal(servers[1], "scan")
	journal(servers[2], "scan") // finds no further changes
	known := knownOn(t, servers[2])
	changes, newest, err := sequenceOn(servers[2])
	if err != nil || changes != newest || changes == 0 {
		t.Errorf("%d changes, of which the newest is %d: %v", changes, newest, err)
	}
	t.Logf("%d changes of %d items", changes, len(known))
	for _, s := range servers {
		s.until("it has the changes", func() error {
			if n, last, err := sequenceOn(s); err != nil || n != changes || last != newest {
				return fmt.Errorf("%d, the newest is %d: %w", n, last, err)
			}
			return nil
		})
	}
	journal(servers[0], "remove")
	journal(servers[0], "install")
	journal(servers[0], "scan")
	if anew := knownOn(t, servers[0]); !maps.Equal(known, anew) {
		t.Errorf("%d items were known, and anew %d", len(known), len(anew))
	}
}

// sequenceOn returns the number of changes on a server, and the highest sequence number.
func sequenceOn(s *Server) (changes, newest int64, err error) {
	db := s.open(database)
	defer db.Close()
	err = db.QueryRow("SELECT COUNT(*), COALESCE(MAX(sequence), 0) FROM wp_agenda_changes").Scan(&changes, &newest)
	return changes, newest, err
}

// knownOn returns the fingerprints in the journal.
func knownOn(t *testing.T, s *Server) map[string]string {
	t.Helper()
	db := s.open(database)
	defer db.Close()
	rows, err := db.Query("SELECT CONCAT(kind, ' ', object_id), fingerprint FROM wp_agenda_objects")
	must(t, err)
	defer rows.Close()
	known := map[string]string{}
	for rows.Next() {
		var item, fingerprint string
		must(t, rows.Scan(&item, &fingerprint))
		known[item] = fingerprint
	}
	must(t, rows.Err())
	return known
}

// writeRows writes the same venues as the writers on the other servers, like another program.
func writeRows(t *testing.T, s *Server, number int, until time.Time) {
	db := s.open(database)
	defer db.Close()
	for n := 0; time.Now().Before(until); n++ {
		id := 5000 + rand.IntN(40)
		statements := []string{
			fmt.Sprintf("REPLACE INTO wp_posts (ID, post_title, post_content, post_excerpt, post_status, post_name, post_type, "+
				"to_ping, pinged, post_content_filtered, post_date, post_date_gmt, post_modified, post_modified_gmt) "+
				"VALUES (%d, 'hall %d', '', '', 'publish', "+
				"'hall-%d', 'tribe_venue', '', '', '', '2030-01-01 10:00:00', '2030-01-01 10:00:00', '2030-01-01 10:00:00', "+
				"'2030-01-01 10:00:00')", id, n, id),
			fmt.Sprintf("DELETE FROM wp_posts WHERE ID = %d", id),
			fmt.Sprintf("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (%d, '_VenueCity', '%d of %d')", id, n, number),
			fmt.Sprintf("DELETE FROM wp_postmeta WHERE post_id = %d", id),
		}
		var answer *mysql.MySQLError
		err := transact(db, statements[rand.IntN(len(statements))], statements[rand.IntN(len(statements))])
		if err != nil && !errors.As(err, &answer) { // other servers may abort a transaction
			t.Error(err)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// transact executes statements in one transaction.
func transact(db *sql.DB, statements ...string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := tx.Exec(statement); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
