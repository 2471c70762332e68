package rest

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// deadlines limit how long a connection may take to send a request's body and to receive the answer, whatever the
// host's server sets. An earlier deadline of the server stays in effect. After the answer the server's deadlines are
// restored, because the host's next answer on the connection may take longer.
type deadlines struct {
	http.ResponseController
	limit time.Duration
	began time.Time
	// read and write are the deadlines of the host's server, zero if there are none.
	read, write time.Time
	changed     bool // whether the write deadline was changed
}

func newDeadlines(w http.ResponseWriter, r *http.Request, limit time.Duration) deadlines {
	d := deadlines{ResponseController: *http.NewResponseController(w), limit: limit, began: time.Now()}
	if s, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok {
		if s.ReadTimeout > 0 {
			d.read = d.began.Add(s.ReadTimeout)
		}
		if s.WriteTimeout > 0 {
			d.write = d.began.Add(s.WriteTimeout)
		}
	}
	return d
}

// earlier returns the earlier of two deadlines; that of the server may be zero, for none.
func earlier(at, server time.Time) time.Time {
	if !server.IsZero() && server.Before(at) {
		return server
	}
	return at
}

// beginReading sets the deadlines under which the body is read. A write deadline is needed too, because the server may
// have to send "100 Continue". It is later than the read deadline, because over HTTP/2 an answer is lost if its
// deadline has passed before it begins.
func (d *deadlines) beginReading() {
	at := d.began.Add(d.limit)
	_ = d.SetReadDeadline(earlier(at, d.read))
	d.changed = d.SetWriteDeadline(earlier(at.Add(d.limit), d.write)) == nil
}

// endReading is called when a body was read to its end. From then on the server reads only to notice that the client
// disconnects, which must have no deadline.
func (d *deadlines) endReading() { _ = d.SetReadDeadline(time.Time{}) }

// pass reads and discards the rest of an unneeded body, up to a limit: a client that is still sending when the
// connection is closed does not see its answer. It takes at most half of the time of a late answer, because the server
// also reads the rest of a body before it writes.
func (d *deadlines) pass(body io.Reader, limit int64) {
	if d.SetReadDeadline(earlier(time.Now().Add(d.limit/4), d.read)) == nil {
		_, _ = io.CopyN(io.Discard, body, limit) // the server notices errors itself
	}
}

// beginWriting gives the answer the rest of the request's time, but at least half of the limit. It does nothing if the
// ResponseWriter does not support deadlines.
func (d *deadlines) beginWriting() {
	at, least := d.began.Add(d.limit), time.Now().Add(d.limit/2)
	if at.Before(least) {
		at = least
	}
	d.changed = d.SetWriteDeadline(earlier(at, d.write)) == nil
}

// endWriting restores the deadlines of the server after everything was sent. It does not if flushing failed, because
// the connection is about to be closed.
func (d *deadlines) endWriting() {
	if d.changed && d.flush() == nil {
		_ = d.SetWriteDeadline(d.write)
	}
}

// flush sends what is buffered. It recovers, because gin's writer panics if the one that it wraps cannot flush.
func (d *deadlines) flush() (err error) {
	defer func() {
		if recover() != nil {
			err = nil
		}
	}()
	if err = d.Flush(); errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
