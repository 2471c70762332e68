// Agenda is a standalone server for an events calendar: a JSON REST API in
// several languages and pages to read it by, on an embedded database of its own
// or on the MySQL or MariaDB database of an existing site.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// command is one word of the command line and what it does.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string, out, errOut io.Writer) error
}

func commands() []command {
	return []command{
		{"serve", "serve the calendar (the default)", serve},
		{"copy", "copy a whole site to another database or file", copySite},
		{"bench", "fill a database with events and measure the service", bench},
		{"doctor", "look at a database and tell what would make it faster or right", doctor},
		{"user", "add, give passwords to and list the users of a site", manageUsers},
		{"version", "print version and commit", printVersion},
	}
}

// usageError is a mistake of the caller: one line that says what to do.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs a command line and returns its exit code: 0, 1 for a failure while
// running, 2 for a mistake in the command line or a database that cannot be used.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	name := "serve"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		err := c.run(ctx, args, out, errOut)
		var usage usageError
		switch {
		case err == nil, errors.Is(err, flag.ErrHelp):
			return 0
		case errors.As(err, &usage):
			fmt.Fprintln(errOut, "agenda:", strings.ReplaceAll(usage.Error(), "\n", "; "))
			return 2
		}
		fmt.Fprintln(errOut, "agenda:", err)
		return 1
	}
	if name == "help" {
		printHelp(out)
		return 0
	}
	fmt.Fprintf(errOut, "agenda: there is no command %q; \"agenda help\" lists them\n", name)
	return 2
}

func printHelp(out io.Writer) {
	fmt.Fprintln(out, "usage: agenda [command] [flags]")
	for _, c := range commands() {
		fmt.Fprintf(out, "  %-8s  %s\n", c.name, c.summary)
	}
	fmt.Fprintln(out, "\"agenda COMMAND -h\" lists the flags of a command.")
}
