package item

import (
	"slices"

	"github.com/agendahq/agenda/internal/param"
)

// maxShort is the maximum length in bytes of a short string, which is one that items show in lists. A page of a list
// contains many of them.
const maxShort = 4 << 10

// CheckShort returns a validation error if a short string, which a write is about to store in a field, is too long. A
// stored string may be longer, because other programs have no such limit, so an unchanged one is accepted. same
// contains other strings that count as unchanged if they equal the stored one, such as the string of the request before
// it was filtered.
func CheckShort(field, text, stored string, same ...string) error {
	if len(text) <= maxShort || text == stored || slices.Contains(same, stored) {
		return nil
	}
	return param.Refuse(field, param.Invalid("fault_too_long_bytes", "Max", maxShort))
}
