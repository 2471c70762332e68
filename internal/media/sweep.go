package media

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"regexp"
	"time"
)

// leftoverAge is the age from which a temporary file is certainly not being written any more. It is far longer than any
// request takes.
const leftoverAge = time.Hour

var (
	unfinished = regexp.MustCompile(`^[0-9]{4}/[0-9]{2}/\..*\.tmp$`) // temporary files of any release, and of other programs
	dirsOfSave = regexp.MustCompile(`^(\.|[0-9]{4}(/[0-9]{2})?)$`)   // the uploads, a year and a month
)

// Sweep removes temporary files (hidden, with a name that ends in .tmp) that Save left behind because the process was
// killed. It removes only those older than leftoverAge, in directories that Save uses, and returns their number.
func (s *Store) Sweep(now time.Time) (removed int, err error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	var failures []error
	err = fs.WalkDir(root.FS(), ".", func(name string, f fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil: // the other directories are read nevertheless
			failures = append(failures, err)
		case f.IsDir() && !dirsOfSave.MatchString(name):
			return fs.SkipDir
		case unfinished.MatchString(name) && f.Type().IsRegular() && isLeftover(f, now):
			if err := root.Remove(name); err == nil {
				removed++
			} else if !errors.Is(err, fs.ErrNotExist) {
				failures = append(failures, err)
			}
		}
		return nil
	})
	return removed, errors.Join(append(failures, err)...)
}

// isLeftover reports whether a temporary file is older than leftoverAge. Others are still being written, or were removed
// in the meantime.
func isLeftover(f fs.DirEntry, now time.Time) bool {
	info, err := f.Info()
	return err == nil && now.Sub(info.ModTime()) >= leftoverAge
}

// SweepAtStart removes unfinished images of processes that were killed, and logs it. s is nil if there is no directory.
func SweepAtStart(s *Store, logger *slog.Logger) {
	if s == nil {
		return
	}
	n, err := s.Sweep(time.Now()) // file times follow the machine's clock, not Options.Now
	if err != nil {
		logger.Warn("unfinished images could not be removed", "error", err)
	}
	if n > 0 {
		logger.Info("unfinished images of an earlier process were removed", "count", n)
	}
}
