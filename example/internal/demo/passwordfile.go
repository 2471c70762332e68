package demo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// PasswordFile is the name of the file with the demo users' passwords, next to the database.
const PasswordFile = "demo-passwords"

const passwordFileHead = "# Application passwords of the demo users, which agenda printed once, when it made them: " +
	"table prefix, user, password.\n"

// passwordFile is the path of such a file, "" for none.
type passwordFile string

// keptPassword is a line of the file. A database can have several sites, with different prefixes.
type keptPassword struct{ prefix, login, plain string }

// read returns nil for a file that does not exist.
func (f passwordFile) read() ([]byte, error) {
	if f == "" {
		return nil, nil
	}
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// write replaces the file as a whole, readable for its owner alone. Nil removes it.
func (f passwordFile) write(data []byte) (err error) {
	if f == "" {
		return nil
	}
	if data == nil {
		if err := os.Remove(string(f)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	temporary, err := os.CreateTemp(filepath.Dir(string(f)), "."+filepath.Base(string(f))+"-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary.Name()))
		}
	}()
	_, err = temporary.Write(data)
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), string(f))
}

// parseKept reads the lines of a file; malformed ones are skipped.
func parseKept(data []byte) (kept []keptPassword) {
	for line := range bytes.Lines(data) {
		fields := strings.Fields(string(line))
		if len(fields) == 3 && !strings.HasPrefix(fields[0], "#") {
			kept = append(kept, keptPassword{fields[0], fields[1], fields[2]})
		}
	}
	return kept
}

func lines(kept []keptPassword) []byte {
	var b bytes.Buffer
	b.WriteString(passwordFileHead)
	for _, k := range kept {
		fmt.Fprintln(&b, k.prefix, k.login, k.plain)
	}
	return b.Bytes()
}
