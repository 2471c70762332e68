package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// These are the format name and the version in the first line of JSON lines.
const (
	jsonFormat  = "agenda"
	jsonVersion = 1
)

// maxJSONLine is the maximum length of a line, in bytes. Texts of the calendar are much smaller.
const maxJSONLine = 16 << 20

// jsonHead is the first line.
type jsonHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Site    string `json:"site,omitempty"` // address of the site that wrote the file
}

// jsonLines is a Source of JSON lines.
type jsonLines struct {
	lines *bufio.Reader
	at    SourceLine
	began bool
}

// JSONLines returns the source of an export as JSON lines. name is the name of the file, for messages.
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
		return s.readLine(line)
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
				line = append(line[:0:0], bytes.Repeat([]byte{' '}, maxJSONLine+1)...) // read on to the end of the line
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

func (s *jsonLines) readLine(line []byte) (*Record, error) {
	var j jsonRecord
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(&j); err != nil {
		var named struct {
			UID string `json:"uid"`
		}
		p := s.problem("JSON", err.Error())
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			p = s.problem(cmp.Or(wrong.Field, "JSON"), "is of the wrong type: "+wrong.Value)
		}
		if json.Unmarshal(line, &named) == nil {
			p.Item = named.UID
		}
		return nil, p
	}
	if d.More() {
		return nil, s.problem("JSON", "there is more than one value in the line")
	}
	return j.record(j.Kind, s.at), nil
}

// jsonWriter writes JSON lines.
type jsonWriter struct {
	e         *json.Encoder
	resources *resources
}

func newJSONWriter(w io.Writer, site string, k *resources) (*jsonWriter, error) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &jsonWriter{e, k}, e.Encode(jsonHead{jsonFormat, jsonVersion, site})
}

func (w *jsonWriter) Write(rec *Record) error { return w.e.Encode(jsonOf(rec, w.resources)) }
