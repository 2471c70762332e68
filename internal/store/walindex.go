package store

import (
	"bytes"
	"os"
	"runtime"
	"sync"
)

// walIndex is the index that SQLite keeps of the log of a database, in the file whose name ends in -shm. Its header is another one
// after each commit, whichever process made it, and readers learn of a commit by it alone. Reading it takes a fraction of the time of
// a PRAGMA. See https://sqlite.org/walformat.html.
type walIndex struct {
	file *os.File
	info os.FileInfo
}

// The header comes twice. A writer writes the second one first, so a reader that finds both alike has read a whole one.
const (
	walHeader      = 48
	walInitialized = 12 // where the header says that it is complete
)

// walIndexes are those that are open in this process. Closing a file would end all locks that SQLite holds on it in this process,
// whichever connection took them, and so damage data. They stay open until SQLite has removed the file.
var walIndexes struct {
	sync.Mutex
	open []*walIndex
}

// openWALIndex returns the index of the log of a database file that a connection has open, nil where it cannot be read or need not show
// what is written to it.
func openWALIndex(database string) *walIndex {
	if runtime.GOOS != "linux" { // elsewhere a read of a file that others have mapped may be old
		return nil
	}
	name := database + "-shm"
	info, err := os.Stat(name)
	if err != nil {
		return nil
	}
	walIndexes.Lock()
	defer walIndexes.Unlock()
	kept := walIndexes.open[:0]
	var found *walIndex
	for _, x := range walIndexes.open {
		switch {
		case os.SameFile(x.info, info):
			found = x
			fallthrough
		case !removed(x.file):
			kept = append(kept, x)
		default:
			_ = x.file.Close() //nolint:errcheck // nothing was written to it
		}
	}
	clear(walIndexes.open[len(kept):])
	walIndexes.open = kept
	if found != nil {
		return found
	}
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	if info, err = file.Stat(); err != nil {
		info = nil // SameFile finds it never again, and it stays open
	}
	found = &walIndex{file, info}
	walIndexes.open = append(walIndexes.open, found)
	return found
}

// version returns what differs after each commit. It reports false for a header that is being written, or is none yet.
func (x *walIndex) version() (v string, known bool) {
	if x == nil {
		return "", false
	}
	var both [2 * walHeader]byte
	if _, err := x.file.ReadAt(both[:], 0); err != nil {
		return "", false
	}
	first, second := both[:walHeader], both[walHeader:]
	return string(first), first[walInitialized] != 0 && bytes.Equal(first, second)
}
