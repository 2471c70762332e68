package content

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/media"
)

// errPreparing stops a write while the images of several writes are being fetched.
var errPreparing = errors.New("content: nothing can be written while images are fetched")

// MaxBatchDates is how many dates the writes of one transaction may store, because all other writers wait until it
// ends.
const MaxBatchDates = 2000

// ErrBatchDates is returned if the writes of one transaction store more than MaxBatchDates dates.
var ErrBatchDates = errors.New("content: the writes of one transaction store too many dates")

// errAlone rejects a write that needs an image within Together.
var errAlone = errors.New("content: the image has to be stored before the transaction")

type togetherKey struct{}

// Together returns a context of a Write for independent writes, which are repeated one by one if any of them fails: it is
// also the error of the Write. A write that would have to fetch or store an image fails, because a transaction must not
// wait for other servers.
func Together(ctx context.Context, s *Service) context.Context {
	return context.WithValue(s.Store.Transactions.AsOne(ctx), togetherKey{}, true)
}

func together(ctx context.Context) bool { return ctx.Value(togetherKey{}) != nil }

// storesImage reports whether the fields contain an image that is stored before the transaction.
func (f *Fields) storesImage() bool {
	return f != nil && f.Image != nil && (f.Image.URL != "" || f.Image.File != nil)
}

// fetched are the images of a write of many items, which are fetched before its transaction begins, and the number of
// dates that it stored.
type fetched struct {
	open  bool                    // whether they are being fetched
	saved map[string]*media.Saved // by address
	used  map[string]bool         // addresses of the images that rows refer to
	dates int                     // number of dates stored
}

type fetchedKey struct{}

func fetchedOf(ctx context.Context) *fetched {
	f, _ := ctx.Value(fetchedKey{}).(*fetched)
	return f
}

// fetching reports whether the images of several writes are being fetched.
func (f *fetched) fetching() bool { return f != nil && f.open }

// images are the files of one write. They are stored before its transaction begins.
type images struct {
	service *Service
	ctx     context.Context
	saved   []*media.Saved
	many    *fetched // set for a write of many items, otherwise nil
	kept    bool     // whether rows may refer to them
}

// newImages returns the images of a write of one item or of many, and the context that the write has to use.
func (s *Service) newImages(ctx context.Context, many bool) (context.Context, *images) {
	i := &images{service: s}
	if many {
		i.many = &fetched{open: true, saved: map[string]*media.Saved{}, used: map[string]bool{}}
		ctx = context.WithValue(ctx, fetchedKey{}, i.many)
	}
	i.ctx = ctx
	return ctx, i
}

// store stores the images of fields that contain files, and fetches those that are given by address, except ones that
// are already known. The images of many items are fetched by prepare.
func (i *images) store(fields []*Fields, prepare func(context.Context)) error {
	if i.many != nil {
		prepare(i.ctx)
		i.many.open = false
	}
	for _, f := range fields {
		if !f.storesImage() {
			continue
		}
		if err := i.service.ImageFiles.prepareImage(i.ctx, f.Image); err != nil {
			return err
		}
		if f.Image.saved != nil && fetchedOf(i.ctx) == nil { // otherwise the write of many items keeps them
			i.saved = append(i.saved, f.Image.saved)
		}
	}
	return nil
}

// again begins another attempt of the transaction: nothing is written yet.
func (i *images) again() {
	if i.many != nil {
		i.many.used, i.many.dates = map[string]bool{}, 0
	}
}

// bounded returns ErrBatchDates if many items stored too many dates, whatever became of that error, and otherwise err,
// the result of an attempt.
func (i *images) bounded(err error) error {
	if i.many != nil && i.many.dates > MaxBatchDates {
		return ErrBatchDates
	}
	return err
}

// remove removes the files that no row refers to: all files of a write that failed or panicked.
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
			i.service.Logger.WarnContext(i.ctx, "files of a failed write could not be removed", "file", file.File, "error", err)
		}
	}
}

// countDates counts the dates that one of many writes is about to store. Writes of one item have no limit.
func (f *fetched) countDates(n int) error {
	if f == nil {
		return nil
	}
	if f.dates += n; f.dates > MaxBatchDates {
		return ErrBatchDates
	}
	return nil
}

// image returns an image that has been fetched, or fetches it if images may still be fetched.
func (f *fetched) image(ctx context.Context, files *ImageFiles, address string) (*media.Saved, error) {
	file := f.saved[address]
	switch {
	case file != nil:
		f.used[address] = true
		return file, nil
	case !f.open:
		return nil, fault(FieldImage, "fault_image_unfetched")
	}
	file, err := files.FetchImage(ctx, address)
	if err == nil {
		f.saved[address] = file
	}
	return file, err
}
