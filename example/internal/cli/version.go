package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// commit is what the program is built from where the build does not see the repository: set by
// -ldflags "-X …/cli.commit=…", as the Dockerfile does.
var commit = "unknown"

// versionCommand is the command that prints the version of a program.
func versionCommand(program string) *cobra.Command {
	version := Version(program)
	return &cobra.Command{
		Use: "version", Short: "print version and commit", Example: "  " + program + " version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version)
			return err
		},
	}
}

// Version returns the version of a program and the commit it was built from.
func Version(program string) string {
	version, commit := Build()
	return fmt.Sprintf("%s %s, commit %s", program, version, commit)
}

// Build returns the version of this program and the commit it was built from.
func Build() (version, from string) {
	version, from = "devel", commit
	changed := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				from = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with changes"
			}
		}
	}
	return version, from + changed
}
