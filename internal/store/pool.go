package store

import (
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/timelimit"
)

// Pool is a bun.DB whose SELECTs have a time limit. If the host uses a ConnResolver, which sends reads to other
// pools, only the SELECTs in transactions have a limit, because naming a connection for a query would bypass the
// resolver.
type Pool struct {
	DB     *bun.DB
	limits timelimit.Syntax
	routed bool
	reads  bun.IConn // of queries, nil for that of DB

	prepared *preparedStatements // nil if none are used
}

// NewPool returns a Pool for use without a Store. Its queries have no time limit.
func NewPool(db *bun.DB) *Pool { return newPool(db, timelimit.None, false) }

func newPool(db *bun.DB, limits timelimit.Syntax, routed bool) *Pool {
	d := &Pool{DB: db, limits: limits, routed: routed}
	if limits != timelimit.None && !routed {
		d.reads = timelimit.Reads{IConn: db.DB, Limits: limits}
	}
	return d
}

// Select begins a query.
func (d *Pool) Select() *Query { return newQuery(d.DB).Conn(d.reads) }

// SelectIn begins a query in a transaction.
func (d *Pool) SelectIn(tx bun.Tx) *Query { return newQuery(d.DB).Conn(d.within(tx)) }

// within returns the connection for the reads of a transaction.
func (d *Pool) within(tx bun.Tx) bun.IConn { return timelimit.Reads{IConn: tx.Tx, Limits: d.limits} }
