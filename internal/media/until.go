package media

import (
	"context"
	"io"
)

// readPiece is how many bytes a decoder reads between two checks of its context. It is small because a few bytes can
// take long to decode: a scan of a progressive JPEG, or a thousand pixels of a PNG.
const readPiece = 128

// readUntil is a reader that fails once its context ends, so that decoding stops together with the request.
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

// writeUntil is a writer that fails once its context ends, so that encoding stops together with the request.
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
