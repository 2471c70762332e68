package transfer

import (
	"database/sql"
	"strings"

	"github.com/agendahq/agenda/schema"
)

// renaming returns a function that changes the names in a row that contain the prefix.
func renaming(t table, from, to string) func([]sql.NullString) {
	place := map[string]int{}
	for i, c := range t.columns {
		place[c.name] = i
	}
	switch {
	case from == to:
	case t.name == "options":
		name := place["option_name"]
		return func(values []sql.NullString) {
			if values[name].String == schema.OptionUserRoles(from) {
				values[name].String = schema.OptionUserRoles(to)
			}
		}
	case t.name == "usermeta":
		key := place["meta_key"]
		return func(values []sql.NullString) {
			if rest, ok := strings.CutPrefix(values[key].String, from); ok {
				values[key].String = to + rest
			}
		}
	}
	return func([]sql.NullString) {}
}
