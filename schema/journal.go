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
// agenda_links, agenda_changes and agenda_journal, if they do not exist; those of an older release it makes anew.
// A site gets them only where its owner calls this, or by Install if it is our own. Nothing is put on the tables of others, no
// trigger either. Calendars that find it when they are made, or each time Options.PublishEvery has
// passed, keep it until their Close.
// On MySQL and MariaDB the account needs the right to CREATE tables. On SQLite the tables are in a file next to the
// database's, named as that with ".changes" after it, so that its commits are none of the site's.
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
		if err := createTables(ctx, conn, prefix, journalDefinitions, journalTables); err != nil {
			return needs(err, "CREATE", prefix)
		}
		if err := createTables(ctx, conn, prefix, webhookDefinitions, webhookTables); err != nil {
			return needs(err, "CREATE", prefix)
		}
		return repeated(func() error { return insertHead(ctx, conn) })
	})
}

// dropOlder drops the tables of an older release. Positions in them end with their incarnation; webhooks stay, and are asked to sync.
func dropOlder(ctx context.Context, conn bun.IDB, prefix string) error {
	release, found, err := journalRelease(ctx, conn, prefix)
	switch {
	case err != nil || !found || release == JournalRelease:
		return err
	case release > JournalRelease:
		return fmt.Errorf("its tables have release %d, this program knows %d: use a newer program", release, JournalRelease)
	}
	return needs(dropJournal(ctx, conn, prefix, journalTables), "DROP", prefix)
}

// journalRelease returns the release of the tables of the journal, if there are any with a head.
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

func dropJournal(ctx context.Context, conn bun.IDB, prefix string, tables []string) error {
	for _, t := range tables {
		if _, err := conn.ExecContext(ctx, "DROP TABLE IF EXISTS ?", bun.Ident(prefix+t)); err != nil {
			return err
		}
	}
	return nil
}

// insertHead adds the rows of the journal itself and of its comparison if they do not exist.
func insertHead(ctx context.Context, conn bun.IDB) error {
	rows := []*JournalRow{
		{Name: JournalHead, Incarnation: rand.Text(), Release: JournalRelease, Secret: rand.Text() + rand.Text()},
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
			strings.Join(prefixed(prefix, slices.Concat(journalTables, webhookTables)), ", "), err)
	}
	return err
}

// RemoveJournal drops the tables of the journal, if they exist, and leaves nothing of it. The account needs the right to
// DROP them. A site of our own gets OptionNoJournal, so that Install does not make them again.
func RemoveJournal(ctx context.Context, db *bun.DB, prefix string) error {
	if err := markJournal(ctx, db, prefix, true); err != nil {
		return fmt.Errorf("schema: remove journal: %w", err)
	}
	own, err := OpenJournal(ctx, db, prefix, false)
	if own == nil || err != nil {
		return err
	}
	err = dropJournal(ctx, own.DB, prefix, slices.Concat(webhookTables, journalTables))
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
	Installed        bool     // all its tables are there, and the account may read them
	Older            bool     // its tables are of an older release: InstallJournal makes them anew
	Missing          []string // rights that the account lacks, as "INSERT on wp_agenda_changes"
	Head             JournalRow
	Comparison       JournalRow
	Objects, Changes int64 // rows
}

// Ready reports whether the journal can be kept.
func (r *JournalReport) Ready() bool { return r.Installed && !r.Older && len(r.Missing) == 0 }

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
	release, found, err := journalRelease(ctx, own, prefix)
	if err != nil {
		return report, err
	}
	if report.Older = found && release < JournalRelease; report.Older {
		report.Installed = true
		return report, nil
	}
	absent, denied, err := probe(ctx, own, prefix, slices.Concat(journalTables, webhookTables))
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
	if report.Objects, err = count(ctx, own, (*JournalObject)(nil)); err != nil {
		return report, err
	}
	report.Changes, err = count(ctx, own, (*JournalChange)(nil))
	return report, err
}

func count(ctx context.Context, db *bun.DB, model any) (int64, error) {
	return db.NewSelect().Model(model).Count(ctx)
}
