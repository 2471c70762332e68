package golden

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// Each calls a function with each row of a file of testdata. A row has one value for each parameter of the function:
// strings quoted as in Go, numbers and booleans, and quoted JSON for lists and maps. An indented line continues the row
// above, # begins a comment.
func Each(t testing.TB, name string, f any) {
	t.Helper()
	raw := must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
	call, called := reflect.ValueOf(f), false
	for line := range strings.SplitSeq(strings.ReplaceAll(string(raw), "\n ", " "), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		row, err := readRow(line, call.Type())
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

// readRow returns the values of a row for the parameters of a function.
func readRow(line string, f reflect.Type) ([]reflect.Value, error) {
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
		value, err := parseValue(word, f.In(i))
		if err != nil {
			return nil, err
		}
		row[i], line = value, strings.TrimLeft(rest, " ")
	}
	if line != "" {
		return nil, fmt.Errorf("%q is left of the row", line)
	}
	return row, nil
}

// parseValue parses a value of a row for a parameter of the given type.
func parseValue(word string, as reflect.Type) (reflect.Value, error) {
	into := reflect.New(as)
	text, err := strconv.Unquote(word)
	if as.Kind() == reflect.String {
		into.Elem().SetString(text)
		return into.Elem(), err
	}
	if err != nil { // a number or a boolean
		text = word
	}
	return into.Elem(), json.Unmarshal([]byte(text), into.Interface())
}
