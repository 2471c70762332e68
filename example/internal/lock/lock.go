// Package lock prevents two servers from using one data directory. The kernel holds the lock, so it ends with its
// process, however that ends.
package lock

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// fileName is the name of the lock file in a directory. The file stays after the lock is released.
const fileName = "agenda.lock"

// errTaken is returned if another process has a lock that excludes the requested one.
var errTaken = errors.New("locked by another process")

// HeldError is returned if a directory is locked by another process.
type HeldError struct{ PID int } // 0 if it is unknown

func (e HeldError) Error() string {
	if e.PID == 0 {
		return "another server uses this directory"
	}
	return fmt.Sprintf("another server (process %d) uses this directory", e.PID)
}

// Lock is a lock on a directory.
type Lock struct{ file *os.File }

// Exclusive locks a directory, which must exist, against all others. The error is a HeldError if another process holds
// a lock on it.
func Exclusive(dir string) (*Lock, error) {
	l, err := openLock(dir)
	if err != nil {
		return nil, err
	}
	if err := lock(l.file, true); err != nil {
		held := HeldError{PID: l.pid()}
		_ = l.file.Close()
		if errors.Is(err, errTaken) {
			return nil, held
		}
		return nil, fmt.Errorf("%s cannot be locked: %w", l.file.Name(), err)
	}
	// Other processes show this in their error. The lock is valid without it, for instance on a full disk.
	if l.file.Truncate(0) == nil {
		_, _ = l.file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return l, nil
}

// Shared locks a directory against Exclusive, but not against Shared. If another process has an exclusive lock, Shared
// returns without locking and without an error: that lock protects the directory.
func Shared(dir string) (*Lock, error) {
	l, err := openLock(dir)
	if err != nil {
		return nil, err
	}
	if err := lock(l.file, false); err != nil && !errors.Is(err, errTaken) {
		_ = l.file.Close()
		return nil, fmt.Errorf("%s cannot be locked: %w", l.file.Name(), err)
	}
	return l, nil
}

// Release releases the lock.
func (l *Lock) Release() error { return l.file.Close() }

func openLock(dir string) (*Lock, error) {
	f, err := os.OpenFile(filepath.Join(dir, fileName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return &Lock{f}, nil
}

// pid returns the id of the process that locked the file last, or 0 if the file does not contain it.
func (l *Lock) pid() int {
	text, err := io.ReadAll(io.LimitReader(l.file, 32))
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(string(bytes.TrimSpace(text)))
	return n
}
