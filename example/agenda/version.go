package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
)

// printVersion prints the version of the program and the commit it was built from.
func printVersion(_ context.Context, args []string, out, _ io.Writer) error {
	if err := parse(newFlags("version"), args, out); err != nil {
		return err
	}
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
	_, err := fmt.Fprintf(out, "agenda %s, commit %s%s\n", version, commit, changed)
	return err
}
