package item

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// StringValue returns a string. It returns "" for false, null and the empty list, which answers contain in place of a
// missing string.
func (m Member) StringValue() string {
	if m.IsText && utf8.ValidString(m.Text) {
		return m.Text
	}
	var s string
	switch {
	case m.Kind() != '"':
	case m.JSON[0] == '"' && bytes.IndexByte(m.JSON, '\\') < 0 && utf8.Valid(m.JSON):
		// Most strings have no escapes. This is faster than json.Unmarshal.
		s = string(m.JSON[1 : len(m.JSON)-1])
	default:
		_ = json.Unmarshal(m.JSON, &s) // the JSON is known to be valid
	}
	return s
}

// Kind returns the first byte of the JSON value, which shows its type, or 0 if there is none.
func (m Member) Kind() byte {
	text := bytes.TrimLeft(m.JSON, " \t\r\n")
	if len(text) == 0 {
		return 0
	}
	return text[0]
}

// Int reads an integer.
func (m Member) Int(into *int64) (err error) {
	if *into, err = strconv.ParseInt(string(m.JSON), 10, 64); err != nil {
		err = json.Unmarshal(m.JSON, into) // not in plain decimal digits, or not a number
	}
	return err
}

// IsTrue reads a boolean; null counts as false.
func (m Member) IsTrue(into *bool) error {
	switch string(m.JSON) {
	case "true":
		*into = true
	case "false", "null":
		*into = false
	default:
		return json.Unmarshal(m.JSON, into)
	}
	return nil
}

// Prices returns the values of an event's cost, which are strings or numbers. It returns none if the members are not of
// the expected types.
func (m Member) Prices() (list []string) {
	var details struct{ Values []any }
	if m.Kind() != '{' || json.Unmarshal(m.JSON, &details) != nil {
		return nil
	}
	for _, value := range details.Values {
		list = append(list, fmt.Sprint(value))
	}
	return list
}

// ID reads an integer in a string. It returns 0 if there is none.
func (m Member) ID() int64 {
	n, _ := strconv.ParseInt(m.StringValue(), 10, 64)
	return n
}

// Own returns the value of a field of the given type, or nil if there is none.
func (m Member) Own(of string) (any, error) {
	switch of {
	case OwnNumber:
		return decoded[float64](m)
	case OwnPost, OwnImage:
		return decoded[int64](m)
	case OwnYesNo:
		return decoded[bool](m)
	case OwnList:
		return decoded[[]string](m)
	}
	if m.IsText || m.Kind() == '"' {
		return m.StringValue(), nil
	}
	return nil, nil
}

// decoded returns the value as a T, or nil for null.
func decoded[T any](m Member) (any, error) {
	if m.Kind() == 'n' {
		return nil, nil
	}
	var value T
	if err := json.Unmarshal(m.JSON, &value); err != nil {
		return nil, err
	}
	return value, nil
}

// Wall parses a date without a time zone. It returns the zero time if text is not a date.
func Wall(text string) time.Time {
	at, _ := time.Parse(time.DateTime, text)
	return at
}

// Moment returns the time of a date in its zone. If Go does not know the zone, or would show another local time than
// the answer does, it uses a fixed zone with the difference of the two dates.
func Moment(local, utc, zone string) time.Time {
	at, shown := Wall(utc), Wall(local)
	if at.IsZero() || shown.IsZero() {
		return time.Time{}
	}
	if place, err := time.LoadLocation(zone); err == nil && at.In(place).Format(time.DateTime) == local {
		return at.In(place)
	}
	return at.In(time.FixedZone(zone, int(shown.Sub(at).Seconds())))
}
