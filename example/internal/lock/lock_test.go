package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

func TestLocks(t *testing.T) {
	dir := t.TempDir()
	take := func(how func(string) (*Lock, error)) *Lock {
		t.Helper()
		return must.Get(how(dir))(t)
	}
	refused := func(about string) {
		t.Helper()
		var held HeldError
		if _, err := Exclusive(dir); !errors.As(err, &held) || held.PID != os.Getpid() {
			t.Errorf("%s: %v", about, err)
		}
	}
	first := take(Exclusive)
	refused("with an exclusive lock")
	second := take(Shared)
	must.Succeed(t, first.Release())
	must.Succeed(t, second.Release())
	first, second = take(Shared), take(Shared)
	refused("with shared locks")
	_ = first.Release()
	refused("with a shared lock")
	_ = second.Release()
	must.Succeed(t, take(Exclusive).Release())
	if _, err := Exclusive(dir + "/absent"); err == nil {
		t.Error("a directory that does not exist was locked")
	}
}

// TestUndo checks that a lock that is undone leaves no file, unless the file was there before.
func TestUndo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, fileName)
	for _, how := range []func(string) (*Lock, error){Exclusive, Shared, Exclusive} {
		l := must.Get(how(dir))(t)
		must.Succeed(t, l.Undo())
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the file is left: %v", err)
		}
	}
	for range 2 {
		l, err := Exclusive(dir)
		must.Succeed(t, err)
		_ = l.Release()
		if l, err = Exclusive(dir); err != nil {
			t.Fatal(err)
		}
		must.Succeed(t, l.Undo())
		if _, err := os.Stat(file); err != nil {
			t.Errorf("the file of an earlier lock is gone: %v", err)
		}
	}
}

// TestLocksOfRemovedFiles checks that a lock notices that its file was removed while it waited to be locked: another
// process may already have a lock on a new one.
func TestLocksOfRemovedFiles(t *testing.T) {
	dir := t.TempDir()
	first := must.Get(Exclusive(dir))(t)
	waiting := must.Get(openLock(dir))(t)
	if !waiting.isCurrent() {
		t.Error("the file is not that of the lock")
	}
	must.Succeed(t, first.Undo())
	if waiting.isCurrent() {
		t.Error("the file was removed")
	}
	again := must.Get(Exclusive(dir))(t)
	if waiting.isCurrent() || !again.isCurrent() {
		t.Error("the file of the new lock is taken for the removed one")
	}
	_, _ = waiting.Release(), again.Release()
}
