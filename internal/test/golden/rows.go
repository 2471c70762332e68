package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// Each calls a function with each row of a file of testdata. A row has one value for each parameter of the function:
// strings quoted as in Go, numbers and booleans. An indented line continues the row above, # begins a comment.
func Each(t testing.TB, name string, f any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	call, called := reflect.ValueOf(f), false
	for line := range strings.SplitSeq(strings.ReplaceAll(string(raw), "\n ", " "), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		row, err := read(line, call.Type())
		if err != nil {
			t.Fatalf("%s: %s: %v", name, line, err)
		}
		call.Call(row)
		called = true
	}
	if !called {
		t.Fatalf("%s has no rows", name)
	}
}

// read returns the values of a row for the parameters of a function.
func read(line string, f reflect.Type) ([]reflect.Value, error) {
	row := make([]reflect.Value, f.NumIn())
	for i := range row {
		word, rest, _ := strings.Cut(line, " ")
		if strings.HasPrefix(line, `"`) || strings.HasPrefix(line, "`") {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, err
			}
			word, rest = quoted, line[len(quoted):]
		}
		value, err := parse(word, f.In(i).Kind())
		if err != nil {
			return nil, err
		}
		row[i], line = reflect.ValueOf(value).Convert(f.In(i)), strings.TrimLeft(rest, " ")
	}
	if line != "" {
		return nil, fmt.Errorf("%q is left of the row", line)
	}
	return row, nil
}

func parse(word string, kind reflect.Kind) (any, error) {
	switch kind {
	case reflect.String:
		return strconv.Unquote(word)
	case reflect.Bool:
		return strconv.ParseBool(word)
	case reflect.Float64:
		return strconv.ParseFloat(word, 64)
	}
	return strconv.ParseInt(word, 0, 64)
}
