package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/internal/zonedata"
)

// commit is the commit of the program if the build does not see the repository. The Dockerfile sets it with -ldflags
// "-X …/cli.commit=…".
var commit = "unknown"

// versionCommand returns the command that prints the version of a program.
func versionCommand(program string) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version, commit and zone data", Example: "  " + program + " version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), described(program))
			return err
		},
	}
}

// described returns the version of a program, and which time zone data it uses.
func described(program string) string {
	zones := zonedata.Used()
	return fmt.Sprintf("%s\nzone data %s, in %s", Version(program), zones.Release, zones.Place)
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
