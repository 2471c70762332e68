package render

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// blockNesting is how deep the attributes of a block may be nested.
const blockNesting = 512

// decodeBlockJSON reads the attributes of a block with their order, nil if they
// are not valid.
func decodeBlockJSON(raw string) *phpval.Array {
	if !utf8.ValidString(raw) || !json.Valid([]byte(raw)) {
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

// appendPHPJSON writes a value as PHP writes JSON by default: ASCII only,
// slashes escaped.
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
