package contract

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed testdata/cases
var caseFiles embed.FS

// line is a line of a case file, with the lines below it that are indented further.
type line struct {
	at   string // file and line number
	text string
	sub  []*line
}

// cases contains the sections of all case files.
var cases = mustReadCases()

func mustReadCases() []*line {
	all, err := readCases(caseFiles)
	if err != nil {
		panic(err)
	}
	return all
}

// readCases reads all case files. Unknown, empty and duplicate sections, and tables without rows, are errors.
func readCases(files fs.FS) (all []*line, err error) {
	names, _ := fs.Glob(files, "testdata/cases/*.txt") // the pattern is valid
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		lines, err := parseCases(path.Base(name), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	first := map[string]string{}
	for _, l := range all {
		word, name, _ := strings.Cut(l.text, " ")
		switch {
		case !slices.Contains([]string{"test", "site", "list", "members"}, word) || name == "":
			return nil, fmt.Errorf("%s: no section: %s", l.at, l.text)
		case first[l.text] != "":
			return nil, fmt.Errorf("%s: %s is at %s already", l.at, l.text, first[l.text])
		case len(l.sub) == 0:
			return nil, fmt.Errorf("%s: nothing in %s", l.at, l.text)
		}
		if first[l.text] = l.at; word == "test" || word == "site" {
			if err := checkTables(l.sub); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// checkTables returns an error for a line "each" without rows, or without lines to run for them.
func checkTables(lines []*line) error {
	for _, l := range lines {
		if head, isTable := strings.CutPrefix(l.text, "each "); isTable {
			_, inline, _ := strings.Cut(head, " in ")
			rows, body := rowsBelow(l)
			if inline == "" && len(rows) == 0 || len(body) == 0 {
				return fmt.Errorf("%s: no rows, or nothing to do with them: %s", l.at, l.text)
			}
		}
		if err := checkTables(l.sub); err != nil {
			return err
		}
	}
	return nil
}

// rowsBelow separates the lines below a line "each" into rows and other lines.
func rowsBelow(each *line) (rows, body []*line) {
	for _, sub := range each.sub {
		if strings.HasPrefix(sub.text, "| ") {
			rows = append(rows, sub)
		} else {
			body = append(body, sub)
		}
	}
	return rows, body
}

// parseCases parses the lines of a file. Empty lines and lines that begin with # are ignored; a line that begins with +
// continues the previous one.
func parseCases(file, text string) ([]*line, error) {
	top := &line{}
	open, indents := []*line{top}, []int{-1}
	n := 0
	for raw := range strings.Lines(text) {
		n++
		text := strings.TrimSpace(raw)
		if text == "" || text[0] == '#' {
			continue
		}
		if more, continues := strings.CutPrefix(text, "+ "); continues {
			if len(open) == 1 {
				return nil, fmt.Errorf("%s:%d: no line above to continue", file, n)
			}
			open[len(open)-1].text += " " + more
			continue
		}
		indent := strings.Index(raw, text)
		for indents[len(indents)-1] >= indent {
			open, indents = open[:len(open)-1], indents[:len(indents)-1]
		}
		l := &line{at: fmt.Sprintf("%s:%d", file, n), text: text}
		above := open[len(open)-1]
		above.sub = append(above.sub, l)
		open, indents = append(open, l), append(indents, indent)
	}
	return top.sub, nil
}

// section returns the lines below the line with the given text, for instance "site fair".
func section(text string) []*line {
	i := slices.IndexFunc(cases, func(l *line) bool { return l.text == text })
	if i < 0 {
		panic("the case files have no " + text)
	}
	return cases[i].sub
}

// split returns the words of a line. Parts of words in double quotes or backquotes are Go string literals.
func split(text string) (words []string) {
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		word := ""
		for text != "" && text[0] != ' ' {
			part, err := strconv.QuotedPrefix(text)
			if err != nil || text[0] == '\'' {
				word, text = word+text[:1], text[1:]
				continue
			}
			plain, _ := strconv.Unquote(part) // the pattern only matches quoted text
			word, text = word+plain, text[len(part):]
		}
		words = append(words, word)
	}
	return words
}

// texts returns the lines of a list in the case files. Lines that are entirely quoted are Go string literals.
func texts(list string) (lines []string) {
	for _, l := range section("list " + list) {
		text := l.text
		if plain, err := strconv.Unquote(text); err == nil {
			text = plain
		}
		lines = append(lines, text)
	}
	return lines
}

// words returns the words of a list in the case files.
func words(list string) (all []string) {
	for _, l := range section("list " + list) {
		all = append(all, split(l.text)...)
	}
	return all
}
