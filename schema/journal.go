package schema

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// InstallJournal creates the tables of the journal, which records changes by any writer: agenda_objects, agenda_links,
// agenda_changes and agenda_journal. It replaces those of an older release. A site gets them only if its owner calls
// this function, or from Install if Agenda created the site. Tables of WordPress and plugins are not changed, and get
// no triggers.
// A calendar that finds the tables, when it is created or each time Options.PublishEvery has passed, maintains the
// journal until it is closed.
// On MySQL and MariaDB, the account needs the privilege to CREATE tables. On SQLite, the tables are in a separate file
// with the name of the database and ".changes", so that commits to it do not count as changes of the site.
func InstallJournal(ctx context.Context, db *bun.DB, prefix string) error {
	err := installJournal(ctx, db, prefix)
	if err == nil {
		err = markJournal(ctx, db, prefix, false)
	}
	if err != nil {
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
		if err := dropOlder(ctx, conn, prefix); err != nil {
			return err
		}
		if err := createTables(ctx, conn, prefix, slices.Concat(journalDefinitions, webhookDefinitions)...); err != nil {
			return needs(err, "CREATE", prefix, allJournalTables)
		}
		return repeated(func() error { return insertHead(ctx, conn) })
	})
}

// dropOlder drops tables of an older release. Positions of clients become invalid with them; webhooks are kept, and
// their receivers are asked to synchronize.
func dropOlder(ctx context.Context, conn bun.IDB, prefix string) error {
	release, found, err := journalRelease(ctx, conn, prefix)
	switch {
	case err != nil || !found || release == JournalRelease:
		return err
	case release > JournalRelease:
		return fmt.Errorf("its tables have version %d, this program knows %d: use a newer program", release, JournalRelease)
	}
	return needs(dropTables(ctx, conn, prefix, journalTables), "DROP", prefix, allJournalTables)
}

// journalRelease returns the release of the journal's tables. found is false if they do not exist or have no head.
func journalRelease(ctx context.Context, conn bun.IDB, prefix string) (release int64, found bool, err error) {
	absent, denied, err := probe(ctx, conn, prefix, []string{journalTable})
	if err != nil || len(absent)+len(denied) > 0 {
		return 0, false, err
	}
	var rows []*JournalRow
	err = conn.NewSelect().Model(&rows).Column("release_no").Where("name = ?", JournalHead).Scan(ctx)
	if err != nil || len(rows) == 0 {
		return 0, false, err
	}
	return rows[0].Release, true, nil
}

func dropTables(ctx context.Context, conn bun.IDB, prefix string, tables []string) error {
	for _, t := range tables {
		if _, err := conn.ExecContext(ctx, "DROP TABLE IF EXISTS ?", bun.Ident(prefix+t)); err != nil {
			return err
		}
	}
	return nil
}

// insertHead inserts the rows of the journal itself and of its comparison, if they do not exist.
func insertHead(ctx context.Context, conn bun.IDB) error {
	rows := []*JournalRow{
		{Name: JournalHead, Incarnation: rand.Text(), Release: JournalRelease, Secret: rand.Text() + rand.Text()},
		{Name: JournalComparison},
	}
	_, err := conn.NewInsert().Model(&rows).Ignore().Exec(ctx)
	return err
}

// needs adds to an error which privilege on tables the account lacks.
func needs(err error, right, prefix string, tables []string) error {
	if n := number(err); n == 1142 || n == 1044 {
		return fmt.Errorf("the account needs the right to %s %s (%w)", right, strings.Join(prefixed(prefix, tables), ", "), err)
	}
	return err
}

// RemoveJournal drops the tables of the journal, if they exist. The account needs the privilege to DROP them. A site
// that Agenda created gets OptionNoJournal, so that Install does not create them again.
func RemoveJournal(ctx context.Context, db *bun.DB, prefix string) error {
	if err := markJournal(ctx, db, prefix, true); err != nil {
		return fmt.Errorf("schema: remove journal: %w", err)
	}
	own, err := OpenJournal(ctx, db, prefix, false)
	if own == nil || err != nil {
		return err
	}
	err = dropTables(ctx, own.DB, prefix, slices.Concat(webhookTables, journalTables))
	left := 0
	if err == nil && own.file != "" { // the file may contain journals of other sites
		err = own.DB.NewRaw("SELECT COUNT(*) FROM sqlite_schema").Scan(ctx, &left)
	}
	if err = errors.Join(needs(err, "DROP", prefix, allJournalTables), own.Close()); err == nil && left == 0 {
		err = own.removeFile()
	}
	if err != nil {
		return fmt.Errorf("schema: remove journal: %w", err)
	}
	return nil
}

// JournalReport is the result of CheckJournal.
type JournalReport struct {
	Installed        bool     // all tables exist and the account may read them
	Older            bool     // the tables are of an older release: InstallJournal replaces them
	Missing          []string // missing privileges, such as "INSERT on wp_agenda_changes"
	Head             JournalRow
	Comparison       JournalRow
	Objects, Changes int64 // numbers of rows
}

// Ready reports whether the journal can be maintained.
func (r *JournalReport) Ready() bool { return r.Installed && !r.Older && len(r.Missing) == 0 }

// CheckJournal examines the tables of the journal without changing them.
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
	release, found, err := journalRelease(ctx, own, prefix)
	if err != nil {
		return report, err
	}
	if report.Older = found && release < JournalRelease; report.Older {
		report.Installed = true
		return report, nil
	}
	absent, denied, err := probe(ctx, own, prefix, allJournalTables)
	for _, name := range denied {
		report.Missing = append(report.Missing, "SELECT on "+prefix+name)
	}
	if report.Installed = len(absent)+len(denied) == 0; !report.Installed || err != nil {
		return report, err
	}
	if !isSQLite(own) {
		for _, t := range slices.Concat(journalDefinitions, webhookDefinitions) {
			if report.Missing, err = appendMissing(ctx, own, prefix, report.Missing, "INSERT UPDATE DELETE", t.name); err != nil {
				return report, err
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
	if report.Objects, err = own.NewSelect().Model((*JournalObject)(nil)).Count(ctx); err != nil {
		return report, err
	}
	report.Changes, err = own.NewSelect().Model((*JournalChange)(nil)).Count(ctx)
	return report, err
}
