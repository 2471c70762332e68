package item

import (
	"slices"

	"github.com/agendahq/agenda/internal/param"
)

// maxShort is how long a short text is at most, in bytes: one that items show in lists, of which a page has many.
const maxShort = 4 << 10

// CheckShort returns the validation error of a short text that a write is about to store in a field. One that is stored may be longer,
// since other programs have no such bound: same are texts that count as the stored one, such as what a request gave.
func CheckShort(field, text, stored string, same ...string) error {
	if len(text) <= maxShort || text == stored || slices.Contains(same, stored) {
		return nil
	}
	return param.Refuse(field, param.Invalid("fault_too_long_bytes", "Max", maxShort))
}
