package contract

import (
	_ "embed" // for the table
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// authorizationFile is the table of authorization. The comment at its beginning explains its format.
//
//go:embed testdata/authorization.txt
var authorizationFile string

// mark is the meaning of a cell of the table.
type mark struct {
	name   string
	status int
	code   string // "" for none
	listed bool   // the Allow header contains the method
}

// cell is one expectation of the table.
type cell struct {
	line int
	mark *mark
	used bool
}

// block is one table of the file.
type block struct {
	title                    string
	line                     int
	routes, methods, targets []string
	byState                  bool // rows are statuses rather than methods
	columns                  []string
	rows                     []tableRow
	named                    map[string]bool // words that questions have used
}

type tableRow struct {
	labels []string
	cells  []*cell
}

// table is the whole file.
type table struct {
	marks  map[string]*mark
	blocks []*block
}

// question identifies a cell. state is "" if it does not apply.
type question struct{ route, method, target, state, caller string }

func (q question) String() string {
	words := []string{q.method, q.route, q.target, q.state, "as", q.caller}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// find returns the only cell that answers a question, and marks it as used.
func (t *table) find(q question) (*cell, error) {
	var found []*cell
	var in *block
	q.route = oldRoute(q.route)
	for _, b := range t.blocks {
		if cells := b.find(q); len(cells) > 0 {
			found, in = append(found, cells...), b
		}
	}
	if len(found) != 1 {
		lines := []int{}
		for _, c := range found {
			lines = append(lines, c.line)
		}
		return nil, fmt.Errorf("%s: %d cells, want one; lines %v", q, len(found), lines)
	}
	found[0].used = true
	for _, word := range []string{q.route, q.method, q.target, q.state} {
		in.named[word] = true
	}
	return found[0], nil
}

func (b *block) find(q question) (found []*cell) {
	if !anyOf(b.routes, q.route) || !slices.Contains(b.targets, q.target) {
		return nil
	}
	label := q.method
	if b.byState {
		if label = q.state; !slices.Contains(b.methods, q.method) {
			return nil
		}
	}
	caller := q.caller
	if !slices.ContainsFunc(b.columns, func(c string) bool { return strings.HasSuffix(c, ownSuffix) }) {
		caller = strings.TrimSuffix(caller, ownSuffix)
	}
	for _, r := range b.rows {
		if !slices.Contains(r.labels, label) {
			continue
		}
		for i, column := range b.columns {
			if column == "all" || column == caller {
				found = append(found, r.cells[i])
			}
		}
	}
	return found
}

func anyOf(list []string, word string) bool {
	return slices.Contains(list, "all") || slices.Contains(list, word)
}

// unused returns the cells and marks that no question has found, and the routes, methods, targets and statuses that no
// question has used.
func (t *table) unused() (lines []string) {
	marks := map[*mark]bool{}
	for _, b := range t.blocks {
		for _, word := range b.words() {
			if word != "all" && !b.named[word] {
				lines = append(lines, fmt.Sprintf("line %d, %s: nothing asks for %s", b.line, b.title, word))
			}
		}
		for _, r := range b.rows {
			for i, c := range r.cells {
				marks[c.mark] = true
				if !c.used {
					lines = append(lines, fmt.Sprintf("line %d, column %s: nothing asks for this cell", c.line, b.columns[i]))
				}
			}
		}
	}
	for name, m := range t.marks {
		if !marks[m] {
			lines = append(lines, fmt.Sprintf("mark %s stands in no cell", name))
		}
	}
	return lines
}

func (b *block) words() []string {
	words := slices.Concat(b.routes, b.methods, b.targets)
	for _, r := range b.rows {
		words = append(words, r.labels...)
	}
	return words
}

// parseTable parses the file.
func parseTable(text string) (*table, error) {
	t := &table{marks: map[string]*mark{}}
	inMarks := false
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), "#")
		words := strings.Fields(line)
		var err error
		switch {
		case len(words) == 0:
		case line[0] != ' ':
			if inMarks = strings.TrimSpace(line) == "marks"; !inMarks {
				t.blocks = append(t.blocks,
					&block{title: strings.TrimSpace(line), line: n, targets: []string{"item"}, named: map[string]bool{}})
			}
		case inMarks:
			err = t.addMark(words)
		case len(t.blocks) == 0:
			err = fmt.Errorf("no title")
		default:
			err = t.blocks[len(t.blocks)-1].parseLine(t, n, line, words)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	for _, b := range t.blocks {
		if len(b.routes) == 0 || len(b.rows) == 0 || b.byState == (len(b.methods) == 0) {
			return nil, fmt.Errorf("line %d: %s: a block has routes, rows and, if its rows are states, methods", b.line, b.title)
		}
	}
	return t, nil
}

func (t *table) addMark(words []string) error {
	if len(words) != 4 || words[3] != "listed" && words[3] != "unlisted" {
		return fmt.Errorf("a mark has a name, a status, a code and listed or unlisted")
	}
	status, err := strconv.Atoi(words[1])
	if err != nil || t.marks[words[0]] != nil {
		return fmt.Errorf("mark %s: %v", words[0], err)
	}
	t.marks[words[0]] = &mark{words[0], status, strings.TrimPrefix(words[2], "-"), words[3] == "listed"}
	return nil
}

// parseLine parses a line of a block.
func (b *block) parseLine(t *table, n int, line string, words []string) error {
	if key, list, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
		values := strings.Split(list, ",")
		for i := range values {
			values[i] = strings.TrimSpace(values[i])
		}
		switch key {
		case "routes":
			b.routes = values
		case "methods":
			b.methods = values
		case "target":
			b.targets = values
		default:
			return fmt.Errorf("unknown word %q", key)
		}
		return nil
	}
	if b.columns == nil {
		if words[0] != "state" && words[0] != "method" {
			return fmt.Errorf("a table begins with state or method")
		}
		b.byState, b.columns = words[0] == "state", words[1:]
		return nil
	}
	if len(words) != len(b.columns)+1 {
		return fmt.Errorf("%d cells for %d columns", len(words)-1, len(b.columns))
	}
	row := tableRow{labels: strings.Split(words[0], ",")}
	for _, name := range words[1:] {
		m := t.marks[name]
		if m == nil {
			return fmt.Errorf("unknown mark %q", name)
		}
		row.cells = append(row.cells, &cell{line: n, mark: m})
	}
	b.rows = append(b.rows, row)
	return nil
}
