package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/example/internal/transfer"
)

// copySite copies a whole site between databases, into an empty one only. One
// that was killed can be run again.
func copySite(ctx context.Context, args []string, out, errOut io.Writer) error {
	var from, to, prefix, toPrefix string
	f := cli.NewFlags("agenda copy")
	f.StringVar(&from, "from", "", "file or directory of an embedded database, or DSN, to copy from")
	f.StringVar(&to, "to", "",
		"file or directory of an embedded database, or DSN, to copy to; it has to be empty (what a killed copy left is)")
	f.StringVar(&prefix, "prefix", "wp_", "table prefix of the source (default wp_)")
	f.StringVar(&toPrefix, "to-prefix", "", "table prefix of the target (default: that of the source)")
	if err := cli.Parse(f, args, out); err != nil {
		return err
	}
	if from == "" || to == "" {
		return cli.Usagef("copy needs -from and -to: a file, or user:password@tcp(host:3306)/name")
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
