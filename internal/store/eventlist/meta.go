package eventlist

import "github.com/agendahq/agenda/internal/store"

// Meta selects events by the values of a meta key.
type Meta struct{ store.MetaFilter }

func (c Meta) general(l *List, q *query) *query { return l.store.DB.WhereMeta(q, c.MetaFilter, "p.ID") }

func (Meta) matchesText() {}
