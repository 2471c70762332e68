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

// fetching reports whether the images of several writes are being fetched.
func (f *fetched) fetching() bool { return f != nil && f.open }

// images are the files of one write, stored before its transaction begins.
type images struct {
	service *Service
	ctx     context.Context
	saved   []*media.Saved
	many    *fetched // of a write of many items, nil for any other
	kept    bool     // rows may name them
}

// newImages returns the context of a write of many items, or of one, and its images.
func (s *Service) newImages(ctx context.Context, many bool) (context.Context, *images) {
	i := &images{service: s}
	if many {
		i.many = &fetched{open: true, saved: map[string]*media.Saved{}, used: map[string]bool{}}
		ctx = context.WithValue(ctx, fetchedKey{}, i.many)
	}
	i.ctx = ctx
	return ctx, i
}

// store stores the images of fields that are files, and fetches those that are addresses, except the ones that are already known.
// Those of many items are fetched by prepare.
func (i *images) store(fields []*Fields, prepare func(context.Context)) error {
	if i.many != nil {
		prepare(i.ctx)
		i.many.open = false
	}
	for _, f := range fields {
		if f == nil || f.Image == nil || f.Image.URL == "" && f.Image.File == nil {
			continue
		}
		if err := i.service.prepareImage(i.ctx, f.Image); err != nil {
			return err
		}
		if f.Image.saved != nil && fetchedOf(i.ctx) == nil { // else the write of many items has them
			i.saved = append(i.saved, f.Image.saved)
		}
	}
	return nil
}

// again begins another attempt: nothing was written yet.
func (i *images) again() {
	if i.many != nil {
		i.many.used, i.many.dates = map[string]bool{}, 0
	}
}

// bounded returns the error of an attempt: ErrBatchDates, whatever was made of it, if many items store too many dates.
func (i *images) bounded(err error) error {
	if i.many != nil && i.many.dates > MaxBatchDates {
		return ErrBatchDates
	}
	return err
}

// remove removes the files that no row names: all of a write that failed, also by a panic.
func (i *images) remove() {
	files := i.saved
	if i.kept {
		files = nil
	}
	if i.many != nil {
		for address, file := range i.many.saved {
			if !i.kept || !i.many.used[address] {
				files = append(files, file)
			}
		}
	}
	for _, file := range files {
		if err := file.Remove(); err != nil {
			i.service.Logger.WarnContext(i.ctx, "files of a failed write stay", "file", file.File, "error", err)
		}
	}
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
