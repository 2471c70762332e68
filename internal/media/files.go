package media

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// batch is the files and directories that one Save makes, so that all of them can be
// removed again. Nothing outside its root is touched, even if there are links in it.
type batch struct {
	root  *os.Root
	dir   string   // of the files, from the root, with slashes
	dirs  []string // made here, outer ones first
	files []string // made here, from the root
}

// makeDir makes the directory and its parents, with the mode of the root: the site's
// own software often runs as another user.
func (b *batch) makeDir() error {
	mode, err := b.mode()
	if err != nil {
		return err
	}
	parents := []string{b.dir}
	for p := path.Dir(b.dir); p != "."; p = path.Dir(p) {
		parents = append(parents, p)
	}
	for _, p := range slices.Backward(parents) {
		err := b.root.Mkdir(p, mode.Perm())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		b.dirs = append(b.dirs, p)
		if err := b.root.Chmod(p, mode); err != nil {
			return err
		}
		b.sync(path.Dir(p))
	}
	return nil
}

// mode returns the mode of new directories; files have its read and write bits. The
// process's umask does not count.
func (b *batch) mode() (fs.FileMode, error) {
	info, err := b.root.Stat(".")
	if err != nil {
		return 0, err
	}
	return info.Mode() & (fs.ModePerm | fs.ModeSetgid), nil
}

// list returns the names of the directory's files.
func (b *batch) list() ([]string, error) {
	d, err := b.root.Open(b.dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// claim creates all names as empty files, or none if one of them exists.
func (b *batch) claim(names []string) (bool, error) {
	before := len(b.files)
	for _, name := range names {
		err := b.create(name)
		if errors.Is(err, fs.ErrExist) {
			err := b.removeFiles(before)
			return false, err
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

func (b *batch) create(name string) error {
	f, err := b.open(path.Join(b.dir, name))
	if err != nil {
		return err
	}
	return f.Close()
}

// open creates a file. If the directory is gone, because a Save that made it was
// undone, it is made again.
func (b *batch) open(name string) (*os.File, error) {
	for tries := 0; ; tries++ {
		f, err := b.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			b.files = append(b.files, name)
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || tries == 8 {
			return nil, err
		}
		if err := b.makeDir(); err != nil {
			return nil, err
		}
	}
}

// write fills a claimed file and returns the number of bytes. Readers see the empty
// file or the whole one, also after a power failure.
func (b *batch) write(name string, content func(io.Writer) error) (int64, error) {
	mode, err := b.mode()
	if err != nil {
		return 0, err
	}
	temp := path.Join(b.dir, "."+rand.Text()+".tmp")
	f, err := b.open(temp)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 64<<10)
	if err := content(buffered); err != nil {
		return 0, err
	}
	if err := buffered.Flush(); err != nil {
		return 0, err
	}
	if err := f.Chmod(mode & 0o666); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, err
	}
	if err := b.root.Rename(temp, path.Join(b.dir, name)); err != nil {
		return 0, err
	}
	b.files = slices.DeleteFunc(b.files, func(f string) bool { return f == temp })
	return info.Size(), nil
}

// sync makes new names in a directory durable. Not every system can do that for
// directories; the files themselves are safe without it.
func (b *batch) sync(dir string) {
	if d, err := b.root.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// remove removes everything again. A directory that others have used since stays.
func (b *batch) remove() error {
	err := b.removeFiles(0)
	for _, d := range slices.Backward(b.dirs) {
		_ = b.root.Remove(d) // refused unless empty
	}
	return err
}

// removeFiles removes all files but the first few.
func (b *batch) removeFiles(keep int) error {
	var failures []error
	var left []string
	for _, f := range slices.Backward(b.files[keep:]) {
		if err := b.root.Remove(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failures, left = append(failures, err), append(left, f)
		}
	}
	b.files = append(b.files[:keep:keep], left...)
	return errors.Join(failures...)
}
