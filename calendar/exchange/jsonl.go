package exchange

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The first line of JSON lines: what they are, and in which version.
const (
	jsonFormat  = "agenda"
	jsonVersion = 1
)

// maxJSONLine limits a line, in bytes: a text of the calendar is smaller by far.
const maxJSONLine = 16 << 20

// jsonHead is the first line.
type jsonHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Site    string `json:"site,omitempty"` // the address of the site that wrote them
}

// jsonRecord is a line: a Record without its place.
type jsonRecord struct {
	Kind       Collection          `json:"kind,omitempty"` // "" in links, whose member says it
	UID        string              `json:"uid,omitempty"`
	Language   string              `json:"language,omitempty"`
	Group      string              `json:"group,omitempty"`
	Values     map[string]any      `json:"values"`
	Image      string              `json:"image,omitempty"`
	State      string              `json:"state,omitempty"`
	Position   *jsonPosition       `json:"position,omitempty"`
	Rows       map[string][]string `json:"rows,omitempty"`
	Password   string              `json:"password,omitempty"`
	Partial    bool                `json:"partial,omitempty"`
	Parent     *jsonRecord         `json:"parent,omitempty"`
	Venues     []*jsonRecord       `json:"venues,omitempty"`
	Organizers []*jsonRecord       `json:"organizers,omitempty"`
	Categories []*jsonRecord       `json:"categories,omitempty"`
	Tags       []*jsonRecord       `json:"tags,omitempty"`
}

// jsonPosition is a Position.
type jsonPosition struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

func (j *jsonRecord) record(kind Collection, at SourceLine) *Record {
	if j == nil {
		return nil
	}
	list := func(kind Collection, from []*jsonRecord) (to []*Record) {
		for _, one := range from {
			if one != nil {
				to = append(to, one.record(kind, at))
			}
		}
		return to
	}
	return &Record{
		full: true, Kind: kind, Line: at, UID: j.UID, Language: j.Language, Group: j.Group, Values: j.Values,
		Image: j.Image, State: j.State, Position: (*Position)(j.Position), Rows: j.Rows,
		Password: j.Password, Partial: j.Partial, Parent: j.Parent.record(kind, at),
		Venues: list(Venues, j.Venues), Organizers: list(Organizers, j.Organizers),
		Categories: list(Categories, j.Categories), Tags: list(Tags, j.Tags),
	}
}

func jsonOf(rec *Record, linked bool) *jsonRecord {
	if rec == nil {
		return nil
	}
	list := func(from []*Record) (to []*jsonRecord) {
		for _, one := range from {
			to = append(to, jsonOf(one, true))
		}
		return to
	}
	j := &jsonRecord{
		Kind: rec.Kind, UID: rec.UID, Language: rec.Language, Group: rec.Group, Values: rec.Values, Image: rec.Image, State: rec.State,
		Position: (*jsonPosition)(rec.Position), Rows: rec.Rows, Password: rec.Password, Partial: rec.Partial,
		Parent: jsonOf(rec.Parent, true),
		Venues: list(rec.Venues), Organizers: list(rec.Organizers), Categories: list(rec.Categories), Tags: list(rec.Tags),
	}
	if linked {
		j.Kind = ""
	}
	return j
}

// jsonLines is the source of JSON lines.
type jsonLines struct {
	lines *bufio.Reader
	at    SourceLine
	began bool
}

// JSONLines returns the source of an export as JSON lines. name is that of the file, for
// messages.
func JSONLines(r io.Reader, name string) Source {
	return &jsonLines{lines: bufio.NewReaderSize(r, 1<<16), at: SourceLine{Source: name}}
}

// Next returns the record of the next line.
func (s *jsonLines) Next(ctx context.Context) (*Record, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		if !s.began {
			s.began = true
			var head jsonHead
			if json.Unmarshal(line, &head) == nil && head.Format != "" {
				if head.Format != jsonFormat || head.Version != jsonVersion {
					return nil, fmt.Errorf("%s: JSON lines of the form %q, version %d: this program reads %q, version %d", s.at.Source,
						head.Format, head.Version, jsonFormat, jsonVersion)
				}
				continue
			}
		}
		return s.read(line)
	}
}

// line returns the next line that is not empty.
func (s *jsonLines) line() ([]byte, error) {
	for {
		var line []byte
		s.at.Line++
		for {
			part, err := s.lines.ReadSlice('\n')
			if len(line)+len(part) <= maxJSONLine {
				line = append(line, part...)
			} else {
				line = append(line[:0:0], bytes.Repeat([]byte{' '}, maxJSONLine+1)...) // read on to its end
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
				return nil, err
			}
			break
		}
		if len(line) > maxJSONLine {
			return nil, s.problem("", "the line is too long")
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))); len(line) > 0 {
			return line, nil
		}
	}
}

func (s *jsonLines) problem(field, reason string) *Problem {
	return &Problem{Place: s.at, Field: field, Reason: reason}
}

func (s *jsonLines) read(line []byte) (*Record, error) {
	var j jsonRecord
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		var named struct {
			UID string `json:"uid"`
		}
		p := s.problem("JSON", err.Error())
		if json.Unmarshal(line, &named) == nil {
			p.Item = named.UID
		}
		return nil, p
	}
	if d.More() {
		return nil, s.problem("JSON", "there is more than one value in the line")
	}
	if titles[j.Kind] == "" {
		p := s.problem("kind", fmt.Sprintf("there is no kind %q", j.Kind))
		p.Item = j.UID
		return nil, p
	}
	return j.record(j.Kind, s.at), nil
}

// jsonWriter writes JSON lines.
type jsonWriter struct{ e *json.Encoder }

func newJSONWriter(w io.Writer, site string) (*jsonWriter, error) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &jsonWriter{e}, e.Encode(jsonHead{jsonFormat, jsonVersion, site})
}

func (w *jsonWriter) Write(rec *Record) error { return w.e.Encode(jsonOf(rec, false)) }
