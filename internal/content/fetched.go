package content

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/media"
)

// errPreparing ends what would write while the images of several writes are fetched.
var errPreparing = errors.New("content: nothing is written while images are fetched")

// MaxBatchDates is how many dates the writes of one transaction may store: all other writers wait for its end.
const MaxBatchDates = 2000

// ErrBatchDates is returned where writes of one transaction store more than MaxBatchDates.
var ErrBatchDates = errors.New("content: the writes of one transaction store too many dates")

// fetched are the images of a write of many items, which are fetched before its transaction begins, and what it has written.
type fetched struct {
	open  bool                    // they are being fetched
	saved map[string]*media.Saved // by address
	used  map[string]bool         // those that rows name
	dates int                     // that were stored
}

type fetchedKey struct{}

func fetchedOf(ctx context.Context) *fetched {
	f, _ := ctx.Value(fetchedKey{}).(*fetched)
	return f
}

// WriteFetched is WriteBatch for many writes that may name images by address. prepare does all of them but what writes, which ends
// with an error, so that the images are fetched: the transaction must not wait for other servers. fn does them again and writes.
func (s *Service) WriteFetched(ctx context.Context, prepare func(context.Context), fn func(context.Context) error) (err error) {
	f := &fetched{open: true, saved: map[string]*media.Saved{}, used: map[string]bool{}}
	ctx = context.WithValue(ctx, fetchedKey{}, f)
	written := false
	defer func() { // in panics too
		for address, file := range f.saved {
			if written && f.used[address] {
				continue
			}
			if err := file.Remove(); err != nil {
				s.Logger.WarnContext(ctx, "files of a failed write stay", "file", file.File, "error", err)
			}
		}
	}()
	prepare(ctx)
	f.open = false
	err = s.WriteBatch(ctx, func(ctx context.Context) error {
		f.used, f.dates = map[string]bool{}, 0
		err := fn(ctx)
		if f.dates > MaxBatchDates { // whatever fn made of the error
			return ErrBatchDates
		}
		return err
	})
	written = keepsFiles(err)
	return err
}

// countDates counts dates that one of many writes is about to store. Other writes have no such bound.
func (f *fetched) countDates(n int) error {
	if f == nil {
		return nil
	}
	if f.dates += n; f.dates > MaxBatchDates {
		return ErrBatchDates
	}
	return nil
}

// image returns an image that was fetched, or fetches it if there is still time for that.
func (f *fetched) image(ctx context.Context, s *Service, address string) (*media.Saved, error) {
	file := f.saved[address]
	switch {
	case file != nil:
		f.used[address] = true
		return file, nil
	case !f.open:
		return nil, fault(FieldImage, "fault_image_unfetched")
	}
	file, err := s.FetchImage(ctx, address)
	if err == nil {
		f.saved[address] = file
	}
	return file, err
}
