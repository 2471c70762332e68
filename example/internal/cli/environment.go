package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agendahq/agenda/internal/nearest"
)

// variables is the prefix of all environment variables of the programs, and own that of their tests.
const (
	variables = "AGENDA_"
	own       = variables + "TEST_"
)

// Variable is the annotation of a command that reads an environment variable which belongs to no flag.
const Variable = "variable"

// Foreign returns an environment without the variables of this program, which may be secrets, such as the password in
// that of --dsn. A command that the operator configures receives the remaining ones.
func Foreign(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(set string) bool {
		return strings.HasPrefix(strings.ToUpper(set), variables) // Windows ignores case
	})
}

// LogsWarnings is the annotation of a command that logs the result of Warnings itself.
const LogsWarnings = "logs warnings"

// Environment returns the name of a flag's environment variable, or "" for --help and --version.
func Environment(flag string) string {
	if flag == "help" || flag == "version" {
		return ""
	}
	return variables + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readEnvironment sets the flags of a command that the command line does not set from their environment variables. An
// empty variable counts as unset.
func readEnvironment(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := Environment(f.Name)
		text := os.Getenv(name)
		if err != nil || name == "" || text == "" || f.Changed {
			return
		}
		if wrong := cmd.Flags().Set(f.Name, text); wrong != nil {
			err = Usagef("%s=%q in the environment: %w", name, text, wrong)
		}
	})
	if err != nil || cmd.Annotations[LogsWarnings] != "" {
		return err
	}
	for _, warning := range Warnings(cmd) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.Root().Name(), warning)
	}
	return nil
}

// Warnings returns a line for each environment variable that looks like one of the program's but sets no flag.
func Warnings(cmd *cobra.Command) (lines []string) {
	var known []string
	for c := range commandsOf(cmd.Root()) {
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, Environment(f.Name)) })
		known = append(known, c.Annotations[Variable])
	}
	for _, set := range os.Environ() {
		name, _, _ := strings.Cut(set, "=")
		if !strings.HasPrefix(name, variables) || strings.HasPrefix(name, own) || slices.Contains(known, name) {
			continue
		}
		line := name + " in the environment is ignored: no flag has this variable"
		if near := nearest.Name(name, known); near != "" {
			line += "; did you mean " + near + "?"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
