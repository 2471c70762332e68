package exchange

import (
	"errors"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
)

// Away reports whether an import or export ended because the database is unreachable, or because it is not known
// whether the last transaction was committed. In both cases the run may be repeated, and then continues.
func Away(err error) bool {
	return dberr.FaultOf(err) == dberr.Passing || errors.Is(err, store.ErrOutcomeUnknown)
}
