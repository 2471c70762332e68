package schema

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
)

// InstallJournal creates the tables of the journal, in which is noted what changed, whoever changed it: agenda_objects,
// agenda_changes and agenda_journal, if they do not exist. A site gets them only where its owner calls this. Nothing is put
// on the tables of others, no trigger either.
// On MySQL and MariaDB the account needs the right to CREATE tables. On SQLite the tables are in a file next to the
// database's, named as that with ".changes" after it, so that its commits are none of the site's.
func InstallJournal(ctx context.Context, db *bun.DB, prefix string) error {
	if err := installJournal(ctx, db, prefix); err != nil {
		return fmt.Errorf("schema: install journal: %w", err)
	}
	return nil
}

func installJournal(ctx context.Context, db *bun.DB, prefix string) (err error) {
	site, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	absent, denied, err := probe(ctx, site, prefix, []string{"posts", "options"})
	if err != nil {
		return err
	}
	if len(absent)+len(denied) > 0 {
		return fmt.Errorf("there are no tables %sposts and %soptions that can be read: is this the site's database and table prefix?",
			prefix, prefix)
	}
	own, err := OpenJournal(ctx, db, prefix, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	return withDefinitionMode(ctx, own.DB, func(ctx context.Context, conn bun.IDB) error {
		if err := createTables(ctx, conn, prefix, journalDefinitions, journalTables); err != nil {
			return needs(err, "CREATE", prefix)
		}
		return repeated(func() error { return insertHead(ctx, conn) })
	})
}

// insertHead adds the rows of the journal itself and of its comparison if they do not exist.
func insertHead(ctx context.Context, conn bun.IDB) error {
	rows := []*JournalRow{
		{Name: JournalHead, Incarnation: rand.Text(), Secret: rand.Text() + rand.Text()},
		{Name: JournalComparison},
	}
	_, err := conn.NewInsert().Model(&rows).Ignore().Exec(ctx)
	return err
}

// needs says which right an account lacks.
func needs(err error, right, prefix string) error {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) && (answer.Number == 1142 || answer.Number == 1044) {
		return fmt.Errorf("the account needs the right to %s %s (%w)", right,
			strings.Join(prefixed(prefix, slices.Clone(journalTables)), ", "), err)
	}
	return err
}

// RemoveJournal drops the tables of the journal, if they exist, and leaves nothing of it. The account needs the right to
// DROP them.
func RemoveJournal(ctx context.Context, db *bun.DB, prefix string) error {
	own, err := OpenJournal(ctx, db, prefix, false)
	if own == nil || err != nil {
		return err
	}
	for _, t := range journalTables {
		if _, err = own.DB.ExecContext(ctx, "DROP TABLE IF EXISTS ?", bun.Ident(prefix+t)); err != nil {
			break
		}
	}
	left := 0
	if err == nil && own.file != "" { // of other sites in the same file
		err = own.DB.NewRaw("SELECT COUNT(*) FROM sqlite_schema").Scan(ctx, &left)
	}
	if err = errors.Join(needs(err, "DROP", prefix), own.Close()); err == nil && left == 0 {
		err = own.removeFile()
	}
	if err != nil {
		return fmt.Errorf("schema: remove journal: %w", err)
	}
	return nil
}

// JournalReport is what CheckJournal finds.
type JournalReport struct {
	Installed        bool
	Missing          []string // rights that the account lacks, as "INSERT on wp_agenda_changes"
	Head             JournalRow
	Comparison       JournalRow
	Objects, Changes int64 // rows
}

// Ready reports whether the journal can be kept.
func (r *JournalReport) Ready() bool { return r.Installed && len(r.Missing) == 0 }

// CheckJournal examines the tables of the journal and changes nothing.
func CheckJournal(ctx context.Context, db *bun.DB, prefix string) (report JournalReport, err error) {
	own, err := OpenJournal(ctx, db, prefix, false)
	if own == nil || err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	if report, err = checkJournal(ctx, own.DB, prefix); err != nil {
		return JournalReport{}, fmt.Errorf("schema: check journal: %w", err)
	}
	return report, nil
}

func checkJournal(ctx context.Context, own *bun.DB, prefix string) (report JournalReport, err error) {
	absent, denied, err := probe(ctx, own, prefix, journalTables)
	if report.Installed = len(absent)+len(denied) == 0; !report.Installed || err != nil {
		return report, err
	}
	if !isSQLite(own) {
		for _, t := range journalDefinitions {
			for right := range strings.FieldsSeq("INSERT UPDATE DELETE") {
				if report.Missing, err = appendMissing(ctx, own, prefix, report.Missing, right, t.name); err != nil {
					return report, err
				}
			}
		}
	}
	var rows []JournalRow
	if err := own.NewSelect().Model(&rows).Where("name IN (?)", bun.List([]string{JournalHead, JournalComparison})).Scan(ctx); err != nil {
		return report, err
	}
	for _, row := range rows {
		switch row.Name {
		case JournalHead:
			report.Head = row
		case JournalComparison:
			report.Comparison = row
		}
	}
	if report.Objects, err = count(ctx, own, (*JournalObject)(nil)); err != nil {
		return report, err
	}
	report.Changes, err = count(ctx, own, (*JournalChange)(nil))
	return report, err
}

func count(ctx context.Context, db *bun.DB, model any) (int64, error) {
	return db.NewSelect().Model(model).Count(ctx)
}
