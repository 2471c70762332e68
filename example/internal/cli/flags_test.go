package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
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
	for line, want := range map[string]string{
		"":                              `0 tool "" "" 5`,
		"do":                            `0 tool do "" "" 5`,
		"--name x do":                   `0 tool do "x" "" 5`,
		"group two -name x":             `0 tool group two "x" "" 5`,
		"do -name=x --dsn y -number -3": `0 tool do "x" "y" -3`,
		"do -title x":                   `0 tool do "x" "" 5`,
		"do --name -x":                  `0 tool do "-x" "" 5`,
		"do -- -name":                   `2 tool: unexpected argument "-name"; see "tool do --help"`,
		"dance":                         `2 tool: there is no command "dance": use tool do, tool group, tool version; see "tool --help"`,
		"dance --step 2":                `2 tool: there is no command "dance": use tool do, tool group, tool version; see "tool --help"`,
		"group":                         `2 tool: the command is missing: use tool group one, tool group two; see "tool group --help"`,
		"grupo x":                       `2 tool: there is no command "grupo"; did you mean "group"? See "tool --help"`,
		"help grupo":                    `2 tool: there is no command "grupo"; did you mean "group"? See "tool --help"`,
		"group -name x":                 `2 tool: there is no flag --name: use tool group one, tool group two; see "tool group --help"`,
		"do --nam x":                    `2 tool: there is no flag --nam; did you mean --name? See "tool do --help"`,
		"do --elsewhere":                `2 tool: there is no flag --elsewhere; see "tool do --help"`,
		"do -q":                         `2 tool: there is no flag -q; see "tool do --help"`,
		"do --dsn":                      `2 tool: flag needs an argument: --dsn; see "tool do --help"`,
		"do now":                        `2 tool: unexpected argument "now"; see "tool do --help"`,
		"do -number many":               `2 tool: invalid argument "many" for "--number" flag: must be an integer; see "tool do --help"`,
		"version":                       "0 " + version,
		"--version":                     "0 " + version,
		"-version":                      "0 " + version,
		"completion": "2 tool: the command is missing: use tool completion bash, tool completion fish, " +
			`tool completion powershell, tool completion zsh; see "tool completion --help"`,
		"__complete do --n":  "0 --name\ta name\n--number\ta number\n:4",
		"__completeNoDesc g": "0 group\n:4",
	} {
		var out, errOut bytes.Buffer
		code := program.Run(t.Context(), strings.Fields(line), &out, &errOut)
		got := string(rune('0'+code)) + " " + strings.TrimSpace(out.String())
		if code != 0 {
			got = string(rune('0'+code)) + " " + strings.TrimSuffix(errOut.String(), "\n") + out.String()
		}
		if got != want {
			t.Errorf("%q:\n%s\nwant\n%s", line, got, want)
		}
	}
}
