package exchange

import (
	"errors"

	"github.com/agendahq/agenda/internal/store"
)

// Away reports whether an import or export ended because the database does not answer, or
// did not say whether it stored the last transaction. Run again it goes on.
func Away(err error) bool {
	return store.FaultOf(err) == store.Passing || errors.Is(err, store.ErrOutcomeUnknown)
}
