package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// farByte is the offset of the byte that is locked. It is beyond the text, so that other processes can read that.
const farByte = 1 << 30

// lock locks a file without waiting.
func lock(f *os.File, exclusive bool) error {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{Offset: farByte})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errTaken
	}
	return err
}
