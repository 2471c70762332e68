package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
)

// parsed returns the settings that a server gets from a command line and the environment.
func parsed(t *testing.T, args ...string) (s *settings) {
	t.Helper()
	program := cli.Program(func() *cobra.Command {
		return serveCommand("agenda", func(_ *cobra.Command, given *settings) error { s = given; return nil })
	})
	var errOut strings.Builder
	if code := program.Run(t.Context(), args, io.Discard, &errOut); code != 0 {
		t.Fatalf("%q: %d %s", args, code, errOut.String())
	}
	return s
}

func TestFlagsComeFromTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"AGENDA_DATA_SHARED": "true", "AGENDA_REQUEST_TIMEOUT": "7s", "AGENDA_MAX_BODY": "99", "AGENDA_PUBLISH_EVERY": "2m",
		"AGENDA_COLOUR": "",
	} {
		t.Setenv(name, value)
	}
	s := parsed(t, "-max-body", "98")
	if !s.dataShared || s.requestTimeout.String() != "7s" || s.publishEvery.String() != "2m0s" || s.maxBody != 98 || s.colour == "" {
		t.Errorf("%+v", s)
	}
	t.Setenv("AGENDA_DEMO", "perhaps")
	says(t, 2, "AGENDA_DEMO")
}

func TestVariablesOfNoFlagAreNamed(t *testing.T) {
	dir, _ := earlier(t)
	t.Setenv("AGENDA_DNS", "u:geheim@tcp(h)/site")
	t.Setenv("AGENDA_HOST", "town.example")
	t.Setenv("AGENDA_SOMETHING_ELSE", "x")
	code, _, text := ran(t, "user", "list", "-data", dir)
	want := `agenda: AGENDA_DNS in the environment is ignored: no flag has this variable; did you mean AGENDA_DSN?
agenda: AGENDA_HOST in the environment is ignored: no flag has this variable; did you mean AGENDA_HOSTS?
agenda: AGENDA_SOMETHING_ELSE in the environment is ignored: no flag has this variable
`
	if code != 0 || text != want {
		t.Errorf("%d %s", code, text)
	}
	_, end := server(t, "-demo=false", "-log-format", "json")
	_, log := end()
	if !strings.Contains(log, `"level":"WARN","msg":"AGENDA_DNS in the environment is ignored`) || strings.Contains(log, "geheim") {
		t.Errorf("log: %s", log)
	}
}
