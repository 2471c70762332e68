package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/must"
)

// eachCommand runs a test on every command of the program.
func eachCommand(t *testing.T, test func(t *testing.T, cmd *cobra.Command)) {
	t.Helper()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		test(t, cmd)
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(commands())
}

// ofTheCommand contains the flags that each command describes itself: the format of a source is read, that of a file is
// written.
var ofTheCommand = []string{"base-url", "format", "language", "plain-http", "status"}

// TestEveryFlagHasAVariable checks that each flag of each command has an environment variable, which its help names;
// that no other flag of the command has the same one; and that a flag, and so its variable, has the same meaning in all
// commands, except for those in ofTheCommand.
func TestEveryFlagHasAVariable(t *testing.T) {
	meanings, types, flags, all := map[string]string{}, map[string]string{}, map[string]string{}, 0
	differ := map[string]bool{}
	eachCommand(t, func(t *testing.T, cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		code, help, _ := ran(t, args...)
		if code != 0 {
			t.Errorf("%v: %d", args, code)
		}
		here := map[string]string{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			all++
			variable := cli.Environment(f.Name)
			if !regexp.MustCompile(`^AGENDA_[A-Z][A-Z0-9_]*$`).MatchString(variable) {
				t.Errorf("%s --%s: the variable is %q", cmd.CommandPath(), f.Name, variable)
			}
			if other := here[variable]; other != "" {
				t.Errorf("%s: --%s and --%s are both %s", cmd.CommandPath(), f.Name, other, variable)
			}
			if other, ok := flags[variable]; ok && other != f.Name {
				t.Errorf("--%s and --%s are both %s", f.Name, other, variable)
			}
			if other, ok := types[f.Name]; ok && other != f.Value.Type() {
				t.Errorf("%s --%s is a %s, elsewhere a %s", cmd.CommandPath(), f.Name, f.Value.Type(), other)
			}
			if other, ok := meanings[f.Name]; ok && other != f.Usage {
				differ[f.Name] = true
				if !slices.Contains(ofTheCommand, f.Name) {
					t.Errorf("%s --%s is %q, elsewhere %q", cmd.CommandPath(), f.Name, f.Usage, other)
				}
			}
			here[variable], flags[variable], meanings[f.Name], types[f.Name] = f.Name, f.Name, f.Usage, f.Value.Type()
			if first, _ := utf8.DecodeRuneInString(f.Usage); !unicode.IsUpper(first) || strings.HasSuffix(f.Usage, ".") {
				t.Errorf("%s --%s: a usage begins with a capital and has no full stop: %q", cmd.CommandPath(), f.Name, f.Usage)
			}
			if !strings.Contains(help, "\n  --"+f.Name+" ") || !strings.Contains(help, "["+variable+"]\n") || f.Usage == "" {
				t.Errorf("the help of %s does not describe --%s with %s:\n%s", cmd.CommandPath(), f.Name, variable, help)
			}
		})
	})
	for _, name := range ofTheCommand {
		if !differ[name] {
			t.Errorf("--%s is described alike by all commands and needs no exception", name)
		}
	}
	if flags[passwordVariable] != "" {
		t.Errorf("%s is that of --%s, which a command line would show", passwordVariable, flags[passwordVariable])
	}
	if all < 60 {
		t.Errorf("only %d flags were seen", all)
	}
}

// TestEveryCommandHasAnExample checks that the help of each command has examples, and that the
// program knows their commands and flags.
func TestEveryCommandHasAnExample(t *testing.T) {
	word := regexp.MustCompile(`'[^']*'|[^ ]+`)
	eachCommand(t, func(t *testing.T, cmd *cobra.Command) {
		if cmd.Short == "" || cmd.Example == "" {
			t.Errorf("%s: no description or no example", cmd.CommandPath())
		} else if first, _ := utf8.DecodeRuneInString(cmd.Short); !unicode.IsUpper(first) || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: a description begins with a capital and has no full stop: %q", cmd.CommandPath(), cmd.Short)
		}
		for line := range strings.Lines(cmd.Example) {
			words := word.FindAllString(strings.TrimSpace(line), -1)
			at := slices.Index(words, "agenda")
			if at < 0 {
				t.Errorf("%s: not of the program: %s", cmd.CommandPath(), line)
				continue
			}
			found, rest, err := commands().Find(words[at+1:])
			if err == nil {
				err = found.ParseFlags(rest)
			}
			if err != nil || found.Name() == "agenda" || cmd.HasParent() && !strings.HasPrefix(found.CommandPath(), cmd.CommandPath()) {
				t.Errorf("%s: %s is of %s: %v", cmd.CommandPath(), line, found.CommandPath(), err)
			}
		}
	})
}

func TestCompletionOfShells(t *testing.T) {
	t.Parallel()
	for shell, begins := range map[string]string{
		"bash": "# bash completion V2 for agenda ", "zsh": "#compdef agenda", "fish": "# fish completion for agenda ",
	} {
		var out output
		if err := command(t, &out, "completion", shell).Run(); err != nil || !strings.HasPrefix(out.String(), begins) {
			t.Errorf("%s: %v %.200s", shell, err, &out)
		}
		if shell != "bash" {
			continue
		}
		check := exec.Command("bash", "-n")
		check.Stdin = strings.NewReader(out.String())
		if said, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, said)
		}
	}
	for line, want := range map[string]string{
		"user re":            "remove\tRemove a user\nrevoke\tRevoke application passwords of a user\n",
		"serve --log-form":   "--log-format\tLog format: text or json (default text)\n",
		"serve --log-level ": "debug\ninfo\nwarn\nerror\n",
		"--log-le":           "--log-level\tLog level: debug, info, warn or error (default info)\n",
	} {
		words := strings.Split(line, " ")
		if code, out, _ := ran(t, append([]string{"__complete"}, words...)...); code != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("%q: %d %s", line, code, out)
		}
	}
}

// TestFlagsAreDocumented checks that docs/flags.md lists the flags of serve in the order of its help, with their defaults.
func TestFlagsAreDocumented(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/flags.md"))(t)
	var documented []string
	defaults := map[string]string{}
	entries := regexp.MustCompile("(?m)^- `--([a-z-]+)`(?:, `--([a-z-]+)`)?(?: \\(`([^`]+)`\\))?")
	for _, entry := range entries.FindAllStringSubmatch(string(page), -1) {
		documented = append(documented, entry[1])
		if entry[2] != "" {
			documented = append(documented, entry[2])
		}
		defaults[entry[1]] = entry[3]
	}
	_, help, _ := ran(t, "serve", "--help")
	var shown []string
	for _, line := range regexp.MustCompile(`(?m)^  --([a-z-]+) +(.*)`).FindAllStringSubmatch(help, -1) {
		if line[1] == "help" {
			continue
		}
		shown = append(shown, line[1])
		value := defaults[line[1]]
		if value != "" && !strings.Contains(strings.ReplaceAll(line[2], "./", ""), "(default "+value) {
			t.Errorf("docs/flags.md: the default of --%s is %s; the help: %s", line[1], value, line[2])
		}
	}
	if !slices.Equal(documented, shown) {
		t.Errorf("docs/flags.md has the flags\n%q, the help\n%q", documented, shown)
	}
}
