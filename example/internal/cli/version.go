package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
)

// PrintVersion is the command that prints the version of a program.
func PrintVersion(program string) func(context.Context, []string, io.Writer, io.Writer) error {
	return func(_ context.Context, args []string, out, _ io.Writer) error {
		if err := Parse(NewFlags(program+" version"), args, out); err != nil {
			return err
		}
		_, err := fmt.Fprintln(out, Version(program))
		return err
	}
}

// Version returns the version of a program and the commit it was built from.
func Version(program string) string {
	version, commit, changed := "devel", "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with changes"
			}
		}
	}
	return fmt.Sprintf("%s %s, commit %s%s", program, version, commit, changed)
}
