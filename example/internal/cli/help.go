package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// group is the annotation of a flag that names its section of the help.
const group = "group"

// Group adds flags in a separate section of the help.
func Group(f *pflag.FlagSet, heading string, add ...func(*pflag.FlagSet)) {
	part := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	part.SortFlags = false
	for _, a := range add {
		a(part)
	}
	part.VisitAll(func(x *pflag.Flag) {
		x.Annotations = map[string][]string{group: {heading}}
		f.AddFlag(x)
	})
}

// printHelp prints the help of a command.
func printHelp(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n", strings.TrimSpace(about))
	if cmd.Runnable() && (cmd.HasParent() || cmd.HasAvailableFlags()) {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [flags]\n\nCommands:\n", cmd.CommandPath())
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-11s %s\n", c.Name(), c.Short)
			}
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	writeFlags(&b, cmd)
	if name := cmd.Annotations[Variable]; name != "" {
		fmt.Fprintf(&b, "\n%s is read only from the environment.\n", name)
	}
	if !cmd.HasParent() {
		writeExitCodes(&b, cmd)
	}
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

// writeFlags writes the flags of a command by section, each with its environment variable.
func writeFlags(b *strings.Builder, cmd *cobra.Command) {
	heading := ""
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		under := "Flags"
		if named := f.Annotations[group]; len(named) > 0 {
			under = named[0]
		}
		if f.Hidden {
			return
		}
		if under != heading {
			heading = under
			fmt.Fprintf(b, "\n%s:\n", heading)
		}
		fmt.Fprintf(b, "  --%-17s %s", f.Name, f.Usage)
		if variable := Environment(f.Name); variable != "" {
			fmt.Fprintf(b, " [%s]", variable)
		}
		b.WriteByte('\n')
	})
}

func writeExitCodes(b *strings.Builder, root *cobra.Command) {
	fmt.Fprintf(b, "\nExit codes:\n  0  Success\n  %d  Failed while running\n"+
		"  %d  Invalid command line or environment, or a database that cannot be used\n", Failed, Misuse)
	if root.Flags().Lookup("wait") != nil {
		fmt.Fprintf(b, "  %d  The database did not answer within --wait\n", Away)
	}
}
