package collation

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"

	"modernc.org/sqlite"

	"github.com/agendahq/agenda/schema"
)

// Version must be increased whenever Compare returns another result for any pair of strings, because of a change here
// or in a newer golang.org/x/text. The indexes of a file are sorted by the version that wrote them.
const Version = 1

// Driver returns SQLite with the collation, LIKE and the functions for fingerprints. It is not the driver registered as
// "sqlite", so that other uses of SQLite in the process are not affected.
var Driver = sync.OnceValue(func() *sqlite.Driver {
	d := new(sqlite.Driver)
	d.MustRegisterCollationUtf8(schema.Collation, Compare)
	// The driver rejects a second registration of a name with another number of arguments. SQLite ignores the case of
	// names.
	for name, args := range map[string]int32{"like": 2, "LIKE": 3} {
		d.MustRegisterFunction(name, &sqlite.FunctionImpl{
			NArgs: args, Deterministic: true, Scalar: likeFunction,
			// Other arguments end at their first NUL.
			VolatileArgs: true,
		})
	}
	registerFingerprints(d)
	return d
})

// likeFunction implements "text LIKE pattern" and "text LIKE pattern ESCAPE escape".
func likeFunction(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	for _, arg := range args {
		if arg == nil {
			return nil, nil
		}
	}
	escape := rune(defaultEscape)
	if len(args) == 3 {
		text := asText(args[2])
		if utf8.RuneCountInString(text) > 1 {
			return nil, fmt.Errorf("the escape of LIKE must be one character, not %q", text)
		}
		if text != "" {
			escape, _ = utf8.DecodeRuneInString(text)
		}
	}
	return like(asText(args[0]), asText(args[1]), escape), nil
}

func asText(v driver.Value) string {
	switch x := v.(type) {
	case string:
		return x
	case []byte:
		return string(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
