package calendar

import (
	"github.com/agendahq/agenda/internal/follow"
)

// newRunner returns the runner that keeps the journal of a site, if it has one.
func newRunner(o *Options, v *covered, h *follow.Hook, readOnly bool) *follow.Runner {
	config := follow.RunnerConfig{
		Store: v.store, Comparison: v.comparison, Share: o.JournalShare, Settle: o.Cache.Settle, MaxAge: o.Cache.MaxAge, Logger: o.Logger,
	}
	if readOnly || config.Share == None {
		config.Share = 0
	}
	if h.Call != nil && !readOnly {
		config.Notify = h.Foreign
	}
	return follow.NewRunner(config)
}
