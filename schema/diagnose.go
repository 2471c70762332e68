package schema

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// Level is the severity of a Finding.
type Level string

// The levels of findings, from the lowest to the highest.
const (
	OK      Level = "ok"
	Note    Level = "note"    // for information
	Warning Level = "warning" // slow, or some answers are wrong
	Problem Level = "problem" // writes or answers are unreliable
)

// Finding is the result of one check. Its strings are in English and may quote stored values.
type Finding struct {
	Section  string   `json:"section"`
	Check    string   `json:"check"` // name of the check; the same in all releases
	Level    Level    `json:"level"`
	Subject  string   `json:"subject,omitempty"` // the table, index or option that it is about
	Text     string   `json:"text"`
	Advice   string   `json:"advice,omitempty"`   // what to do
	Examples []int64  `json:"examples,omitempty"` // ids of some affected posts or terms
	DDL      []string `json:"ddl,omitempty"`      // statements that fix it, for the owner to run
}

// Table is the size and storage engine of a table. The numbers are estimates of the server; on SQLite, rows are
// counted.
type Table struct {
	Name      string `json:"name"`
	Engine    string `json:"engine,omitempty"`
	Collation string `json:"collation,omitempty"`
	Rows      int64  `json:"rows"`
	Bytes     int64  `json:"bytes,omitempty"` // of data and indexes

	plain bool // the storage engine has no transactions
}

// PostCount is the exact number of posts with a type and a status.
type PostCount struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Count  int64  `json:"count"`
}

// Diagnosis is the result of Diagnose.
type Diagnosis struct {
	Server   string      `json:"server"`   // product and version
	Embedded bool        `json:"embedded"` // the database is an SQLite file
	Report   Report      `json:"-"`        // result of Check, whose contents are also in Findings
	Tables   []Table     `json:"tables"`
	Posts    []PostCount `json:"posts"` // of events, venues and organizers
	Findings []Finding   `json:"findings"`
	Advice   Advice      `json:"advice"`
	Plans    []Plan      `json:"plans"`

	missingRights []string // privileges that writes need
	unmigrated    bool     // the tables of occurrences are to be ignored
	phase         string   // phase of the migration to the tables of occurrences

	since int64 // id of the first event that slow checks examine; 0 for all
}

// Worst returns the highest level of the findings.
func (d Diagnosis) Worst() Level {
	order := []Level{OK, Note, Warning, Problem}
	worst := 0
	for _, f := range d.Findings {
		worst = max(worst, slices.Index(order, f.Level))
	}
	return order[worst]
}

// DDL returns the statements of all findings, in the order in which they have to be run.
func (d Diagnosis) DDL() []string {
	var statements []string
	for _, f := range d.Findings {
		statements = append(statements, f.DDL...)
	}
	if len(statements) > 0 && !d.Embedded {
		statements = append([]string{definitionMode}, statements...)
	}
	return statements
}

// Diagnose examines a database for causes of slow or wrong answers: missing indexes and what they would gain, storage
// engines without transactions, character sets, events that no list contains, orphaned rows and wrong counts. names are
// the post types and taxonomies.
//
// It changes nothing. Each check runs in a read-only transaction (on SQLite with PRAGMA query_only), so the account
// needs only the SELECT privilege. A check that takes longer than 10 seconds is cancelled, and its Finding says so. An
// error means that the database could not be examined.
func Diagnose(ctx context.Context, db *bun.DB, prefix string, names Names) (Diagnosis, error) {
	return DiagnoseSite(ctx, db, SiteTables{Prefix: prefix}, names)
}

// DiagnoseSite is Diagnose for a site whose users may be in tables with another prefix.
func DiagnoseSite(ctx context.Context, db *bun.DB, site SiteTables, names Names) (Diagnosis, error) {
	return diagnose(ctx, db, site, names, timeLimit)
}

func diagnose(ctx context.Context, db *bun.DB, site SiteTables, names Names, limit time.Duration) (Diagnosis, error) {
	var d Diagnosis
	prefix := site.Prefix
	db, err := Bind(db, prefix)
	if err != nil {
		return d, err
	}
	d.Embedded = isSQLite(db)
	if d.Report, err = CheckSite(ctx, db, site); err != nil {
		return d, err
	}
	if d.missingRights, err = MissingRights(ctx, db, prefix); err != nil {
		return d, err
	}
	if err := d.findMigration(ctx, db, prefix); err != nil {
		return d, fmt.Errorf("schema: diagnose: %w", explain(err))
	}
	for _, q := range questions {
		if !q.applies(db, prefix, &d) {
			continue
		}
		found, err := runCheck(ctx, db, limit, func(ctx context.Context, conn bun.IDB) ([]Finding, error) {
			return q.ask(ctx, &examinedDB{conn, prefix, names, &d})
		})
		if err != nil {
			return d, fmt.Errorf("schema: diagnose: %s: %w", q.check, err)
		}
		if len(found) == 0 && q.fine != "" {
			found = []Finding{{Level: OK, Text: q.fine}}
		}
		for _, f := range found {
			f.Section, f.Check = q.section, q.check
			if q.some && d.since > 0 {
				f.Text += fmt.Sprintf(" (among the %d newest events)", newestEvents)
			}
			d.Findings = append(d.Findings, f)
		}
	}
	return d, nil
}

// examinedDB is the database being examined, on a read-only connection.
type examinedDB struct {
	bun.IDB
	prefix string
	names  Names
	*Diagnosis
}

// question is one check.
type question struct {
	section, check string
	needs          []string // tables that it reads, without the prefix
	only           applicability
	some           bool   // it examines only the newest events
	fine           string // text of the Finding if there is no problem
	ask            func(context.Context, *examinedDB) ([]Finding, error)
}

// applicability says on which databases a check makes sense.
type applicability int

const (
	anywhere applicability = iota
	onServer
	inFile
)

func (q question) applies(db *bun.DB, prefix string, d *Diagnosis) bool {
	r := d.Report
	if d.unmigrated && (slices.Contains(q.needs, occurrencesTable) || slices.Contains(q.needs, eventsTable)) {
		return false
	}
	if q.only == onServer && isSQLite(db) || q.only == inFile && !isSQLite(db) {
		return false
	}
	return !slices.ContainsFunc(q.needs, func(name string) bool {
		name = prefix + name
		return slices.Contains(r.Missing, name) || slices.Contains(r.Denied, name) || slices.Contains(r.Optional, name)
	})
}
