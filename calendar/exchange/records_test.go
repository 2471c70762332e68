package exchange

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// update rewrites the golden files; read the difference before committing it.
var update = flag.Bool("update", false, "write the expected records anew")

// listRecords returns all records and problems of a source as a string.
func listRecords(t testing.TB, s Source) string {
	t.Helper()
	var b strings.Builder
	for {
		rec, err := s.Next(t.Context())
		var problem *Problem
		switch {
		case err == io.EOF:
			return b.String()
		case errors.As(err, &problem):
			fmt.Fprintf(&b, "REFUSED %v\n", err)
		case err != nil:
			t.Fatal(err)
		default:
			describeRecord(&b, rec, "")
		}
	}
}

// allLinked returns what a record links, in the order of the resources.
func allLinked(rec *Record) (all []*Record) {
	for _, kind := range resourcesOf(nil).order(slices.Sorted(maps.Keys(rec.Linked))) {
		all = append(all, rec.Linked[kind]...)
	}
	return all
}

// describeRecord writes a record, its values sorted by name.
func describeRecord(b *strings.Builder, rec *Record, indent string) {
	fmt.Fprintf(b, "%s%s %s %s\n", indent, rec.Kind, rec.Line, rec.UID)
	indent += "    "
	for _, name := range slices.Sorted(maps.Keys(rec.Values)) {
		fmt.Fprintf(b, "%s%s: %q\n", indent, name, fmt.Sprint(rec.Values[name]))
	}
	for name, value := range map[string]string{"Language": rec.Language, "Group": rec.Group} {
		if value != "" {
			fmt.Fprintf(b, "%s%s: %s\n", indent, name, value)
		}
	}
	if rec.Image != "" {
		fmt.Fprintf(b, "%sImage: %s\n", indent, rec.Image)
	}
	if rec.State != "" {
		fmt.Fprintf(b, "%sState: %s\n", indent, rec.State)
	}
	if rec.Position != nil {
		fmt.Fprintf(b, "%sPosition: %v\n", indent, *rec.Position)
	}
	for _, linked := range allLinked(rec) {
		describeRecord(b, linked, indent)
	}
	for _, p := range rec.Problems {
		fmt.Fprintf(b, "%sPROBLEM %v\n", indent, p)
	}
}

// wantGolden compares a string with a golden file.
func wantGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must.Succeed(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v\n%s", file, err, got)
	}
}

// eachFile runs a subtest for each file that matches a pattern.
func eachFile(t *testing.T, pattern string, run func(t *testing.T, file string)) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { run(t, file) })
	}
}

// TestWrongTypesInJSONLines checks that a value of a wrong type is named as in the file.
func TestWrongTypesInJSONLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"kind":5}`: "a.jsonl:1: kind: is of the wrong type: number", `[]`: "a.jsonl:1: JSON: is of the wrong type: array",
		`{"kind":"events","values":"x"}`: "a.jsonl:1: values: is of the wrong type: string",
	} {
		if _, err := JSONLines(strings.NewReader(line), "a.jsonl").Next(t.Context()); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
