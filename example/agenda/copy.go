package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/schema"
)

// copyCommand copies a whole site to another database, which must be empty. If it is killed it can be run again.
func copyCommand() *cobra.Command {
	var c copying
	cmd := &cobra.Command{
		Use: "copy", Short: "Copy a whole site to another database or file",
		Long: "Copy a whole site from a database or file to an empty one, also as a backup of a file in use.\n" +
			"A copy that was killed can be run again.\n" +
			"In the file name of --to, %F is the date, such as 2031-07-01; %Y, %m, %d, %H, %M and %S are the parts of date and time,\n" +
			"in the time zone of this machine; %% is a percent sign.",
		Example: `  agenda copy --from agenda-data --to backup.db
  agenda copy --from agenda-data --to 'backup-%F.db'
  agenda copy --from agenda-data --to 'user:password@tcp(127.0.0.1:3306)/empty'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.from, "from", "", "Source: file or directory of an embedded database, or DSN")
	f.StringVar(&c.to, "to", "",
		"Target: file or directory of an embedded database, or DSN; it must be empty, or what a killed copy left")
	f.StringVar(&c.prefix, "prefix", schema.DefaultPrefix, cli.PrefixUsage)
	f.StringVar(&c.toPrefix, "to-prefix", "", "Table prefix of the target (default: that of the source)")
	return cmd
}

// copying contains the flags of copy.
type copying struct{ from, to, prefix, toPrefix string }

func (c copying) run(ctx context.Context, out, errOut io.Writer) error {
	from, prefix, toPrefix := c.from, c.prefix, c.toPrefix
	to, err := datedTarget(c.to, time.Now())
	if err != nil {
		return err
	}
	if from == "" || to == "" {
		return cli.Usagef("copy needs --from and --to: a file, or user:password@tcp(host:3306)/name")
	}
	if toPrefix == "" {
		toPrefix = prefix
	}
	for _, p := range []struct{ flag, value string }{{"prefix", prefix}, {"to-prefix", toPrefix}} {
		if !schema.ValidPrefix(p.value) {
			return cli.Usagef("--%s %q: use 1 to 32 letters, digits or underscores", p.flag, p.value)
		}
	}
	if err := mustExist(from); err != nil {
		return err
	}
	source, err := openAny(ctx, "--from", from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := openAny(ctx, "--to", to)
	if err != nil {
		return err
	}
	defer target.Close()
	ignored, err := transfer.Ignored(ctx, source, prefix)
	if err != nil {
		return explainedPlace(from, fmt.Errorf("copy: %w", err))
	}
	if len(ignored) > 0 {
		fmt.Fprintln(out, "Not copied, because the calendar does not need it:", strings.Join(ignored, ", "))
	}
	if err := transfer.Copy(ctx, source, target, prefix, toPrefix, progress.Bar(errOut, "rows")); err != nil {
		fmt.Fprintln(errOut) // ends the line of the progress bar
		place := from
		if errors.As(err, new(transfer.TargetError)) {
			place = to
		}
		if err = fmt.Errorf("copy: %w", err); errors.As(err, new(transfer.UnusableError)) {
			return cli.Usage(err)
		}
		return explainedPlace(place, err)
	}
	if to != c.to {
		fmt.Fprintf(out, "The site was copied to %s.\n", to)
		return nil
	}
	fmt.Fprintln(out, "The site was copied.")
	return nil
}

// datedTarget returns the target of a copy, with the date inserted into the name of its file.
func datedTarget(to string, now time.Time) (string, error) {
	dir, name := filepath.Split(to)
	if isDSN(to) || !strings.Contains(name, "%") {
		return to, nil
	}
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		return to, nil
	}
	layouts := map[byte]string{'F': time.DateOnly, 'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05"}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			b.WriteByte(name[i])
			continue
		}
		i++
		switch {
		case i < len(name) && name[i] == '%':
			b.WriteByte('%')
		case i < len(name) && layouts[name[i]] != "":
			b.WriteString(now.Format(layouts[name[i]]))
		default:
			return "", cli.Usagef("--to %q: after %% in the name of the file use F, Y, m, d, H, M or S, or %%%% for a percent sign", to)
		}
	}
	return filepath.Join(dir, b.String()), nil
}
