package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// twoDashes returns a command line in which flags of the program with a single dash have two: -dsn becomes --dsn.
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
