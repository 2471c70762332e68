package post

import (
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// FaultOf tells the engine, which knows no database, what store.FaultOf finds.
func FaultOf(err error) rest.Fault {
	switch store.FaultOf(err) {
	case store.Passing:
		return rest.PassingFault
	case store.TooSlow:
		return rest.SlowFault
	case store.Broken:
		return rest.BrokenFault
	}
	return rest.NoFault
}
