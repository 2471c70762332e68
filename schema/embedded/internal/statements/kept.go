package statements

import (
	"container/list"
	"context"
	"database/sql/driver"
	"errors"
	"strings"
)

// most is the number of statements that a connection keeps: more than writing an event needs, and a megabyte at most.
const most = 64

// preparedStmt is the interface of SQLite's prepared statements.
type preparedStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// statement is a prepared statement.
type statement struct {
	text  string
	stmt  preparedStmt
	short bool // see isShort
}

// watched returns the context for an execution of the statement.
func (s *statement) watched(ctx context.Context) context.Context {
	if s.short {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// isShort reports whether a statement inserts the rows that it contains, or is about a savepoint. Such a statement ends
// at once, so it is not interrupted when its request is canceled: watching for that takes longer than the statement.
// The next statement then does not start.
func isShort(text string) bool {
	return strings.HasPrefix(text, "INSERT ") && strings.Contains(text, " VALUES (") || strings.HasPrefix(text, "SAVEPOINT ") ||
		strings.HasPrefix(text, "RELEASE ")
}

// kept contains the statements that are not in use, most recently used first. The zero value is ready for use.
type kept struct {
	byText map[string]*list.Element
	order  list.List
}

// takeStatement removes the statement with a text and returns it, or nil if there is none. Thus no statement is used twice at
// the same time.
func (k *kept) takeStatement(text []byte) *statement {
	e := k.byText[string(text)]
	if e == nil {
		return nil
	}
	return k.remove(e)
}

func (k *kept) remove(e *list.Element) *statement {
	s := k.order.Remove(e).(*statement)
	delete(k.byText, s.text)
	return s
}

// keepStatement adds a statement, and closes the least recently used one if there are too many. If there are two with the same
// text, because one was executed while the rows of the other were read, it keeps only one.
func (k *kept) keepStatement(s *statement) {
	if k.byText == nil {
		k.byText = map[string]*list.Element{}
	}
	if k.byText[s.text] != nil {
		_ = s.stmt.Close() // it is not in use
		return
	}
	k.byText[s.text] = k.order.PushFront(s)
	if len(k.byText) > most {
		_ = k.remove(k.order.Back()).stmt.Close()
	}
}

// close closes all statements.
func (k *kept) close() (err error) {
	for e := k.order.Front(); e != nil; e = e.Next() {
		err = errors.Join(err, e.Value.(*statement).stmt.Close())
	}
	k.byText, k.order = nil, list.List{}
	return err
}
