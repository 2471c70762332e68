package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	report "github.com/agendahq/agenda/example/internal/doctor"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// doctorCommand examines a database. It changes nothing, except with --run.
func doctorCommand() *cobra.Command {
	var d examination
	cmd := &cobra.Command{
		Use: "doctor", Short: "Report what is wrong in a database, or would make it faster",
		Long: "Report what is missing or wrong in a database, and what would make it faster. It changes nothing unless --run is given.",
		Example: `  agenda doctor
  agenda doctor --dsn 'user:password@tcp(127.0.0.1:3306)/site' --ddl
  agenda doctor --dsn 'user:password@tcp(10.0.0.1:3306)/site' --replica 'user:password@tcp(10.0.0.2:3306)/site'
  agenda doctor --run agenda_site
  agenda doctor --run zones
  agenda doctor --strict --json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return d.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	f := cmd.Flags()
	cli.Group(f, "Database", d.Flags)
	f.StringVar(&d.uploads, "uploads", "", uploadsUsage)
	f.StringVar(&d.fields, "fields", "", fieldsUsage)
	f.StringSliceVar(&d.replicas, "replica", nil, replicaUsage)
	f.BoolVar(&d.asJSON, "json", false, "Print JSON instead of a report (default false)")
	f.BoolVar(&d.statements, "ddl", false, "Print only the statements, for a client to run (default false)")
	f.StringVar(&d.subject, "run", "",
		"Run the statements that the report offers for a subject, or for all, on an embedded database; zones on any database")
	f.BoolVar(&d.strict, "strict", false, "Exit with code 1 if there is a warning or a problem (default false)")
	return cmd
}

// examination contains the flags of doctor.
type examination struct {
	settings
	asJSON, statements, strict bool
	subject                    string
}

func (s *examination) run(ctx context.Context, out io.Writer) (err error) {
	defer func() { err = s.explained(err) }()
	if s.subject != "" && s.subject != subjectZones && s.DSN != "" {
		return cli.Usagef("--run %s: it is only for an embedded database; --ddl prints the statements for a client of the server",
			s.subject)
	}
	if len(s.replicas) > 0 && s.DSN == "" {
		return errReplicaOfFile
	}
	db, err := s.openToRead(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if s.subject == subjectZones {
		return s.repairZones(ctx, db, out)
	}
	d, err := schema.DiagnoseSite(ctx, db, s.Tables(), schema.DefaultNames())
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	if slices.Contains(d.Report.Missing, s.Prefix+"posts") && slices.Contains(d.Report.Missing, s.Prefix+"options") {
		return cli.Usage(d.Report.Err())
	}
	if d.Findings, err = s.checkUploads(ctx, db, d.Findings); err != nil {
		return err
	}
	d.Findings = append(d.Findings, zoneDataFinding())
	activity, err := schema.Activity(ctx, db, s.Prefix)
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	d.Findings = append(d.Findings, activity...)
	if d.Findings, err = s.checkJournal(ctx, db, d.Findings); err != nil {
		return err
	}
	if d.Findings, err = s.checkFilters(ctx, db, d.Findings); err != nil {
		return err
	}
	if d.Findings, err = s.checkReplicas(ctx, d.Findings); err != nil {
		return err
	}
	if s.subject != "" {
		return s.runStatements(ctx, db, d, out)
	}
	print := report.Text
	switch {
	case s.asJSON:
		print = report.JSON
	case s.statements:
		print = report.Statements
	}
	if err := print(out, d); err != nil {
		return err
	}
	if worst := d.Worst(); s.strict && (worst == schema.Warning || worst == schema.Problem) {
		return fmt.Errorf("doctor: at least one %s was found (--strict)", worst)
	}
	return nil
}

// runStatements runs and prints the statements that the findings about a subject suggest: all of them or none.
func (s *examination) runStatements(ctx context.Context, db *bun.DB, d schema.Diagnosis, out io.Writer) error {
	var statements []string
	if s.subject == "all" {
		statements = d.DDL()
	}
	for _, f := range d.Findings {
		if s.subject == f.Subject {
			statements = append(statements, f.DDL...)
		}
	}
	if len(statements) == 0 {
		return cli.Usagef("--run %s: the report has no statements for this subject", s.subject)
	}
	err := db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("doctor: nothing was changed: %w", err)
	}
	_, err = fmt.Fprintln(out, strings.Join(statements, ";\n")+";")
	return err
}

// behind is the age of a journal's last complete comparison from which on doctor warns.
const behind = time.Hour

// checkJournal adds findings about the journal, if there is one.
func (s *settings) checkJournal(ctx context.Context, db *bun.DB, findings []schema.Finding) ([]schema.Finding, error) {
	journal, err := schema.CheckJournal(ctx, db, s.Prefix)
	if err != nil {
		return nil, fmt.Errorf("doctor: %w", err)
	}
	finding := schema.Finding{Section: "Journal", Check: "journal", Level: schema.OK}
	until := time.UnixMilli(journal.Head.Complete).UTC()
	switch {
	case journal.Older:
		finding.Level, finding.Text = schema.Warning, "the journal was made by an older program"
		finding.Advice = "run 'agenda journal install', which creates it again"
	case !journal.Installed:
		return findings, nil
	case !journal.Ready():
		finding.Level, finding.Text = schema.Problem, "the account lacks "+strings.Join(journal.Missing, ", ")
	case journal.Head.Complete == 0:
		finding.Level, finding.Text = schema.Note, "the first comparison of the journal is not finished"
		finding.Advice = "start a server, or run agenda journal scan"
	default:
		finding.Text = fmt.Sprintf("the newest change in the journal is %d; it is complete until %s", journal.Head.Sequence,
			until.Format(time.RFC3339))
		if time.Since(until) > behind {
			finding.Level = schema.Warning
			finding.Advice = "no server has compared the site since: check that one is running and that its log has no warnings"
		}
	}
	return append(findings, finding), nil
}

// checkReplicas adds findings about each replica.
func (s *examination) checkReplicas(ctx context.Context, findings []schema.Finding) ([]schema.Finding, error) {
	pools, closeAll, err := s.openReplicas(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer closeAll()
	for i, db := range pools {
		finding := report.Replica(ctx, db)
		finding.Subject = fmt.Sprintf("replica %d", i+1)
		findings = append(findings, finding)
	}
	return findings, nil
}

// checkFilters adds findings about filters of --fields that read all rows of their meta keys.
func (s *settings) checkFilters(ctx context.Context, db *bun.DB, findings []schema.Finding) ([]schema.Finding, error) {
	own, err := readDeclarations(s.fields)
	if err != nil || len(own.Filter) == 0 {
		return findings, err
	}
	indexes, err := schema.OwnIndexes(ctx, db, s.Prefix)
	if err != nil {
		return nil, fmt.Errorf("doctor: %w", err)
	}
	for _, f := range own.Filter {
		index := f.Index()
		finding := schema.Finding{
			Section: "Filters", Check: "filters", Level: schema.OK, Subject: f.Kind + " " + cmp.Or(f.Name, f.Field),
			Text: "the index " + index + " finds what it selects",
		}
		if !indexes[index] {
			finding.Level, finding.Text = schema.Note, "no index covers its values: it reads every row of its meta key"
		}
		if index != "" && !indexes[index] {
			finding.Advice = "add the index " + index
		}
		findings = append(findings, finding)
	}
	return findings, nil
}

// checkUploads adds findings about the directory of images, if there is one.
func (s *settings) checkUploads(ctx context.Context, db *bun.DB, findings []schema.Finding) ([]schema.Finding, error) {
	dir := s.uploads
	if dir == "" && s.DSN == "" {
		dir = filepath.Join(s.Data, uploadsName)
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return findings, nil
		}
	}
	if dir == "" {
		return findings, nil
	}
	more, err := report.Files(ctx, db, s.Prefix, dir)
	if err != nil {
		return nil, cli.Usagef("--uploads %s: %w", dir, err)
	}
	return append(findings, more...), nil
}

// openToRead opens a database without checking that it contains a site, and without upgrading a file of an older
// version.
func (s *settings) openToRead(ctx context.Context) (*bun.DB, error) {
	if s.DSN == "" {
		if old, err := embedded.Outdated(ctx, s.File()); err == nil && old {
			return nil, cli.Usagef("%s: this file was made by an older version of agenda: start the server once to update it",
				s.File())
		}
	}
	return s.Open(ctx)
}
