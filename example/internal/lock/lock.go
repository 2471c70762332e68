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

// fileName is the name of the lock file in a directory. The file stays after the lock is released, but not after Undo.
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
type Lock struct {
	file *os.File
	made bool // whether it created the file
}

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
	if !l.isCurrent() {
		_ = l.Release()
		return Exclusive(dir)
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
	if !l.isCurrent() {
		_ = l.Release()
		return Shared(dir)
	}
	return l, nil
}

// Release releases the lock.
func (l *Lock) Release() error { return l.file.Close() }

// Undo releases the lock, and removes the file if this lock created it.
func (l *Lock) Undo() error {
	if !l.made {
		return l.Release()
	}
	err := os.Remove(l.file.Name()) // while nobody else can lock it
	closed := l.Release()
	if err != nil { // Windows does not remove files that are open
		err = os.Remove(l.file.Name())
	}
	return errors.Join(err, closed)
}

func openLock(dir string) (*Lock, error) {
	name := filepath.Join(dir, fileName)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return &Lock{file: f, made: true}, nil
	}
	if f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	return &Lock{file: f}, nil
}

// isCurrent reports whether the file is still in its directory. If another process removed it after it was opened, the
// lock excludes nobody.
func (l *Lock) isCurrent() bool {
	opened, err := l.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.file.Name())
	return err == nil && os.SameFile(opened, there)
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
