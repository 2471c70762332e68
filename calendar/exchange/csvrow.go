package exchange

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
)

// row is a row of the file while it is read.
type row struct {
	s     *tableSource
	line  int
	cells map[string]string // by field, without empty cells
	rec   *Record
}

// readRecord returns the record of the row.
func (w *row) readRecord(cells []string) (*Record, error) {
	w.rec = &Record{Kind: Events, Line: SourceLine{w.s.name, w.line}, Values: map[string]any{}}
	for i, cell := range cells {
		switch {
		case strings.TrimSpace(cell) == "":
		case i >= len(w.s.fields):
			w.problem("row", "a cell belongs to no column: "+clipText(cell))
		case w.s.names[i] == "":
			if !w.s.odd {
				w.s.odd = true
				w.problem("row", "a cell belongs to a column without a name: "+clipText(cell))
			}
		case w.s.fields[i] != "":
			w.cells[w.s.fields[i]] = unguardFormula(cell)
		}
	}
	if w.s.of != nil {
		return w.item(w.s.of)
	}
	w.rec.UID, w.rec.Language, w.rec.Group = w.cells[fieldUID], w.cells[fieldLanguage], w.cells[fieldGroup]
	if w.cells[fieldTitle] == "" {
		return nil, w.refuse(fieldTitle, "is missing, and an event needs a title")
	}
	w.rec.Values[fieldTitle] = w.cells[fieldTitle]
	if field, reason := w.dates(); reason != "" {
		return nil, w.refuse(field, reason)
	}
	for _, f := range w.s.columns.events.fields {
		if !slices.Contains(leading, f.Name) {
			w.storeCell(w.rec.Values, f, f.Name)
		}
	}
	w.state()
	w.rec.Image = w.image(fieldImage)
	w.link()
	return w.rec, nil
}

// item returns the record of a row of another resource than events, such as a venue. Unless the row has a UID, that is
// derived from the name, and from a number that distinguishes rows of the same name.
func (w *row) item(k *resource) (*Record, error) {
	w.rec.Kind = k.Collection
	name := strings.TrimSpace(w.cells[k.field])
	rec := w.one(k, name, 0, 1)
	if rec == nil {
		return nil, w.refuse(k.field, "is missing, and it needs a name")
	}
	if w.s.named == nil {
		w.s.named = map[string]int{}
	}
	w.s.named[foldName(name)]++
	key := uidKey(foldName(name) + "\x00" + strconv.Itoa(w.s.named[foldName(name)]))
	rec.UID, rec.Language, rec.Group = cmp.Or(w.cells[fieldUID], hex.EncodeToString(key[:8])), w.cells[fieldLanguage], w.cells[fieldGroup]
	rec.mayBeID, rec.Problems = false, w.rec.Problems
	return rec, nil
}

// refuse returns a Problem that states why the row is not imported.
func (w *row) refuse(field, reason string) *Problem {
	if i := slices.Index(w.s.fields, field); i >= 0 {
		field = w.s.names[i]
	}
	return w.s.problem(w.line, w.cells[fieldTitle], field, reason)
}

// problem records that a part of the row is left out.
func (w *row) problem(field, reason string) {
	w.rec.Problems = append(w.rec.Problems, w.refuse(field, reason))
}

// noteCell reports how the cell of a column was understood, where that may not be what the row means.
func (w *row) noteCell(column, text string) {
	w.rec.notes = append(w.rec.notes, w.refuse(column, text).about())
}

// storeCell converts the cell of a column and stores it in values under its field.
func (w *row) storeCell(values map[string]any, f field, column string) {
	cell := w.cells[column]
	switch {
	case column == fieldCost:
		w.cost()
	case cell == "", f.Name == fieldDates: // dates has read them
	case f.Name == fieldWebsite:
		w.website(values, column)
	case f.form == item.FormFlag:
		if on, given := w.flag(column); given {
			values[f.Name] = on
		}
	case f.form == item.FormNumber:
		if !number.MatchString(cell) {
			w.problem(column, "is not a number: "+clipText(cell))
			return
		}
		values[f.Name] = json.Number(cell)
	case f.form == item.FormList:
		list := []any{}
		for _, one := range splitNames(cell) {
			list = append(list, one)
		}
		values[f.Name] = list
	default:
		values[f.Name] = cell
	}
}

// number matches a JSON number without an exponent.
var number = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?$`)

// These words mean yes and no, in lower case: those of forms, and of spreadsheets in several languages.
var (
	yesWords = strings.Fields(`true 1 yes y x on private confidential personal ja j oui sí si sì sim tak
		wahr waar vrai verdadero vero verdadeiro prawda sant sand`)
	noWords = strings.Fields(`false 0 no n off normal public nee nein nej nie non não nao
		falsch onwaar faux falso fałsz falsz falskt falsk`)
)

// flag reads a yes or a no. given is false if the cell is empty.
func (w *row) flag(field string) (on, given bool) {
	switch cell := strings.ToLower(strings.TrimSpace(w.cells[field])); {
	case cell == "":
	case slices.Contains(yesWords, cell):
		return true, true
	case slices.Contains(noWords, cell):
		return false, true
	default:
		w.problem(field, "is neither yes nor no: "+clipText(cell))
	}
	return false, false
}

// state reads the event's status (cancelled, postponed) and whether it is private.
func (w *row) state() {
	switch state := strings.ToLower(w.cells[fieldState]); state {
	case "", "scheduled":
	case StateCanceled, StatePostponed:
		w.rec.State = state
	case "cancelled":
		w.rec.State = StateCanceled
	default:
		w.problem(fieldState, "is not a status of an event: "+clipText(state))
	}
	private, _ := w.flag(fieldPrivate)
	if sensitive, _ := w.flag(fieldSensitive); private || sensitive {
		w.rec.Values[fieldStatus] = "private"
	}
}

// severalCosts separates several costs in a cell.
const severalCosts = " | "

// cost reads the cost. A currency symbol that has a separate column becomes a part of it, as the API stores no symbol
// alone.
func (w *row) cost() {
	cell, symbol := w.cells[fieldCost], w.cells[fieldSymbol]
	list, used := []any{}, false
	for one := range strings.SplitSeq(cell, severalCosts) {
		switch {
		case one == "" || symbol == "" || strings.Trim(one, "0123456789.,- ") != "":
			used = used || strings.Contains(one, symbol)
		case slices.Contains([]string{"suffix", "postfix"}, strings.ToLower(strings.TrimSpace(w.cells[fieldPosition]))):
			one, used = one+" "+symbol, true
		default:
			one, used = symbol+one, true
		}
		list = append(list, one)
	}
	if !used {
		w.noteCell(fieldSymbol, "belongs to no cost in digits, and is left out: "+clipText(symbol))
	}
	if len(list) > 1 {
		w.rec.Values[fieldCost] = list
	} else if cell != "" {
		w.rec.Values[fieldCost] = list[0]
	}
}

// website reads a web address, whose scheme may be missing.
func (w *row) website(values map[string]any, column string) {
	cell := w.cells[column]
	if _, err := linked.CheckWebsite(context.Background(), cell); err != nil {
		if cell = siteAddress(cell); cell == "" {
			w.problem(column, "is not a web address: "+clipText(w.cells[column]))
			return
		}
	}
	values[fieldWebsite] = cell
}

// image returns the address of an image.
func (w *row) image(field string) string {
	cell := strings.TrimSpace(w.cells[field])
	switch address := webAddress(cell); {
	case cell != "" && address == "":
		w.problem(field, "is not the web address of an image: "+clipText(cell))
		return ""
	case !strings.Contains(cell, "://"):
		return address
	}
	return cell
}
