package media

import (
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/budget"
)

const (
	jpegQuality = 82 // as in WordPress
	maxNumber   = 100_000
)

// Store is a site's uploads directory and its public URL.
type Store struct {
	Dir     string // must exist
	BaseURL string // with or without a trailing slash
}

// Save stores an image in the subdirectory YYYY/MM of now, which is in the site's time zone, with every configured size
// that is smaller than the image. It creates all files or none. The file gets the given name, usually img.Name, with a
// number appended if that is taken.
//
// The file is stored unchanged, unless its EXIF orientation is not upright: then a rotated copy is stored instead.
// Smaller sizes are JPEG files for a JPEG, and PNG files for a PNG or a GIF, of which they show the first frame. Since
// WebP files can be decoded but not encoded, their sizes are JPEG files if the image is opaque, else PNG files; an
// animated WebP has none.
//
// Decoding waits for a slot and for memory, until ctx ends. The error is an *Error if the image is damaged.
func (s *Store) Save(ctx context.Context, now time.Time, name string, img *Image, sizes []Size) (_ *Saved, err error) {
	release, err := slots.acquire(ctx, s.holderIn(ctx))
	if err != nil {
		return nil, err
	}
	defer release()
	var m image.Image
	if !img.animatedWebP() {
		claim := budget.From(ctx).Beside(ctx)
		defer claim.Release()
		if err = claim.Wait(img.decoded + img.workBytes() + img.scaledBytes(sizes)); err != nil {
			return nil, err
		}
		if m, err = img.decode(ctx); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, failed("uploads", err)
	}
	defer root.Close()
	b := &batch{root: root, dir: now.Format("2006/01")}
	done := false
	defer func() { // also if there is a panic
		if !done {
			err = errors.Join(err, b.remove())
		}
	}()
	saved, err := s.save(ctx, b, stemOf(name), img, m, sizes)
	if err != nil {
		return nil, failed("saving an image", err)
	}
	done = true
	return saved, nil
}

func (s *Store) save(ctx context.Context, b *batch, stem string, img *Image, m image.Image, sizes []Size) (*Saved, error) {
	ext := formats[img.Mime].ext
	versions := plan(img, m, sizes)
	stem, err := claimNames(ctx, b, stem, ext, versions)
	if err != nil {
		return nil, err
	}
	saved := &Saved{
		File: b.dir + "/" + stem + "." + ext, Mime: img.Mime, Width: img.Width, Height: img.Height, store: s,
	}
	saved.URL = strings.TrimRight(s.BaseURL, "/") + "/" + saved.File
	saved.Size, err = b.writeFile(stem+"."+ext, func(w io.Writer) error {
		if img.orientation != 1 {
			return encode(writeUntil{ctx, w}, m, img.Mime)
		}
		_, err := w.Write(img.data)
		return err
	})
	if err != nil {
		return nil, err
	}
	if saved.Sizes, err = writeVersions(ctx, b, m, stem, versions); err != nil {
		return nil, err
	}
	b.sync(b.dir)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	saved.files, saved.dirs = b.files, b.dirs
	return saved, nil
}

// claimNames finds the first stem for which all names are free and creates the files.
func claimNames(ctx context.Context, b *batch, stem, ext string, versions []version) (string, error) {
	if err := b.makeDir(); err != nil {
		return "", err
	}
	files, err := b.list()
	if err != nil {
		return "", err
	}
	used := stemsInUse(files)
	for n := range maxNumber {
		free := numbered(stem, n)
		if used[free] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		names := []string{free + "." + ext}
		for _, v := range versions {
			// Two sizes may have the same dimensions; they share a file.
			if !slices.Contains(names, free+v.File) {
				names = append(names, free+v.File)
			}
		}
		if ok, err := b.claim(names); ok || err != nil {
			return free, err
		}
	}
	return "", errors.New("no free name")
}

func encode(w io.Writer, m image.Image, mime string) error {
	if mime == "image/jpeg" {
		return jpeg.Encode(w, m, &jpeg.Options{Quality: jpegQuality})
	}
	return png.Encode(w, m)
}
