package schema

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// Level is how much a Finding matters.
type Level string

// Levels of findings.
const (
	OK      Level = "ok"
	Note    Level = "note"    // good to know
	Warning Level = "warning" // slow, or some answers are wrong
	Problem Level = "problem" // writes or answers cannot be relied on
)

// Finding is the answer to one question about a database. Texts are in English and may quote stored values.
type Finding struct {
	Section  string   `json:"section"`
	Check    string   `json:"check"` // the question; the same in all versions
	Level    Level    `json:"level"`
	Subject  string   `json:"subject,omitempty"` // a table or an index
	Text     string   `json:"text"`
	Advice   string   `json:"advice,omitempty"`   // what to do
	Examples []int64  `json:"examples,omitempty"` // some of the posts or terms
	DDL      []string `json:"ddl,omitempty"`      // statements that repair it, for the owner to run
}

// Table is the size and engine of a table. Numbers are estimates of the server; on SQLite the rows are
// counted.
type Table struct {
	Name      string `json:"name"`
	Engine    string `json:"engine,omitempty"`
	Collation string `json:"collation,omitempty"`
	Rows      int64  `json:"rows"`
	Bytes     int64  `json:"bytes,omitempty"` // data and indexes

	plain bool // the engine has no transactions
}

// PostCount is the exact number of posts of a type in a state.
type PostCount struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Count  int64  `json:"count"`
}

// Diagnosis is the result of Diagnose.
type Diagnosis struct {
	Server   string      `json:"server"`   // name and version
	Embedded bool        `json:"embedded"` // an SQLite file
	Report   Report      `json:"-"`        // of Check; findings have its contents
	Tables   []Table     `json:"tables"`
	Posts    []PostCount `json:"posts"` // events, venues and organizers
	Findings []Finding   `json:"findings"`
	Advice   Advice      `json:"advice"`
	Plans    []Plan      `json:"plans"`

	missingRights []string // to write
	unmigrated    bool     // the tables of dates do not count yet
	phase         string   // of the migration to them

	since int64 // the first event for the slower questions; 0: all
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

// DDL returns the statements of all findings, in the order in which to run them; none if there is nothing to do.
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

// Diagnose examines a database for what makes it slow or wrong: missing indexes and what they would gain, engines
// without transactions, character sets, events that no list finds, orphaned rows, wrong counts. names are the post
// types and taxonomies.
//
// It writes nothing: every question is a transaction that the server keeps from writing (on SQLite PRAGMA query_only),
// so it only needs the right to SELECT. A question that takes longer than 10 seconds is given up, and its Finding says
// so. An error means that the database could not be asked.
func Diagnose(ctx context.Context, db *bun.DB, prefix string, names Names) (Diagnosis, error) {
	return DiagnoseSite(ctx, db, SiteTables{Prefix: prefix}, names)
}

// DiagnoseSite is Diagnose for a site that may have its users elsewhere.
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
		var found []Finding
		err := readOnly(ctx, db, limit, func(ctx context.Context, conn bun.IDB) (err error) {
			found, err = q.ask(ctx, &examinedDB{conn, prefix, names, &d})
			return err
		})
		if err != nil {
			f, ok := unanswered(ctx, err)
			if !ok {
				return d, fmt.Errorf("schema: diagnose: %s: %w", q.check, err)
			}
			found = []Finding{f}
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

// examinedDB is the examined database, on a connection that can only read.
type examinedDB struct {
	bun.IDB
	prefix string
	names  Names
	*Diagnosis
}

// question is one check.
type question struct {
	section, check string
	needs          []string // tables, without the prefix
	only           applicability
	some           bool   // only the newest events are examined
	fine           string // the text without a finding
	ask            func(context.Context, *examinedDB) ([]Finding, error)
}

// applicability is where a question makes sense.
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
