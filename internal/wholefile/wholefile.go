// Package wholefile writes files that are there as a whole or not at all.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// private is the mode of a new file, whatever the umask: what is written may have passwords or drafts in it.
const private = 0o600

// Write writes a file beside the one with the name and puts it in its place once write has returned nil and all of it
// is stored. After an error the file is as it was before. A new file is for the user alone to read; one that exists
// keeps its mode, and a link to it stays.
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
			_ = f.Close() // it may be closed already
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
