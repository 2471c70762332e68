package phpjson

import (
	"bytes"
	"encoding/json"
	"errors"
)

// node is a parsed JSON value. It keeps the order of members and the original bytes of scalars.
type node struct {
	kind byte // '{', '[', or 0 for a scalar
	raw  []byte
	keys []string
	kids []*node
}

var errSyntax = errors.New("phpjson: not a document of this writer")

// parse parses a document that a Writer wrote. It does not validate strings and numbers.
func parse(b []byte) (*node, error) {
	n, rest, err := parseValue(b, 0)
	if err == nil && len(rest) != 0 {
		err = errSyntax
	}
	return n, err
}

const maxDepth = 64

func parseValue(b []byte, depth int) (*node, []byte, error) {
	if len(b) == 0 || depth > maxDepth {
		return nil, nil, errSyntax
	}
	switch b[0] {
	case '{', '[':
		return parseContainer(b, depth)
	case '"':
		end := stringEnd(b)
		if end < 0 {
			return nil, nil, errSyntax
		}
		return &node{raw: b[:end]}, b[end:], nil
	}
	end := bytes.IndexAny(b, ",]}")
	if end < 0 {
		end = len(b)
	}
	return &node{raw: b[:end]}, b[end:], nil
}

func parseContainer(b []byte, depth int) (*node, []byte, error) {
	n := &node{kind: b[0]}
	closing := byte(']')
	if n.kind == '{' {
		closing = '}'
	}
	b = b[1:]
	for {
		if len(b) == 0 {
			return nil, nil, errSyntax
		}
		if b[0] == closing {
			return n, b[1:], nil
		}
		if b[0] == ',' {
			b = b[1:]
		}
		if n.kind == '{' {
			end := stringEnd(b)
			if end < 0 || end >= len(b) || b[end] != ':' {
				return nil, nil, errSyntax
			}
			n.keys = append(n.keys, unquote(b[:end]))
			b = b[end+1:]
		}
		kid, rest, err := parseValue(b, depth+1)
		if err != nil {
			return nil, nil, err
		}
		n.kids, b = append(n.kids, kid), rest
	}
}

// stringEnd returns the index after the JSON string at the beginning of b, or -1.
func stringEnd(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return -1
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func unquote(b []byte) string {
	var s string
	if json.Unmarshal(b, &s) != nil {
		return string(b[1 : len(b)-1])
	}
	return s
}

func (n *node) writeTo(w *Writer) {
	switch n.kind {
	case 0:
		w.Raw(n.raw)
		return
	case '[':
		w.Array()
	default:
		w.Object()
	}
	for i, kid := range n.kids {
		if n.kind == '{' {
			w.Key(n.keys[i])
		}
		kid.writeTo(w)
	}
	w.End()
}

// Indent returns doc indented as PHP's JSON_PRETTY_PRINT does: four spaces per level, a space after colons, and empty
// containers on one line. If the bound does not allow the whole result, it returns the beginning only. A nil bound
// means no limit.
func Indent(doc []byte, bound Bound) []byte {
	room := roomIn(bound, len(doc))
	if room < len(doc) {
		return nil
	}
	out := make([]byte, 0, room)
	level := 0
	for i := 0; i < len(doc); i++ {
		if need := len(out) + len(doc) - i + 1 + len(blanks)*(level+1); need > room {
			if room = roomIn(bound, need); room < need {
				return out
			}
		}
		switch c := doc[i]; c {
		case '"':
			end := stringEnd(doc[i:])
			if end < 0 {
				return doc
			}
			out = append(out, doc[i:i+end]...)
			i += end - 1
		case '{', '[':
			out = append(out, c)
			if i+1 < len(doc) && (doc[i+1] == ']' || doc[i+1] == '}') {
				i++
				out = append(out, doc[i])
				continue
			}
			level++
			out = newline(out, level)
		case '}', ']':
			level--
			out = append(newline(out, level), c)
		case ',':
			out = newline(append(out, c), level)
		case ':':
			out = append(out, ':', ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}

func roomIn(bound Bound, n int) int {
	if bound == nil {
		return 2 * n
	}
	return bound.Room(n)
}

const blanks = "    "

func newline(b []byte, level int) []byte {
	b = append(b, '\n')
	for range level {
		b = append(b, blanks...)
	}
	return b
}
