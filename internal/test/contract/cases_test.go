package contract

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

const smallCases = `
# A remark.

site fair
  event f1
    + start=2030-07-01T10:00

list words
  each of them

test lists
  on fair
  each NAME in f1
    /events/by-slug/$NAME -> f1
  each NAME STATUS
    | f1 200 | f2 404
    | f3 404
    case of $NAME
      /events/by-slug/$NAME -> $STATUS
`

func readSmall(text string) ([]*line, error) {
	return readCases(fstest.MapFS{"testdata/cases/a.txt": {Data: []byte(text)}})
}

func TestCasesAreRead(t *testing.T) {
	all := must.Get(readSmall(smallCases))(t)
	var got []string
	var add func(lines []*line, indent string)
	add = func(lines []*line, indent string) {
		for _, l := range lines {
			got = append(got, l.at+indent+l.text)
			add(l.sub, indent+" ")
		}
	}
	add(all, " ")
	want := []string{
		"a.txt:4 site fair", "a.txt:5  event f1 start=2030-07-01T10:00", "a.txt:8 list words", "a.txt:9  each of them",
		"a.txt:11 test lists", "a.txt:12  on fair", "a.txt:13  each NAME in f1", "a.txt:14   /events/by-slug/$NAME -> f1",
		"a.txt:15  each NAME STATUS", "a.txt:16   | f1 200 | f2 404", "a.txt:17   | f3 404", "a.txt:18   case of $NAME",
		"a.txt:19    /events/by-slug/$NAME -> $STATUS",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCasesAreRefused(t *testing.T) {
	golden.Each(t, "refused-cases.txt", func(what, old, new, want string) {
		text := strings.Replace(smallCases, old, new, 1)
		if text == smallCases {
			t.Fatalf("%s: nothing is changed", what)
		}
		if _, err := readSmall(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	})
}
