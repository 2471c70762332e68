package statements

import (
	"container/list"
	"context"
	"database/sql/driver"
	"errors"
	"strings"
)

// most is how many statements a connection keeps: more than a write of an event sends, and a megabyte at most.
const most = 64

// preparedStmt is what the prepared statements of SQLite can do.
type preparedStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// statement is a prepared one.
type statement struct {
	text  string
	stmt  preparedStmt
	short bool // see isShort
}

// watched returns the context of a run of the statement.
func (s *statement) watched(ctx context.Context) context.Context {
	if s.short {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// isShort reports whether a statement adds rows that it names, or is about a savepoint. It ends at once, so it is not interrupted when
// its request is over, but the next one does not begin: to watch for that takes longer than the statement.
func isShort(text string) bool {
	return strings.HasPrefix(text, "INSERT ") && strings.Contains(text, " VALUES (") || strings.HasPrefix(text, "SAVEPOINT ") ||
		strings.HasPrefix(text, "RELEASE ")
}

// kept are the statements that nobody uses now, the last used first. The zero value is ready.
type kept struct {
	byText map[string]*list.Element
	order  list.List
}

// take removes the statement with a text and returns it, nil for none. So no statement is used twice at a time.
func (k *kept) take(text []byte) *statement {
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

// put adds a statement, and ends the one that was not used for longest if there are too many. Of two with one text, as of a
// statement that is sent while the rows of the first are read, one is kept.
func (k *kept) put(s *statement) {
	if k.byText == nil {
		k.byText = map[string]*list.Element{}
	}
	if k.byText[s.text] != nil {
		_ = s.stmt.Close() // it has ended
		return
	}
	k.byText[s.text] = k.order.PushFront(s)
	if len(k.byText) > most {
		_ = k.remove(k.order.Back()).stmt.Close()
	}
}

// close ends all statements.
func (k *kept) close() (err error) {
	for e := k.order.Front(); e != nil; e = e.Next() {
		err = errors.Join(err, e.Value.(*statement).stmt.Close())
	}
	k.byText, k.order = nil, list.List{}
	return err
}
