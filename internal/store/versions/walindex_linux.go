package versions

import (
	"os"
	"syscall"
)

// removed reports whether a file has been deleted.
func removed(file *os.File) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink == 0
}
