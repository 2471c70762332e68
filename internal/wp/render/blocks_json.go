package render

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// blockNesting is the greatest depth of nested attributes.
const blockNesting = 512

// decodeBlockJSON decodes the attributes of a block and keeps their order. It returns nil if they are not valid JSON.
func decodeBlockJSON(raw string) *phpval.Array {
	if !utf8.ValidString(raw) || !json.Valid([]byte(raw)) || loneSurrogate(raw) {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	v, ok := decodeBlockValue(d, 0)
	list, _ := v.(*phpval.Array)
	if !ok {
		return nil
	}
	return list
}

// loneSurrogate reports whether valid JSON contains an escaped surrogate that is not part of a pair, which PHP rejects.
func loneSurrogate(raw string) bool {
	for i := strings.Index(raw, `\`); i >= 0 && i < len(raw); {
		unit, ok := escapedUnit(raw[i:])
		switch {
		case !ok:
			i += 2
		case !utf16.IsSurrogate(unit):
			i += len(`\u0000`)
		default:
			low, ok := escapedUnit(raw[i+len(`\u0000`):])
			if !ok || utf16.DecodeRune(unit, low) == utf8.RuneError {
				return true
			}
			i += 2 * len(`\u0000`)
		}
		n := strings.Index(raw[min(i, len(raw)):], `\`)
		if n < 0 {
			return false
		}
		i += n
	}
	return false
}

// escapedUnit parses an escape sequence of the form \u0000 at the beginning of s.
func escapedUnit(s string) (rune, bool) {
	if len(s) < len(`\u0000`) || s[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

func decodeBlockValue(d *json.Decoder, depth int) (phpval.Value, bool) {
	t, err := d.Token()
	if err != nil {
		return nil, false
	}
	switch x := t.(type) {
	case json.Number:
		return blockNumber(string(x))
	case json.Delim:
		if depth == blockNesting {
			return nil, false
		}
		return decodeBlockList(d, x == '{', depth+1)
	}
	return t, true
}

func decodeBlockList(d *json.Decoder, named bool, depth int) (phpval.Value, bool) {
	list := &phpval.Array{}
	for n := int64(0); d.More(); n++ {
		key := phpval.IntKey(n)
		if named {
			t, err := d.Token()
			name, ok := t.(string)
			if err != nil || !ok {
				return nil, false
			}
			key = phpval.StrKey(name)
		}
		v, ok := decodeBlockValue(d, depth)
		if !ok {
			return nil, false
		}
		list.Set(key, v)
	}
	_, err := d.Token()
	return list, err == nil
}

func blockNumber(s string) (phpval.Value, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && s != "-0" {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// appendPHPJSON encodes a value as PHP's json_encode does by default: ASCII only, with slashes escaped.
func appendPHPJSON(b []byte, v phpval.Value) []byte {
	return phpval.AppendJSON(b, v, true, appendPHPText)
}

func appendPHPText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch n := strings.IndexRune("\"\\/\b\f\n\r\t", r); {
		case n >= 0:
			b = append(b, '\\', `"\/bfnrt`[n])
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			b = appendPHPUnit(appendPHPUnit(b, high), low)
		case r < ' ' || r > '~' && r != 0x7F:
			b = appendPHPUnit(b, r)
		default:
			b = append(b, byte(r))
		}
	}
	return append(b, '"')
}

func appendPHPUnit(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
