package media

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"regexp"
	"time"
)

// leftoverAge is the age from which a temporary file is certainly not being written any more. It is far longer than any
// request takes.
const leftoverAge = time.Hour

var (
	unfinished = regexp.MustCompile(`^\..*\.tmp$`) // temporary files of any release, and of other programs
	year       = regexp.MustCompile(`^[0-9]{4}$`)
	month      = regexp.MustCompile(`^[0-9]{2}$`)
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
	years, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return 0, err
	}
	for _, y := range years {
		if !y.IsDir() || !year.MatchString(y.Name()) {
			continue
		}
		months, err := fs.ReadDir(root.FS(), y.Name())
		failures = append(failures, err)
		for _, m := range months {
			if !m.IsDir() || !month.MatchString(m.Name()) {
				continue
			}
			n, err := sweepDir(root, path.Join(y.Name(), m.Name()), now)
			removed += n
			failures = append(failures, err)
		}
	}
	return removed, errors.Join(failures...)
}

func sweepDir(root *os.Root, dir string, now time.Time) (removed int, err error) {
	files, err := fs.ReadDir(root.FS(), dir)
	failures := []error{err}
	for _, f := range files {
		if !unfinished.MatchString(f.Name()) || !f.Type().IsRegular() {
			continue
		}
		info, err := f.Info()
		if err != nil || now.Sub(info.ModTime()) < leftoverAge {
			continue // removed in the meantime, or still being written
		}
		switch err := root.Remove(path.Join(dir, f.Name())); {
		case err == nil:
			removed++
		case !errors.Is(err, fs.ErrNotExist):
			failures = append(failures, err)
		}
	}
	return removed, errors.Join(failures...)
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
