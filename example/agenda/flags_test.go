package main

import (
	"flag"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/example/internal/cli"
)

// TestEveryFlagHasAVariable checks that each flag of each command has an
// environment variable of its own, which its help names.
func TestEveryFlagHasAVariable(t *testing.T) {
	var s settings
	var u userFlags
	byTwin := map[string]string{}
	for _, f := range []*flag.FlagSet{serveFlags(&s), u.set("add"), u.set("password"), u.set("list")} {
		var help strings.Builder
		if err := cli.Parse(f, []string{"-h"}, &help); err == nil {
			t.Errorf("%s: no help", f.Name())
		}
		f.VisitAll(func(x *flag.Flag) {
			variable := cli.Environment(x.Name)
			if other := byTwin[variable]; other != "" && other != x.Name {
				t.Errorf("-%s and -%s are both %s", x.Name, other, variable)
			}
			byTwin[variable] = x.Name
			if !strings.Contains(help.String(), "-"+x.Name+" ") || !strings.Contains(help.String(), "["+variable+"]") {
				t.Errorf("%s -h does not name -%s and %s", f.Name(), x.Name, variable)
			}
			if x.Usage == "" || strings.ToUpper(variable) != variable || strings.ContainsAny(variable, "- ") {
				t.Errorf("-%s: %q, %q", x.Name, x.Usage, variable)
			}
		})
	}
	for flag, value := range map[string]string{
		"AGENDA_DATA_SHARED": "true", "AGENDA_REQUEST_TIMEOUT": "7s", "AGENDA_MAX_BODY": "99", "AGENDA_PUBLISH_EVERY": "2m",
	} {
		if byTwin[flag] == "" {
			t.Errorf("no flag for %s among %v", flag, slices.Sorted(maps.Keys(byTwin)))
		}
		t.Setenv(flag, value)
	}
	var set settings
	if err := cli.Parse(serveFlags(&set), nil, io.Discard); err != nil || !set.dataShared || set.requestTimeout.String() != "7s" ||
		set.maxBody != 99 {
		t.Errorf("%+v, %v", set, err)
	}
}
