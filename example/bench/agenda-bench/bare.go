package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/example/internal/cli"
)

// bareCommand compares cached answers with the time that net/http alone needs for the same bytes.
func bareCommand() *cobra.Command {
	var s settings
	rounds := 5
	cmd := &cobra.Command{
		Use: "bare", Short: "Compare responses from memory with a bare server",
		Long: "Measure responses from memory, exact ones and those that may be a second old, in turns with a server that only has the\n" +
			"same bytes.",
		Example: "  agenda-bench bare --data bench --duration 50ms --clients 1 --rounds 1",
	}
	f := cmd.Flags()
	cli.Group(f, "Database", s.Flags)
	f.StringVar(&s.clients, "clients", "8,64", "Numbers of clients, comma-separated (default 8,64)")
	f.DurationVar(&s.duration, "duration", 2*time.Second, "How long each server is measured in a round (default 2s)")
	f.IntVar(&rounds, "rounds", 5, "Number of rounds, of which medians are printed (default 5)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if rounds < 1 || rounds > 1000 {
			return cli.Usagef("--rounds %d: use a number from 1 to 1000", rounds)
		}
		return s.bare(cmd, rounds)
	}
	return cmd
}

func (s *settings) bare(cmd *cobra.Command, rounds int) error {
	ctx, errOut := cmd.Context(), cmd.ErrOrStderr()
	flags, err := s.options()
	if err != nil {
		return err
	}
	if err := s.check(ctx); err != nil {
		return err
	}
	o := measure.BareOptions{Clients: flags.Clients, Rounds: rounds, Duration: s.duration}
	for target, endpoint := range map[measure.Target]*measure.Endpoint{
		measure.Exact: &o.Exact, measure.Stale: &o.Stale, measure.Bare: &o.Bare,
	} {
		child, stop, err := s.child(ctx, target, errOut)
		if err != nil {
			return fmt.Errorf("bare: the server %q does not start: %w", target, err)
		}
		defer stop()
		*endpoint = child
	}
	o.Progress = func(line string) { fmt.Fprintln(errOut, line) }
	results, err := measure.RunBare(ctx, o)
	if err != nil {
		return fmt.Errorf("bare: %w", err)
	}
	return measure.WriteBare(cmd.OutOrStdout(), results)
}
