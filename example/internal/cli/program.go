// Package cli contains what the programs of this module share: running a command line, flags that can also be set by
// environment variables, their help, and the database that flags select.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agendahq/agenda/internal/nearest"
)

// Program returns new commands of a program. Flags keep the values of the command line that was run, so each run needs
// new commands.
type Program func() *cobra.Command

// These are the exit codes of a program.
const (
	Failed = 1 // an error at run time
	Misuse = 2 // a mistake in the command line or the environment, or a database that cannot be used
	Away   = 3 // the database was unreachable for longer than --wait allows
)

// UsageError is a mistake of the caller: one line that states what to do.
type UsageError struct{ error }

// Unwrap returns the wrapped error.
func (e UsageError) Unwrap() error { return e.error }

// Usage wraps an error as a UsageError.
func Usage(err error) error { return UsageError{err} }

// Usagef returns a formatted UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Main runs the program's command line until it ends or is interrupted.
func (p Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs a command line and returns its exit code.
func (p Program) Run(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := p.prepared()
	root.SetArgs(twoDashes(root, args))
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	var usage UsageError
	var away AwayError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(errOut, "%s: %v\n", root.Name(), strings.ReplaceAll(err.Error(), "\n", "; "))
		return Misuse
	case errors.As(err, &away):
		fmt.Fprintf(errOut, "%s: %v\n", root.Name(), err)
		return Away
	}
	fmt.Fprintf(errOut, "%s: %v\n", root.Name(), err)
	return Failed
}

// prepared returns the commands, with what all programs have in common.
func (p Program) prepared() *cobra.Command {
	root := p()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = described(root.Name())
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(printHelp)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if strings.HasPrefix(cmd.Name(), "__") { // the shell's request to complete a line
			return nil
		}
		return readEnvironment(cmd)
	}
	root.InitDefaultVersionFlag()
	root.Flags().Lookup("version").Usage = "Print version, commit and zone data"
	root.AddCommand(versionCommand(root.Name()))
	addCompletion(root)
	for cmd := range commandsOf(root) {
		cmd.Flags().SortFlags = false
		cmd.InitDefaultHelpFlag()
		cmd.Flags().Lookup("help").Usage = "Show this help"
		if cmd.Args == nil {
			cmd.Args = noArguments
		}
		if !cmd.Runnable() {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return missingCommand(cmd, "the command is missing") }
		}
	}
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Args = knownCommand
		}
	}
	return root
}

// knownCommand rejects the arguments of "help" if they are not a command.
func knownCommand(help *cobra.Command, args []string) error {
	cmd, rest, err := help.Root().Find(args)
	if err != nil {
		return Usage(err)
	}
	return noArguments(cmd, rest)
}

// addCompletion adds the command that prints the shell's completion script.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for cmd := range commandsOf(root) {
		if cmd.Name() == "completion" {
			cmd.Short = "Print the script that makes a shell complete commands and flags"
			cmd.Example = fmt.Sprintf("  source <(%s completion bash)", root.Name())
		}
		if cmd.HasParent() && cmd.Parent().Name() == "completion" {
			cmd.Example = "  " + cmd.CommandPath()
		}
	}
}

// commandsOf yields a command and all its descendants.
func commandsOf(root *cobra.Command) func(yield func(*cobra.Command) bool) {
	return func(yield func(*cobra.Command) bool) { walkCommands(root, yield) }
}

func walkCommands(cmd *cobra.Command, yield func(*cobra.Command) bool) bool {
	if !yield(cmd) {
		return false
	}
	for _, child := range cmd.Commands() {
		if !walkCommands(child, yield) {
			return false
		}
	}
	return true
}

// noArguments rejects arguments that are neither commands nor flags.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		what := fmt.Sprintf("there is no command %q", args[0])
		if near := nearest.Name(args[0], commandNames(cmd)); near != "" {
			return Usagef("%s; did you mean %q? See %q", what, near, cmd.CommandPath()+" --help")
		}
		return missingCommand(cmd, what)
	}
	return Usagef("unexpected argument %q; see %q", args[0], cmd.CommandPath()+" --help")
}

// missingCommand returns the usage error of a command line that lacks a subcommand of cmd.
func missingCommand(cmd *cobra.Command, what string) error {
	names := commandNames(cmd)
	for i, name := range names {
		names[i] = cmd.CommandPath() + " " + name
	}
	return Usagef("%s: use %s; see %q", what, strings.Join(names, ", "), cmd.CommandPath()+" --help")
}

// commandNames returns the names of the subcommands of cmd.
func commandNames(cmd *cobra.Command) (names []string) {
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() && child.Name() != "help" && child.Name() != "completion" {
			names = append(names, child.Name())
		}
	}
	return names
}

// flagError returns the usage error of an unknown flag or an invalid value.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Usagef("%w; see %q", err, cmd.CommandPath()+" --help")
	}
	name := unknown.GetSpecifiedName()
	what := "there is no flag --" + name
	if unknown.GetSpecifiedShortnames() != "" {
		what = "there is no flag -" + unknown.GetSpecifiedShortnames()
	}
	var names []string
	own := false // the command has flags other than --help and --version
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		names, own = append(names, f.Name), own || Environment(f.Name) != ""
	})
	near := nearest.Name(name, names)
	switch typed := cmd.Flags().Args(); {
	case cmd.HasAvailableSubCommands() && len(typed) > 0:
		return noArguments(cmd, typed)
	case near != "":
		return Usagef("%s; did you mean --%s? See %q", what, near, cmd.CommandPath()+" --help")
	case !own && cmd.HasAvailableSubCommands():
		return missingCommand(cmd, what)
	}
	return Usagef("%s; see %q", what, cmd.CommandPath()+" --help")
}
