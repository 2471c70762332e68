package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// jsonRecord is one of the JSON lines: a Record without its place in the source. Its further members are the linked
// items, by the names of their collections.
type jsonRecord struct {
	jsonMembers
	linked []jsonLinked
}

// jsonMembers are the members that all records have.
type jsonMembers struct {
	Kind     Collection          `json:"kind,omitempty"` // empty in linked records, whose member names it
	UID      string              `json:"uid,omitempty"`
	Language string              `json:"language,omitempty"`
	Group    string              `json:"group,omitempty"`
	Values   map[string]any      `json:"values"`
	Image    string              `json:"image,omitempty"`
	State    string              `json:"state,omitempty"`
	Position *jsonPosition       `json:"position,omitempty"`
	Rows     map[string][]string `json:"rows,omitempty"`
	Password string              `json:"password,omitempty"`
	Partial  bool                `json:"partial,omitempty"`
	Parent   *jsonRecord         `json:"parent,omitempty"`
}

// jsonLinked contains the linked items of one resource.
type jsonLinked struct {
	kind    Collection
	records []*jsonRecord
}

// jsonPosition is a Position in JSON.
type jsonPosition struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

func (j *jsonRecord) record(kind Collection, at SourceLine) *Record {
	if j == nil {
		return nil
	}
	rec := &Record{
		full: true, Kind: kind, Line: at, UID: j.UID, Language: j.Language, Group: j.Group, Values: j.Values,
		Image: j.Image, State: j.State, Position: (*Position)(j.Position), Rows: j.Rows,
		Password: j.Password, Partial: j.Partial, Parent: j.Parent.record(kind, at),
	}
	for _, l := range j.linked {
		for _, one := range l.records {
			if one != nil {
				rec.link(l.kind, one.record(l.kind, at))
			}
		}
	}
	return rec
}

// jsonOf returns the line of a record, with linked items in the order of the calendar's resources.
func jsonOf(rec *Record, k *resources) *jsonRecord {
	j := linkedJSON(rec, k)
	j.Kind = rec.Kind
	return j
}

func linkedJSON(rec *Record, k *resources) *jsonRecord {
	if rec == nil {
		return nil
	}
	j := &jsonRecord{jsonMembers: jsonMembers{
		UID: rec.UID, Language: rec.Language, Group: rec.Group, Values: rec.Values, Image: rec.Image, State: rec.State,
		Position: (*jsonPosition)(rec.Position), Rows: rec.Rows, Password: rec.Password, Partial: rec.Partial,
		Parent: linkedJSON(rec.Parent, k),
	}}
	for _, kind := range k.order(slices.Sorted(maps.Keys(rec.Linked))) {
		l := jsonLinked{kind: kind}
		for _, one := range rec.Linked[kind] {
			l.records = append(l.records, linkedJSON(one, k))
		}
		if l.records != nil {
			j.linked = append(j.linked, l)
		}
	}
	return j
}

// MarshalJSON implements json.Marshaler.
func (j *jsonRecord) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(j.jsonMembers); err != nil {
		return nil, err
	}
	for _, l := range j.linked {
		b.Truncate(b.Len() - len("}\n"))
		fmt.Fprintf(&b, ",%q:", l.kind)
		if err := e.Encode(l.records); err != nil {
			return nil, err
		}
		b.WriteString("}\n")
	}
	return b.Bytes(), nil
}

// UnmarshalJSON implements json.Unmarshaler. It ignores members that are not lists of records.
func (j *jsonRecord) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&j.jsonMembers); err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(jsonNames, strings.ToLower(name)) {
			continue
		}
		l := jsonLinked{kind: Collection(name)}
		if err := json.Unmarshal(members[name], &l.records); err != nil {
			return fmt.Errorf("there is no field %q", name)
		}
		j.linked = append(j.linked, l)
	}
	return nil
}

// jsonNames are the names of the members in jsonMembers.
var jsonNames = strings.Fields("kind uid language group values image state position rows password partial parent")
