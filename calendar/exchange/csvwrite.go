package exchange

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// CSVWriter writes events as the rows of a CSV file that CSV reads again. Venues, organizers
// and terms are in the row of their event. Of terms it has the names, and the parents of
// categories; an empty value is as one that is not there. What has to come back as it was
// belongs into JSON lines.
type CSVWriter struct {
	w     *csv.Writer
	begun bool
}

// NewCSVWriter returns a writer. Its texts are UTF-8, without a byte order mark, its lines
// end with LF.
func NewCSVWriter(w io.Writer) *CSVWriter { return &CSVWriter{w: csv.NewWriter(w)} }

// Write writes a record, after the first row with the names of the columns. It refuses what
// a row has no cell for: other kinds than events, a second venue, an unknown value.
func (c *CSVWriter) Write(rec *Record) error {
	cells, err := cellsOf(rec)
	if err != nil {
		return fmt.Errorf("%s: %w", rec.Line, err)
	}
	if err := c.header(); err != nil {
		return err
	}
	row := make([]string, written)
	for i, field := range fields[:written] {
		row[i] = guard(cells[field])
	}
	return c.w.Write(row)
}

func (c *CSVWriter) header() error {
	if c.begun {
		return nil
	}
	c.begun = true
	return c.w.Write(fields[:written])
}

// Close writes what is not written yet: the names of the columns at least.
func (c *CSVWriter) Close() error {
	if err := c.header(); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

// cellsOf returns the cells of a record by their fields.
func cellsOf(rec *Record) (map[string]string, error) {
	if rec.Kind != Events || len(rec.Venues) > 1 {
		return nil, fmt.Errorf("a row holds an event with one venue, not %d of %s", len(rec.Venues), rec.Kind)
	}
	cells := map[string]string{
		fieldUID: rec.UID, fieldLanguage: rec.Language, fieldGroup: rec.Group, fieldState: rec.State, fieldImage: rec.Image,
		fieldCategories: joined(paths(rec.Categories)), fieldTags: joined(paths(rec.Tags)),
	}
	if err := put(cells, "", rec.Values); err != nil {
		return nil, err
	}
	for _, venue := range rec.Venues {
		if err := put(cells, fieldVenue, venue.Values); err != nil {
			return nil, err
		}
		cells[fieldVenue+"."+fieldImage] = venue.Image
		if p := venue.Position; p != nil {
			cells[fieldLatitude], cells[fieldLongitude] = degrees(p.Latitude), degrees(p.Longitude)
		}
	}
	return cells, putOrganizers(cells, rec.Organizers)
}

// putOrganizers writes the names of organizers as a list, and what is known of several as
// lists with a part for each.
func putOrganizers(cells map[string]string, organizers []*Record) error {
	lists := map[string][]string{}
	for i, organizer := range organizers {
		part := map[string]string{}
		if err := put(part, fieldOrganizer, organizer.Values); err != nil {
			return err
		}
		part[fieldOrganizer+"."+fieldImage] = organizer.Image
		for field, text := range part {
			if lists[field] == nil {
				lists[field] = make([]string, len(organizers))
			}
			lists[field][i] = text
		}
	}
	for field, list := range lists {
		switch {
		case strings.Join(list, "") == "":
		case field != fieldOrganizer && len(list) == 1:
			cells[field] = list[0]
		default:
			cells[field] = joined(list)
		}
	}
	return nil
}

// put writes values into the cells of a kind, whose name is the prefix but for events.
func put(cells map[string]string, prefix string, values map[string]any) error {
	for name, value := range values {
		field := name
		if prefix != "" && name != prefix {
			field = prefix + "." + name
		}
		text, ok := cellText(value)
		if !ok || !slices.Contains(fields[:written], field) {
			return fmt.Errorf("a row has no cell for %s: %v", field, value)
		}
		cells[field] = text
	}
	return nil
}

// cellText returns a value as a cell has it.
func cellText(value any) (string, bool) {
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
		return strings.Join(list, severalCosts), true
	}
	return "", false
}

// paths returns the names of terms, after those of their parents.
func paths(terms []*Record) (list []string) {
	for _, term := range terms {
		path := ""
		for ; term != nil; term = term.Parent {
			name, _ := cellText(term.Values["name"])
			if path != "" {
				path = below + path
			}
			path = name + path
		}
		list = append(list, path)
	}
	return list
}

// joined writes a list that items reads.
func joined(list []string) string {
	quoted := make([]string, len(list))
	for i, item := range list {
		if quoted[i] = item; strings.ContainsAny(item, ",\"\n\r") || strings.TrimSpace(item) != item {
			quoted[i] = `"` + strings.ReplaceAll(item, `"`, `""`) + `"`
		}
	}
	return strings.Join(quoted, ", ")
}

func degrees(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
