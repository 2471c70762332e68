package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/schema"
)

// copyCommand copies a whole site between databases, into an empty one only. One
// that was killed can be run again.
func copyCommand() *cobra.Command {
	var c copying
	cmd := &cobra.Command{
		Use: "copy", Short: "copy a whole site to another database or file",
		Long: "Copy a whole site between databases and files, into an empty one only; also as a backup of a file in use.\n" +
			"A copy that was killed can be run again.",
		Example: `  agenda copy --from agenda-data --to backup.db
  agenda copy --from agenda-data --to 'user:password@tcp(127.0.0.1:3306)/empty'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.from, "from", "", "file or directory of an embedded database, or DSN, to copy from")
	f.StringVar(&c.to, "to", "",
		"file or directory of an embedded database, or DSN, to copy to; it has to be empty (what a killed copy left is)")
	f.StringVar(&c.prefix, "prefix", schema.DefaultPrefix, cli.PrefixUsage)
	f.StringVar(&c.toPrefix, "to-prefix", "", "table prefix of the target (default: that of the source)")
	return cmd
}

// copying are the flags of copy.
type copying struct{ from, to, prefix, toPrefix string }

func (c copying) run(ctx context.Context, out, errOut io.Writer) error {
	from, to, prefix, toPrefix := c.from, c.to, c.prefix, c.toPrefix
	if from == "" || to == "" {
		return cli.Usagef("copy needs --from and --to: a file, or user:password@tcp(host:3306)/name")
	}
	if toPrefix == "" {
		toPrefix = prefix
	}
	if err := mustExist(from); err != nil {
		return err
	}
	source, err := openAny(ctx, from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := openAny(ctx, to)
	if err != nil {
		return err
	}
	defer target.Close()
	ignored, err := transfer.Ignored(ctx, source, prefix)
	if err != nil {
		return explainedPlace(from, fmt.Errorf("copy: %w", err))
	}
	if len(ignored) > 0 {
		fmt.Fprintln(out, "Not copied, since it is not the calendar's:", strings.Join(ignored, ", "))
	}
	if err := transfer.Copy(ctx, source, target, prefix, toPrefix, progress.Bar(errOut, "rows")); err != nil {
		fmt.Fprintln(errOut) // ends the line of the bar
		place := from
		if errors.As(err, new(transfer.TargetError)) {
			place = to
		}
		return explainedPlace(place, fmt.Errorf("copy: %w", err))
	}
	fmt.Fprintln(out, "The site was copied.")
	return nil
}
