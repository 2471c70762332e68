package exchange

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/release"
)

// CSVWriter writes events as rows of a CSV file that CSV can read. A row contains what its event links: the names and
// fields of venues, organizers and other posts, the names of terms, and the parents of categories. An empty value is
// written like a missing one. JSON lines are the format that preserves everything.
type CSVWriter struct {
	w       *csv.Writer
	columns *columns
	cells   map[string]bool // columns in use
	begun   bool
}

// NewCSVWriter returns a writer whose columns are the fields and resources of a calendar, or if c is nil, those that
// all calendars have. It writes UTF-8 without a byte order mark, and ends lines with LF.
func NewCSVWriter(w io.Writer, c *calendar.Calendar) *CSVWriter {
	return newCSVWriter(w, resourcesOf(c))
}

func newCSVWriter(w io.Writer, k *resources) *CSVWriter {
	c := &CSVWriter{w: csv.NewWriter(w), columns: columnsOf(k), cells: map[string]bool{}}
	for _, column := range c.columns.written {
		c.cells[column] = true
	}
	return c
}

// Write writes a record, after the header if it is the first one. It returns an error for a record that a row cannot
// hold: an item of another resource than events, a second venue, or a value that belongs to no field.
func (c *CSVWriter) Write(rec *Record) error {
	cells, err := c.cellsOf(rec)
	if err != nil {
		return fmt.Errorf("%s: %w", rec.Line, err)
	}
	if err := c.header(); err != nil {
		return err
	}
	row := make([]string, len(c.columns.written))
	for i, field := range c.columns.written {
		row[i] = guardFormula(cells[field])
	}
	return c.w.Write(row)
}

func (c *CSVWriter) header() error {
	if c.begun {
		return nil
	}
	c.begun = true
	return c.w.Write(c.columns.written)
}

// Close writes what is still buffered. If no record was written, that is the header.
func (c *CSVWriter) Close() error {
	if err := c.header(); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

// cellsOf returns the cells of a record by their columns.
func (c *CSVWriter) cellsOf(rec *Record) (map[string]string, error) {
	if rec.Kind != Events {
		return nil, fmt.Errorf("a row holds an event, not %s", rec.Kind)
	}
	cells := map[string]string{
		fieldUID: rec.UID, fieldLanguage: rec.Language, fieldGroup: rec.Group, fieldState: rec.State, fieldImage: rec.Image,
	}
	values := maps.Clone(rec.Values)
	dateCells(cells, values)
	if err := c.fillCells(cells, c.columns.events, values); err != nil {
		return nil, err
	}
	for _, kind := range slices.Sorted(maps.Keys(rec.Linked)) {
		k, list := c.columns.forCollection(kind), rec.Linked[kind]
		switch {
		case k == nil:
			return nil, fmt.Errorf("a row has no cell for %s", kind)
		case k.LinksOne && len(list) > 1:
			return nil, fmt.Errorf("a row has a cell for one of %s, not for %d", kind, len(list))
		case k.terms != nil:
			cells[k.field] = joinNames(termPaths(k, list))
		default:
			if err := c.putLinked(cells, k, list); err != nil {
				return nil, err
			}
		}
	}
	return cells, nil
}

// putLinked writes the names of linked items of one resource as a list, and each of their fields as a list with one
// part per item.
func (c *CSVWriter) putLinked(cells map[string]string, k *resource, list []*Record) error {
	parts := map[string][]string{}
	for i, one := range list {
		part := map[string]string{}
		if err := c.fillCells(part, k, one.Values); err != nil {
			return err
		}
		part[k.column(fieldImage)] = one.Image
		if p := one.Position; p != nil {
			if !k.position {
				return fmt.Errorf("a row has no cell for the position of %s", k.Collection)
			}
			part[k.column(fieldLatitude)], part[k.column(fieldLongitude)] = degrees(p.Latitude), degrees(p.Longitude)
		}
		for column, text := range part {
			if parts[column] == nil {
				parts[column] = make([]string, len(list))
			}
			parts[column][i] = text
		}
	}
	for column, texts := range parts {
		switch {
		case strings.Join(texts, "") == "":
		case k.LinksOne || column != k.field && len(texts) == 1:
			cells[column] = texts[0]
		default:
			cells[column] = joinNames(texts)
		}
	}
	return nil
}

// fillCells writes values into the cells of a resource.
func (c *CSVWriter) fillCells(cells map[string]string, k *resource, values map[string]any) error {
	for name, value := range values {
		column := k.column(name)
		f, _ := k.has(name)
		text, ok := cellText(f, value)
		if !ok || !c.cells[column] {
			return fmt.Errorf("a row has no cell for %s: %v", column, value)
		}
		if name == k.Title {
			text = plainAmpersands(text, func(name string) string { return kses.Filter(name, kses.Title(release.Newest)) })
		}
		cells[column] = text
	}
	return nil
}

// cellText returns a value in the form in which a cell contains it, and whether a cell can hold it.
func cellText(f field, value any) (string, bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return v.String(), true
	case []any:
		var list []string
		for _, one := range v {
			text, ok := one.(string)
			if number, isNumber := one.(json.Number); isNumber {
				text, ok = number.String(), true
			}
			if !ok {
				return "", false
			}
			list = append(list, text)
		}
		if f.form == item.FormList {
			return joinNames(list), true
		}
		return strings.Join(list, severalCosts), true
	}
	return "", false
}

// plainAmpersands returns a name with "&" instead of "&amp;", if the import of that stores the same name. Names are HTML, in
// which filtering turns "&" into "&amp;".
func plainAmpersands(name string, stored func(string) string) string {
	if words := strings.ReplaceAll(name, "&amp;", "&"); stored(words) == stored(name) {
		return words
	}
	return name
}

// termPaths returns the names of terms, each after the names of its parents.
func termPaths(k *resource, terms []*Record) (list []string) {
	for _, term := range terms {
		path := ""
		for ; term != nil; term = term.Parent {
			if path != "" {
				path = inParent + path
			}
			path = plainAmpersands(term.stringValue(k.Title), wp.TermName) + path
		}
		list = append(list, path)
	}
	return list
}

// joinNames writes a list in the form that splitNames reads.
func joinNames(list []string) string {
	quoted := make([]string, len(list))
	for i, item := range list {
		if quoted[i] = item; strings.ContainsAny(item, ",\"\n\r") || strings.TrimSpace(item) != item {
			quoted[i] = `"` + strings.ReplaceAll(item, `"`, `""`) + `"`
		}
	}
	return strings.Join(quoted, ", ")
}

func degrees(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// guarded lists the characters with which spreadsheets recognize a formula at the start of a cell. The apostrophe is
// among them, so that unguardFormula reverses guardFormula.
const guarded = "=+-@\t\r'"

// guardFormula returns a cell that no spreadsheet evaluates as a formula.
func guardFormula(cell string) string {
	if cell != "" && strings.IndexByte(guarded, cell[0]) >= 0 {
		return "'" + cell
	}
	return cell
}

// unguardFormula reverses guardFormula.
func unguardFormula(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.IndexByte(guarded, cell[1]) >= 0 {
		return cell[1:]
	}
	return cell
}
