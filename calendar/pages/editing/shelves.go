package editing

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// memory keeps pictures in this process.
type memory struct {
	pictures []keptPicture
	files    []calendar.File // of the pictures, in their order
}

func (m *memory) list() ([]keptPicture, error) { return slices.Clone(m.pictures), nil }

func (m *memory) storePicture(p keptPicture, file calendar.File) error {
	m.pictures, m.files = append(m.pictures, p), append(m.files, file)
	return nil
}

func (m *memory) get(p keptPicture) (calendar.File, bool, error) {
	if i := slices.Index(m.pictures, p); i >= 0 {
		return m.files[i], true, nil
	}
	return calendar.File{}, false, nil
}

func (m *memory) remove(p keptPicture) error {
	if i := slices.Index(m.pictures, p); i >= 0 {
		m.pictures, m.files = slices.Delete(m.pictures, i, i+1), slices.Delete(m.files, i, i+1)
	}
	return nil
}

// directory keeps pictures in files that only their owner can read. The file "7-KEY" contains a picture of user 7; its
// first line is the name that the sender gave the picture. Several processes may use the directory.
type directory struct{ path string }

// errNoDirectory means that there is no directory to keep pictures in.
var errNoDirectory = errors.New("editing: no directory for pictures")

// keptBeside returns the directory for the kept pictures of a calendar, given the one in which it stores images. It is next to that one and
// not below it, because everything below it is public. It returns "" if the calendar stores no images.
func keptBeside(uploads string) string {
	if uploads == "" {
		return ""
	}
	at, err := filepath.Abs(uploads)
	if err != nil || filepath.Dir(at) == at {
		return ""
	}
	return filepath.Join(filepath.Dir(at), "."+filepath.Base(at)+"-unsent")
}

// ready creates the directory. It returns an error if a directory exists that others can read.
func (d *directory) ready() error {
	if err := os.Mkdir(d.path, 0o700); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %w", errNoDirectory, err)
	}
	switch at, err := os.Lstat(d.path); {
	case err != nil:
		return fmt.Errorf("%w: %w", errNoDirectory, err)
	case !at.IsDir() || at.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%w: %s is %s", errNoDirectory, d.path, at.Mode())
	}
	return nil
}

// unfinished ends the names of files that are being written.
const unfinished = ".part"

func (d *directory) list() (list []keptPicture, err error) {
	entries, err := os.ReadDir(d.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		user, key, ok := strings.Cut(entry.Name(), "-")
		number, err := strconv.ParseInt(user, 10, 64)
		if !ok || err != nil || !keyForm.MatchString(strings.TrimSuffix(key, unfinished)) {
			continue // a file of another program
		}
		about, err := entry.Info()
		if err != nil {
			continue // another process has removed it
		}
		list = append(list, keptPicture{number, key, about.ModTime(), about.Size()})
	}
	return list, nil
}

func (d *directory) file(p keptPicture) string {
	return filepath.Join(d.path, strconv.FormatInt(p.user, 10)+"-"+p.key)
}

func (d *directory) storePicture(p keptPicture, file calendar.File) error {
	if err := d.ready(); err != nil {
		return err
	}
	to := d.file(p)
	name := strings.NewReplacer("\n", " ", "\r", " ").Replace(file.Name)
	err := os.WriteFile(to+unfinished, slices.Concat([]byte(name+"\n"), file.Data), 0o600)
	if err == nil {
		err = os.Chtimes(to+unfinished, p.at, p.at)
	}
	if err == nil {
		err = os.Rename(to+unfinished, to)
	}
	if err != nil {
		return errors.Join(err, d.remove(keptPicture{user: p.user, key: p.key + unfinished}))
	}
	return nil
}

func (d *directory) get(p keptPicture) (file calendar.File, ok bool, err error) {
	data, err := os.ReadFile(d.file(p))
	if errors.Is(err, fs.ErrNotExist) {
		return file, false, nil
	}
	name, data, ok := bytes.Cut(data, []byte("\n"))
	return calendar.File{Name: string(name), Data: data}, ok && err == nil, err
}

func (d *directory) remove(p keptPicture) error {
	if err := os.Remove(d.file(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
