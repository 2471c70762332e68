package rest

import (
	"context"
	"net/http"
	"sync"

	"github.com/agendahq/agenda/internal/apierror"
)

// errClosed is the answer to a write after Close.
var errClosed = apierror.New(http.StatusServiceUnavailable, "rest_closed", "error_closed").After(soon)

// Answers to writes of a service that only reads: because of an option, or because of the permissions of its database
// account.
var (
	ErrReadOnly = apierror.New(http.StatusServiceUnavailable, "rest_read_only", "error_read_only")
	ErrMisread  = apierror.New(http.StatusServiceUnavailable, "rest_read_only", "error_read_only_latin1")
	ErrNoRights = apierror.New(http.StatusServiceUnavailable, "rest_read_only", "error_read_only_rights")
)

// Writes counts the writes in progress. The zero value allows writes until Close is called.
type Writes struct {
	mu     sync.Mutex
	closed bool
	count  int
	idle   chan struct{} // closed when the last write ends after Close
}

// Begin begins a write. The caller must call end when the write is over. After Close the error is errClosed and end is
// nil.
func (w *Writes) Begin() (end func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errClosed
	}
	w.count++
	return w.end, nil
}

func (w *Writes) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count--; w.count == 0 && w.idle != nil {
		close(w.idle)
		w.idle = nil
	}
}

// Close allows no more writes and waits until those in progress are over. If ctx ends first, it returns the error of
// ctx. It may be called again.
func (w *Writes) Close(ctx context.Context) error {
	w.mu.Lock()
	w.closed = true
	if w.count == 0 {
		w.mu.Unlock()
		return nil
	}
	if w.idle == nil {
		w.idle = make(chan struct{})
	}
	idle := w.idle
	w.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
