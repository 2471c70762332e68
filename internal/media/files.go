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

// maxTries limits how often directories that disappear are created again.
const maxTries = 8

// batch records the files and directories that one Save creates, so that it can remove them again. It uses an os.Root,
// so symbolic links cannot lead outside the uploads directory.
type batch struct {
	root  *os.Root
	dir   string   // directory of the files, relative to root, with slashes
	dirs  []string // directories created here, parents first
	files []string // files created here, relative to root
}

// makeDir creates the directory and its parents. It begins again where a concurrent Save was undone meanwhile and removed
// one of them.
func (b *batch) makeDir() error {
	for tries := 0; ; tries++ {
		err := b.makeDirs()
		if !errors.Is(err, fs.ErrNotExist) || tries == maxTries {
			return err
		}
	}
}

// makeDirs creates what is missing of the directory and its parents with the permissions of the root, since WordPress
// often runs as another user and has to write there.
func (b *batch) makeDirs() error {
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

// mode returns the permissions of new directories, which are those of the root. Files get the read and write bits of
// them. The umask is ignored.
func (b *batch) mode() (fs.FileMode, error) {
	info, err := b.root.Stat(".")
	if err != nil {
		return 0, err
	}
	return info.Mode() & (fs.ModePerm | fs.ModeSetgid), nil
}

// list returns the names of the files in the directory: none if a concurrent Save was undone and removed it.
func (b *batch) list() ([]string, error) {
	d, err := b.root.Open(b.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// claim creates all names as empty files, or none of them if one exists already.
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

// open creates a file. It creates the directory again if a concurrent Save, which had made it, was undone and removed
// it.
func (b *batch) open(name string) (*os.File, error) {
	for tries := 0; ; tries++ {
		f, err := b.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			b.files = append(b.files, name)
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || tries == maxTries {
			return nil, err
		}
		if err := b.makeDir(); err != nil {
			return nil, err
		}
	}
}

// writeFile writes the content of a claimed file and returns its size in bytes. Readers see the empty file or the
// complete one, even after a power failure.
func (b *batch) writeFile(name string, content func(io.Writer) error) (int64, error) {
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

// sync makes new directory entries durable, where the operating system supports that. Errors are ignored: the contents
// of the files are already synced.
func (b *batch) sync(dir string) {
	if d, err := b.root.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// remove removes everything that was created. A directory that contains other files stays.
func (b *batch) remove() error {
	err := b.removeFiles(0)
	for _, d := range slices.Backward(b.dirs) {
		_ = b.root.Remove(d) // fails, as intended, unless the directory is empty
	}
	return err
}

// removeFiles removes all files but the first keep.
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
