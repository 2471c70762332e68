// Package cli is what the programs of this module share: commands, flags that
// can also be set by environment variables, and the database that flags name.
package cli

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

// Program is a program, or a command of one that has commands of its own.
type Program struct {
	Name     string
	Default  string // command that runs where none is named, "" for none
	Commands []Command
}

// Command is one word of the command line and what it does.
type Command struct {
	Name, Summary string
	Run           func(ctx context.Context, args []string, out, errOut io.Writer) error
}

// UsageError is a mistake of the caller: one line with what to do.
type UsageError struct{ error }

// Usage returns an error as a mistake of the caller.
func Usage(err error) error { return UsageError{err} }

// Usagef returns a mistake of the caller.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Main runs the program's command line until it ends or is interrupted.
func (p Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs a command line and returns its exit code: 0, 1 for a failure while
// running, 2 for a mistake in the command line or a database that cannot be used.
func (p Program) Run(ctx context.Context, args []string, out, errOut io.Writer) int {
	err := p.Do(ctx, args, out, errOut)
	var usage UsageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(errOut, "%s: %s\n", p.Name, strings.ReplaceAll(usage.Error(), "\n", "; "))
		return 2
	}
	fmt.Fprintf(errOut, "%s: %v\n", p.Name, err)
	return 1
}

// Do runs the command that the first of the arguments names.
func (p Program) Do(ctx context.Context, args []string, out, errOut io.Writer) error {
	name := p.Default
	if len(args) > 0 && (name == "" || args[0] != "" && args[0][0] != '-') {
		name, args = args[0], args[1:]
	}
	for _, c := range p.Commands {
		if c.Name == name {
			return c.Run(ctx, args, out, errOut)
		}
	}
	switch name {
	case "help", "-h", "-help", "--help":
		return p.help(out)
	}
	missing := fmt.Sprintf("there is no command %q", name)
	if name == "" {
		missing = "the command is missing"
	}
	return Usagef("%s: use %s; \"%s help\" describes them", missing, p.names(), p.Name)
}

func (p Program) names() string {
	list := make([]string, len(p.Commands))
	for i, c := range p.Commands {
		list[i] = p.Name + " " + c.Name
	}
	return strings.Join(list, ", ")
}

func (p Program) help(out io.Writer) error {
	command := "COMMAND"
	if p.Default != "" {
		command = "[command]"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "usage: %s %s [flags]\n", p.Name, command)
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "  %-8s  %s\n", c.Name, c.Summary)
	}
	fmt.Fprintf(&b, "\"%s COMMAND -h\" lists the flags of a command.\n", p.Name)
	_, err := io.WriteString(out, b.String())
	return err
}
