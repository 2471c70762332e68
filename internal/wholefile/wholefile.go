// Package wholefile writes files atomically: readers see the whole new file or the old one.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// private is the mode of a new file, whatever the umask is, since it may contain passwords or drafts.
const private = 0o600

// Write calls write with a temporary file in the same directory and renames it to name once write has returned nil and
// the contents are synced to disk. If there is an error, the existing file is unchanged. A new file is readable by its
// owner only; an existing one keeps its mode, and a symbolic link is followed.
func Write(name string, write func(io.Writer) error) (err error) {
	mode := os.FileMode(private)
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a file that can be replaced", name)
		}
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it may already be closed
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
