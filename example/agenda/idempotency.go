package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/schema"
)

// idempotencyCommand adds the table of stored answers to a database. A server never does that by itself if the database
// belongs to another program.
func idempotencyCommand() *cobra.Command {
	var db cli.Database
	cmd := &cobra.Command{
		Use: "idempotency", Short: "Let a site's API accept the header Idempotency-Key",
		Long: "Add a table to the database of an existing site, in which responses to requests with the header Idempotency-Key are kept\n" +
			"for a day. It changes nothing else. Servers find the table when they start. A site that agenda has made has it already.",
		Example: `  agenda idempotency --dsn 'user:password@tcp(127.0.0.1:3306)/site'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return installIdempotency(cmd.Context(), db, cmd.OutOrStdout())
		},
	}
	cli.Group(cmd.Flags(), "Database", db.Flags)
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

func installIdempotency(ctx context.Context, d cli.Database, out io.Writer) error {
	db, err := d.Open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	report, err := schema.CheckSite(ctx, db, d.Tables())
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return cli.Usage(err)
	}
	if err := schema.InstallIdempotency(ctx, db, d.Prefix); err != nil {
		return err
	}
	fmt.Fprintln(out, "The table was added. Running servers accept Idempotency-Key after a restart.")
	return nil
}
