package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/parameters"
	"github.com/agendahq/agenda/internal/store/timelimit"
)

// MariaDB takes an eighth of its time for a list, and a quarter of that for a single event, to parse and resolve
// statements. So those that most pages have in common are prepared: each connection prepares a text once, and then sends
// only the values. A text is prepared when it is used again. Whatever prevents that, the statement is sent as text.

// mostPrepared is the number of texts of a pool that are prepared or noted. A server limits how many statements all of
// its clients have prepared, on all connections together (max_prepared_stmt_count, usually 16,382).
const mostPrepared = 32

// unpreparable are the error numbers for statements that may succeed as text: the server has too many prepared
// statements, or does not know this one any more, it cannot be prepared, or has to be prepared again.
var unpreparable = []uint16{1461, 1243, 1295, 1615}

// Prepared lets a query be sent as a prepared statement, outside of transactions. It is for queries of many requests.
func (db *DB) Prepared(q *Query) *Query {
	if p := db.pool.prepared; p != nil {
		return q.Conn(preparedReads{timelimit.Reads{IConn: db.pool.DB.DB, Limits: db.pool.limits}, p})
	}
	return q
}

// preparedReads sends queries to a pool as prepared statements.
type preparedReads struct {
	timelimit.Reads
	statements *preparedStatements
}

func (r preparedReads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	lifter := lifters.Get().(*parameters.Lifter)
	defer lifters.Put(lifter)
	if len(args) > 0 || !lifter.Lift(query) {
		return r.Reads.QueryContext(ctx, query, args...)
	}
	defer lifter.Done()
	t, statement := r.statements.find(ctx, r.Limits, lifter.Text)
	if statement == nil {
		return r.Reads.QueryContext(ctx, query)
	}
	values := make([]any, len(lifter.Values))
	for i, v := range lifter.Values {
		values[i] = v.Value
	}
	rows, err := statement.QueryContext(ctx, values...)
	if err != nil && r.statements.failed(t, statement, err) {
		return r.Reads.QueryContext(ctx, query)
	}
	return rows, err
}

// lifters are the lifters that no query uses at the moment.
var lifters = sync.Pool{New: func() any { return &parameters.Lifter{MariaDB: true} }}

// preparedStatements are the prepared statements of a pool, which the stores of all its sites share.
type preparedStatements struct {
	pool   *sql.DB
	stores int // that are not closed; guarded by preparedOf

	mu    sync.Mutex
	uses  int64                     // of all texts
	texts map[textKey]*preparedText // nil if all stores are closed
}

// textKey is a statement without values and the seconds of its time limit, 0 for none.
type textKey struct {
	seconds int64
	text    string
}

// preparedText is a text that was used.
type preparedText struct {
	key       textKey
	used      int64     // the value of uses at its last use
	tried     bool      // it is being prepared, is prepared, or cannot be
	statement *sql.Stmt // nil while it is not prepared
}

// preparedOf contains the statements of each pool with a store that is not closed.
var preparedOf = struct {
	sync.Mutex
	pools map[*sql.DB]*preparedStatements
}{pools: map[*sql.DB]*preparedStatements{}}

// sharePrepared returns the statements of a pool for one more store, which has to call leave.
func sharePrepared(pool *sql.DB) *preparedStatements {
	preparedOf.Lock()
	defer preparedOf.Unlock()
	p := preparedOf.pools[pool]
	if p == nil {
		p = &preparedStatements{pool: pool, texts: map[textKey]*preparedText{}}
		preparedOf.pools[pool] = p
	}
	p.stores++
	return p
}

// leave closes the statements if no other store uses them. It may be called on nil.
func (p *preparedStatements) leave() {
	if p == nil {
		return
	}
	preparedOf.Lock()
	defer preparedOf.Unlock()
	if p.stores--; p.stores > 0 {
		return
	}
	delete(preparedOf.pools, p.pool)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.texts {
		closePrepared(t.statement)
	}
	p.texts = nil
}

// find returns the entry of a text and its prepared statement, nil if there is none.
func (p *preparedStatements) find(ctx context.Context, limits timelimit.Syntax, text []byte) (*preparedText, *sql.Stmt) {
	seconds := int64(0)
	if end, limited := ctx.Deadline(); limited && limits != timelimit.None {
		seconds = timelimit.SecondsUntil(end)
	}
	p.mu.Lock()
	p.uses++
	t := p.texts[textKey{seconds, string(text)}]
	if t == nil {
		p.addText(textKey{seconds, string(text)})
		p.mu.Unlock()
		return nil, nil
	}
	t.used = p.uses
	statement, tried := t.statement, t.tried
	t.tried = true
	p.mu.Unlock()
	if tried {
		return t, statement
	}
	statement, err := p.pool.PrepareContext(ctx, limits.Limited(seconds, t.key.text))
	p.mu.Lock()
	defer p.mu.Unlock()
	var answer *mysql.MySQLError
	switch {
	case err != nil:
		t.tried = errors.As(err, &answer) && dberr.FaultOf(err) == dberr.NoFault // otherwise it may succeed later
		return nil, nil
	case p.texts[t.key] != t: // it was removed in the meantime
		closePrepared(statement)
		return nil, nil
	}
	t.statement = statement
	return t, statement
}

// addText adds a text, in place of the least recently used one if there are too many.
func (p *preparedStatements) addText(key textKey) {
	if p.texts == nil {
		return
	}
	if len(p.texts) >= mostPrepared {
		oldest, used := textKey{}, p.uses
		for other, t := range p.texts {
			if t.used < used {
				oldest, used = other, t.used
			}
		}
		closePrepared(p.texts[oldest].statement)
		delete(p.texts, oldest)
	}
	p.texts[key] = &preparedText{key: key, used: p.uses}
}

// failed reports whether a query whose prepared statement returned an error is to be sent as text.
func (p *preparedStatements) failed(t *preparedText, statement *sql.Stmt, err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.texts[t.key] != t || t.statement != statement {
		return true // it was closed in the meantime
	}
	if !dberr.Has(err, unpreparable...) {
		return false
	}
	closePrepared(statement)
	t.statement = nil
	return true
}

// closePrepared closes a statement, unless it is nil, as soon as no query uses it.
func closePrepared(statement *sql.Stmt) {
	if statement != nil {
		go func() { _ = statement.Close() }() //nolint:errcheck // the server forgets it with its connection
	}
}
