package versions

import (
	"os"
	"runtime"
	"sync"
)

// walIndex is the index that SQLite keeps for the log of a database, in the file whose name ends in -shm. Its header
// changes with each commit, in whichever process, and is the only way in which readers learn of a commit. Reading it
// takes a fraction of the time of a PRAGMA. See https://sqlite.org/walformat.html.
type walIndex struct {
	file *os.File
	info os.FileInfo
}

// The header is stored twice. A writer writes the second copy first, so if both are equal a reader has read a complete
// one.
const (
	walHeader      = 48
	walInitialized = 12 // offset of the byte that says that the header is complete
)

// walIndexes are the indexes that are open in this process. Closing a file would release all locks that SQLite holds on
// it in this process, on any connection, and so could damage data. So they stay open until SQLite has removed the file.
var walIndexes struct {
	sync.Mutex
	open []*walIndex
}

// openWALIndex returns the index of the log of a database file that is open on a connection, nil if it cannot be read
// or may not show every write.
func openWALIndex(database string) *walIndex {
	if runtime.GOOS != "linux" { // on other systems reading a file that others have mapped may return old data
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
		info = nil // SameFile will not match it, and it stays open
	}
	found = &walIndex{file, info}
	walIndexes.open = append(walIndexes.open, found)
	return found
}

// version returns a value that differs after each commit. known is false while the header is being written or does not
// exist yet.
func (x *walIndex) version() (v string, known bool) {
	header, known := x.readHeader()
	if !known {
		return "", false
	}
	return string(header[:]), true
}

// is reports whether the version is v.
func (x *walIndex) is(v string) bool {
	header, known := x.readHeader()
	return known && string(header[:]) == v
}

// readHeader returns the header, and whether it was complete.
func (x *walIndex) readHeader() (header [walHeader]byte, complete bool) {
	if x == nil {
		return header, false
	}
	var both [2 * walHeader]byte
	if _, err := x.file.ReadAt(both[:], 0); err != nil {
		return header, false
	}
	header = [walHeader]byte(both[:walHeader])
	return header, header[walInitialized] != 0 && header == [walHeader]byte(both[walHeader:])
}
