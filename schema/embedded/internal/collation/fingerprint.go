package collation

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash"
	"strconv"
	"strings"

	"modernc.org/sqlite"

	"github.com/agendahq/agenda/schema"
)

// registerFingerprints registers the functions with which the journal detects changes: schema.RowFingerprint returns
// the fingerprint of the columns of a row, and schema.RowsFingerprint that of several rows, in any order.
func registerFingerprints(d *sqlite.Driver) {
	d.MustRegisterFunction(schema.RowFingerprint, &sqlite.FunctionImpl{
		NArgs: -1, Deterministic: true, VolatileArgs: true,
		Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			var f fingerprint
			if err := f.Step(nil, args); err != nil {
				return nil, err
			}
			return f.WindowValue(nil)
		},
	})
	d.MustRegisterFunction(schema.RowsFingerprint, &sqlite.FunctionImpl{
		NArgs: -1, Deterministic: true, VolatileArgs: true,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return &fingerprint{}, nil },
	})
	d.MustRegisterFunction(schema.NumberOf, &sqlite.FunctionImpl{NArgs: 1, Deterministic: true, Scalar: numberOf})
}

// numberOf returns the number that a string represents, or nil if it represents none.
func numberOf(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	if args[0] == nil {
		return nil, nil
	}
	text := strings.Trim(asText(args[0]), " \t\n\r\v\f")
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "xX_iInN") { // ParseFloat also accepts other notations
		return nil, nil //nolint:nilerr // it is no number
	}
	return n, nil
}

// fingerprint is the XOR of 64 bits of the SHA-256 of each row.
type fingerprint struct {
	sum  uint64
	hash hash.Hash
	row  []byte
}

// Step adds a row.
func (f *fingerprint) Step(_ *sqlite.FunctionContext, row []driver.Value) error {
	if f.hash == nil {
		f.hash = sha256.New()
	}
	f.hash.Reset()
	for _, v := range row {
		text, is := "", byte('-') // of NULL
		if v != nil {
			text, is = asText(v), '+'
		}
		f.row = append(binary.AppendUvarint(append(f.row[:0], is), uint64(len(text))), text...)
		_, _ = f.hash.Write(f.row)
	}
	f.sum ^= binary.BigEndian.Uint64(f.hash.Sum(f.row[:0]))
	return nil
}

// WindowInverse removes a row. Adding a row a second time has that effect.
func (f *fingerprint) WindowInverse(c *sqlite.FunctionContext, row []driver.Value) error {
	return f.Step(c, row)
}

// WindowValue returns the sum in hexadecimal digits.
func (f *fingerprint) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	return fmt.Sprintf("%x", f.sum), nil
}

// Final does nothing.
func (f *fingerprint) Final(*sqlite.FunctionContext) {}
