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

// variables begins the names of all environment variables of the programs, own those of their tests.
const (
	variables = "AGENDA_"
	own       = variables + "TEST_"
)

// Variable is the annotation of a command that reads an environment variable which is no flag's.
const Variable = "variable"

// Foreign returns the variables of an environment but those of this program, which may be secrets, such as the password in that of --dsn:
// a command that the operator names gets the others.
func Foreign(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(set string) bool {
		return strings.HasPrefix(strings.ToUpper(set), variables) // Windows knows no case
	})
}

// LogsWarnings is the annotation of a command that logs the warnings of Warnings itself.
const LogsWarnings = "logs warnings"

// Environment returns the name of a flag's environment variable, "" for a flag that asks for a text.
func Environment(flag string) string {
	if flag == "help" || flag == "version" {
		return ""
	}
	return variables + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readEnvironment sets the flags of a command that its line does not give from their variables. An
// empty variable counts as none.
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

// Warnings returns a line for each variable that looks as if it set a flag of the program and does not.
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
