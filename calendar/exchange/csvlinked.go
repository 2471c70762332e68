package exchange

import (
	"encoding/csv"
	"slices"
	"strings"
)

// splitNames splits a cell that contains several names. A cell with quotes anywhere but around names is a single name.
func splitNames(cell string) []string {
	if !strings.Contains(cell, `"`) {
		cell = strings.ReplaceAll(cell, "\n", ",")
	}
	r := csv.NewReader(strings.NewReader(cell))
	r.TrimLeadingSpace = true
	list, err := r.Read()
	if err != nil {
		return []string{cell}
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// link reads the venues, organizers and terms that the event links.
func (w *row) link() {
	w.location()
	for _, k := range w.s.columns.linked {
		if k.terms != nil {
			for _, term := range w.terms(k) {
				w.rec.link(k.Collection, term)
			}
			continue
		}
		names := []string{w.cells[k.field]}
		if !k.LinksOne {
			names = w.several(k)
		}
		for i, name := range names {
			if one := w.one(k, name, i, len(names)); one != nil {
				w.rec.link(k.Collection, one)
			}
		}
		if len(names) > 1 && !strings.Contains(w.cells[k.field], `"`) {
			if w.rec.wholes == nil {
				w.rec.wholes = map[Collection]*Record{}
			}
			name := strings.TrimSpace(w.cells[k.field])
			w.rec.wholes[k.Collection] = &Record{Kind: k.Collection, Line: w.rec.Line, Values: map[string]any{k.Title: name},
				title: k.Title}
		}
	}
}

// location sets the venue from the location column of web and desktop calendars, which contains a name and an address,
// unless the row has a venue column with a value. It sets the organizer from their column in the same way.
func (w *row) location() {
	venue, organizer := w.s.columns.forCollection(Venues), w.s.columns.forCollection(Organizers)
	if text := w.cells[fieldLocation]; text != "" && w.cells[venue.field] == "" {
		name, address, _ := strings.Cut(text, ",")
		w.cells[venue.field] = strings.TrimSpace(name)
		if address = strings.TrimSpace(address); w.cells[venue.column("address")] == "" && address != "" {
			w.cells[venue.column("address")] = address
		}
	}
	if cell := w.cells[fieldMeeting]; cell != "" && w.cells[organizer.field] == "" {
		w.cells[organizer.field] = joinNames([]string{cell}) // quoted, because Outlook writes "Peeters, An"
	}
}

// several returns the names in a cell of a resource of which an event may link several. It reports each further column
// of the resource that does not contain one part per name.
func (w *row) several(k *resource) []string {
	names := splitNames(w.cells[k.field])
	if len(names) > 1 {
		for _, column := range w.s.columns.below[k.Collection] {
			if cell := w.cells[column]; cell != "" && len(splitNames(cell)) != len(names) {
				w.problem(column, "does not have one part for each "+k.field)
			}
		}
	}
	return names
}

// one returns the linked item number at (from 0) among n items, with its part of each cell. It returns nil if the name
// is empty.
func (w *row) one(k *resource, name string, at, of int) *Record {
	if name == "" {
		for _, column := range w.s.columns.below[k.Collection] {
			if w.cells[column] != "" && w.cells[k.field] == "" {
				w.problem(column, "belongs to something without a name")
			}
		}
		return nil
	}
	rec := &Record{Kind: k.Collection, Line: w.rec.Line, Values: map[string]any{k.Title: name}, title: k.Title, mayBeID: true}
	own := &row{s: w.s, line: w.line, cells: map[string]string{fieldTitle: w.cells[fieldTitle]}, rec: w.rec}
	for _, column := range append(slices.Clone(w.s.columns.below[k.Collection]), k.column(fieldAddress2)) {
		cell := w.cells[column]
		if of > 1 {
			list := splitNames(cell)
			if cell = ""; len(list) == of {
				cell = list[at]
			}
		}
		own.cells[column] = cell
	}
	for _, f := range k.fields {
		if f.Name != k.Title {
			own.storeCell(rec.Values, f, k.column(f.Name))
		}
	}
	if more := own.cells[k.column(fieldAddress2)]; more != "" {
		address, _ := rec.Values["address"].(string)
		rec.Values["address"] = strings.TrimSpace(address + " " + more)
	}
	rec.Image = own.image(k.column(fieldImage))
	if latitude, longitude := own.cells[k.column(fieldLatitude)], own.cells[k.column(fieldLongitude)]; latitude != "" || longitude != "" {
		if rec.Position = positionOf(latitude+";"+longitude, ";"); rec.Position == nil {
			w.problem(k.column(fieldLatitude), "is not a position: "+clipText(latitude+", "+longitude))
		}
	}
	return rec
}

// inParent separates a parent category from its child.
const inParent = " > "

// terms reads the categories or tags of a cell.
func (w *row) terms(k *resource) (terms []*Record) {
	if w.cells[k.field] == "" {
		return nil
	}
	list := splitNames(w.cells[k.field])
	if w.s.outlook && len(list) == 1 {
		list = strings.Split(list[0], ";")
	}
	for _, path := range list {
		var term *Record
		parts := []string{path}
		if k.terms.Tree {
			parts = strings.Split(path, inParent)
		}
		for _, name := range parts {
			if name = strings.TrimSpace(name); name != "" {
				term = &Record{Kind: k.Collection, Line: w.rec.Line, Values: map[string]any{k.Title: name}, Parent: term, title: k.Title}
			}
		}
		if term != nil {
			terms = append(terms, term)
		}
	}
	return terms
}
