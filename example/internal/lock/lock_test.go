package lock

import (
	"errors"
	"os"
	"testing"
)

func TestLocks(t *testing.T) {
	dir := t.TempDir()
	take := func(how func(string) (*Lock, error)) *Lock {
		t.Helper()
		l, err := how(dir)
		if err != nil {
			t.Fatal(err)
		}
		return l
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
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
	first, second = take(Shared), take(Shared)
	refused("with shared locks")
	_ = first.Release()
	refused("with a shared lock")
	_ = second.Release()
	if err := take(Exclusive).Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := Exclusive(dir + "/absent"); err == nil {
		t.Error("a directory that does not exist was locked")
	}
}
