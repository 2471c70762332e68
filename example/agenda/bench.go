package main

import (
	"context"
	"fmt"
	"io"
)

// bench runs "bench fill", "bench run" and "bench chart".
func bench(ctx context.Context, args []string, out, errOut io.Writer) error {
	run := map[string]func(context.Context, []string, io.Writer, io.Writer) error{"fill": benchFill, "run": benchRun, "chart": benchChart}
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch {
	case command == "-h" || command == "-help" || command == "--help":
		_, err := fmt.Fprintln(out, "usage: agenda bench fill|run|chart [flags]\n"+
			"  fill   fill a database of one's own with events\n"+
			"  run    measure the service on such a database\n"+
			"  chart  draw runs on databases of different sizes\n"+
			"\"agenda bench COMMAND -h\" lists the flags of a command.")
		return err
	case run[command] == nil:
		return usageError{fmt.Errorf("bench %q: use bench fill, bench run or bench chart; \"agenda bench -h\" tells about them", command)}
	}
	return run[command](ctx, args[1:], out, errOut)
}
