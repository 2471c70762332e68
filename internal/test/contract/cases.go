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

// line is a line of a case file, with the lines that stand below it and farther to the right.
type line struct {
	at   string // file and number
	text string
	sub  []*line
}

// cases are the tests, sites and lists of all case files.
var cases = readCases(caseFiles)

func readCases(files fs.FS) (all []*line) {
	names, _ := fs.Glob(files, "testdata/cases/*.txt") // the pattern is right
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		all = append(all, parseCases(path.Base(name), string(text))...)
	}
	seen := map[string]bool{}
	for _, l := range all {
		if word, _, _ := strings.Cut(l.text, " "); seen[l.text] || !slices.Contains([]string{"test", "site", "list", "members"}, word) {
			panic(l.at + ": no section, or a second one: " + l.text)
		}
		seen[l.text] = true
	}
	return all
}

// parseCases reads the lines of a file. Empty ones and those that begin with # are left out; one that begins with +
// continues the line above it.
func parseCases(file, text string) []*line {
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
	return top.sub
}

// section returns the lines below the one that is a text, "site fair" for instance.
func section(text string) []*line {
	i := slices.IndexFunc(cases, func(l *line) bool { return l.text == text })
	if i < 0 {
		panic("the case files have no " + text)
	}
	return cases[i].sub
}

// split returns the words of a text. Parts of words in double quotes or backquotes are taken as Go takes them.
func split(text string) (words []string) {
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		word := ""
		for text != "" && text[0] != ' ' {
			part, err := strconv.QuotedPrefix(text)
			if err != nil || text[0] == '\'' {
				word, text = word+text[:1], text[1:]
				continue
			}
			plain, _ := strconv.Unquote(part) // it is quoted
			word, text = word+plain, text[len(part):]
		}
		words = append(words, word)
	}
	return words
}

// texts returns the lines of a list of the case files. Those that are quoted as a whole are taken as Go takes them.
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

// words returns the words of a list of the case files.
func words(list string) (all []string) {
	for _, l := range section("list " + list) {
		all = append(all, split(l.text)...)
	}
	return all
}
