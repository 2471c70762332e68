package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// twoDashes returns a command line with two dashes before each flag of the program that was written
// with one: -dsn is --dsn.
func twoDashes(root *cobra.Command, args []string) []string {
	known := func(name string) bool {
		for cmd := range commandsOf(root) {
			if cmd.Flags().Lookup(name) != nil {
				return true
			}
		}
		return name == "help" || name == "version"
	}
	written := make([]string, len(args))
	for i, arg := range args {
		if arg == "--" {
			copy(written[i:], args[i:])
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if written[i] = arg; strings.HasPrefix(arg, "-") && known(name) {
			written[i] = "-" + arg
		}
	}
	return written
}

// Formerly keeps the former name of a flag working.
func Formerly(f *pflag.FlagSet, former, name string) {
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == former {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}
