package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/zonedata"
)

// program has a command of each shape, which prints the flags and arguments that it received.
var program cli.Program = func() *cobra.Command {
	command := func(use string) *cobra.Command {
		var name, dsn string
		var number int
		cmd := &cobra.Command{Use: use, Short: "print the flags", RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.Printf("%s %q %q %d", cmd.CommandPath(), name, dsn, number)
			return nil
		}}
		cli.Formerly(cmd.Flags(), "title", "name")
		cmd.Flags().StringVar(&name, "name", "", "a name")
		cmd.Flags().StringVar(&dsn, "dsn", "", "a database")
		cmd.Flags().IntVar(&number, "number", 7, "a number")
		return cmd
	}
	root, group := command("tool"), &cobra.Command{Use: "group", Short: "a group"}
	group.AddCommand(command("one"), command("two"))
	root.AddCommand(command("do"), group)
	return root
}

func TestCommandLines(t *testing.T) {
	t.Setenv("AGENDA_NUMBER", "5")
	used := zonedata.Used()
	version := fmt.Sprintf("%s\nzone data %s, in %s", cli.Version("tool"), used.Release, used.Place)
	golden.Each(t, "commands.txt", func(line, want string) {
		var out, errOut bytes.Buffer
		code := program.Run(t.Context(), strings.Fields(line), &out, &errOut)
		got := string(rune('0'+code)) + " " + strings.TrimSpace(out.String())
		if code != 0 {
			got = string(rune('0'+code)) + " " + strings.TrimSuffix(errOut.String(), "\n") + out.String()
		}
		if want = strings.ReplaceAll(want, "{version}", version); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", line, got, want)
		}
	})
}
