package arch

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// guides are the documents that lead a reader through a task, each with the maximum number of its words.
var guides = map[string]int{
	"README.md": 1300, "docs/hosts.md": 1500, "docs/operating.md": 1500, "docs/editing.md": 1500, "docs/api.md": 1500,
	"docs/contributing.md": 1500,
}

// longestSentence is the number of words in a sentence that a guide may have.
const longestSentence = 30

var (
	// link finds the target of a link or picture in a document.
	link = regexp.MustCompile(`\]\(([^)\s]+)\)|(?m:^\[[^\]]+\]: (\S+))`)
	// shown finds literal text: blocks between fences, indented lines, and code within a line.
	shown = regexp.MustCompile("(?ms)^ *```.*?^ *```|(?:^|\n)\n(?: {4,}[^\n]*\n)+|`[^`\n]*`")
	// mentioned finds a document that a comment or a string names.
	mentioned = regexp.MustCompile(`\bdocs/[a-z-]+\.md\b`)
	// labelled finds a link or picture, of which a reader sees only the label.
	labelled = regexp.MustCompile(`!?\[([^\]]*)\](?:\([^)]*\)|\[\w*\])`)
	// ending finds the end of a sentence, a cell of a table, a heading or an item of a list.
	ending = regexp.MustCompile(`[.!?]["*)]*(?:\s+|$)(?:[-*] +)?|\s*\|\s*|\n+(?:#+|[-*]|\d+\.) +|\n +(?:[-*]|\d+\.) +|\n\n+`)
	// inHeadings matches the characters that a heading's anchor omits.
	inHeadings = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// unshown replaces the literal text of a document: code within a line by word, blocks by an empty line.
func unshown(text string, inline func(code string) string) string {
	return shown.ReplaceAllStringFunc(text, func(s string) string {
		if strings.Contains(s, "\n") {
			return "\n\n"
		}
		return inline(strings.Trim(s, "`"))
	})
}

// word replaces code within a line.
func word(string) string { return "code" }

// headings returns the anchors of the headings of a document, as GitHub generates them.
func headings(text string) (all []string) {
	for line := range strings.Lines(unshown(text, func(code string) string { return code })) {
		title := strings.TrimLeft(line, "#")
		if len(title) < len(line) && strings.HasPrefix(title, " ") {
			title = strings.ToLower(strings.TrimSpace(labelled.ReplaceAllString(title, "$1")))
			all = append(all, strings.ReplaceAll(inHeadings.ReplaceAllString(title, ""), " ", "-"))
		}
	}
	return all
}

// brokenLinks returns the links of a document whose target does not exist. read returns the text of a file of the
// repository.
func brokenLinks(name, text string, read func(name string) (string, error)) (found []string) {
	for _, m := range link.FindAllStringSubmatch(unshown(text, word), -1) {
		file, heading, _ := strings.Cut(m[1]+m[2], "#")
		if strings.Contains(file, ":") {
			continue // a link to another site
		}
		target := name
		if file != "" {
			target = path.Join(path.Dir(name), file)
		}
		other, err := read(target)
		if err != nil || heading != "" && strings.HasSuffix(target, ".md") && !slices.Contains(headings(other), heading) {
			found = append(found, fmt.Sprintf("%s: there is no %s#%s", name, target, heading))
		}
	}
	return found
}

// longSentences returns the sentences of a document that have too many words.
func longSentences(text string) (found []string) {
	text = labelled.ReplaceAllString(unshown(text, word), "$1")
	for _, sentence := range ending.Split(text, -1) {
		if len(strings.Fields(sentence)) > longestSentence {
			found = append(found, sentence)
		}
	}
	return found
}

// readRepositoryFile returns the text of a file of the repository, or "" for a directory.
func readRepositoryFile(name string) (string, error) {
	info, err := os.Stat("../../../" + name)
	if err != nil || info.IsDir() {
		return "", err
	}
	text, err := os.ReadFile("../../../" + name)
	return string(text), err
}

// TestDocuments checks that the targets of links in documents exist, and the documents that the code names.
func TestDocuments(t *testing.T) {
	documents := 0
	err := fs.WalkDir(os.DirFS("../../.."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && name != "." && name != ".ci",
			entry.IsDir() && entry.Name() == "node_modules":
			if err == nil {
				err = fs.SkipDir
			}
			return err
		case entry.IsDir() || !slices.Contains([]string{".md", ".go", ".sh", ".service"}, path.Ext(name)):
			return nil
		}
		text, err := readRepositoryFile(name)
		if err != nil {
			return err
		}
		if dir := path.Dir(name); path.Ext(name) == ".md" && (dir == "." || dir == "docs") {
			documents++
			for _, fault := range brokenLinks(name, text, readRepositoryFile) {
				t.Error(fault)
			}
		} else {
			for _, document := range mentioned.FindAllString(text, -1) {
				if _, err := readRepositoryFile(document); err != nil && name != "internal/test/arch/docs_test.go" {
					t.Errorf("%s names %s, which is not there", name, document)
				}
			}
		}
		return nil
	})
	if err != nil || documents < 20 {
		t.Errorf("%d documents: %v", documents, err)
	}
}

// TestGuides checks that guides are short, begin with what a reader can do at once, and have short sentences.
func TestGuides(t *testing.T) {
	for name, most := range guides {
		text := must.Get(readRepositoryFile(name))(t)
		if n := len(strings.Fields(text)); n > most {
			t.Errorf("%s has %d words, at most %d: what fits no task belongs on a page behind it", name, n, most)
		}
		if all := headings(text); len(all) < 2 || !strings.Contains(all[1], "five-minutes") && !strings.Contains(all[1], "60-seconds") {
			t.Errorf("%s does not begin with what takes five minutes", name)
		}
		for _, sentence := range longSentences(text) {
			t.Errorf("%s has a sentence of more than %d words: %s", name, longestSentence, sentence)
		}
	}
}

// TestDocumentsFinds checks that the functions above find broken links and long sentences.
func TestDocumentsFinds(t *testing.T) {
	there := func(name string) (string, error) {
		if name == "docs/b.md" {
			return "# B\n\n## The `first` one\n", nil
		}
		return "", fs.ErrNotExist
	}
	text := "[b](b.md) [first](b.md#the-first-one) [elsewhere](https://example.org/) `[code](code.md)`\n\n    [typed](typed.md)\n\n" +
		"[second](b.md#the-second-one) ![picture](pictures/a.png)\n\n[away]: ../away.md\n"
	if found := brokenLinks("docs/a.md", text, there); len(found) != 3 {
		t.Errorf("%q", found)
	}
	words := strings.Repeat("word ", longestSentence)
	if found := longSentences(words + "\n\n" + words + "more.\n\n- " + words + "\n- item\n\n| " + words + "| cell |\n"); len(found) != 1 {
		t.Errorf("%q", found)
	}
}
