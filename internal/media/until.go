package media

import (
	"context"
	"io"
)

// readPiece is how much a decoder reads between two looks at its context. Tiny files may take long: a scan of a progressive JPEG, or
// a thousand pixels of a PNG, takes a few bytes.
const readPiece = 128

// readUntil reads in small pieces, and fails when its context is done: a decoder ends with the request that it works for.
type readUntil struct {
	ctx context.Context
	r   io.Reader
}

func (r readUntil) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p[:min(len(p), readPiece)])
}

// writeUntil fails when its context is done: an encoder ends with the request that it works for.
type writeUntil struct {
	ctx context.Context
	w   io.Writer
}

func (w writeUntil) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(p)
}
