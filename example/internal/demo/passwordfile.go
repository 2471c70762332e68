package demo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/agendahq/agenda/internal/wholefile"
)

// PasswordFile is the name of the file with the demo users' passwords, next to the database.
const PasswordFile = "demo-passwords"

const passwordFileHead = "# Application passwords of the demo users, which agenda printed once, when it made them: " +
	"table prefix, user, password.\n"

// passwordFile is the path of such a file, or "" if there is none.
type passwordFile string

// keptPassword is a line of the file. A database can contain several sites, with different prefixes.
type keptPassword struct{ prefix, login, plain string }

// readContent returns the content of the file, or nil if it does not exist.
func (f passwordFile) readContent() ([]byte, error) {
	if f == "" {
		return nil, nil
	}
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// replaceContent replaces the file atomically; only its owner can read it. If data is nil, the file is removed.
func (f passwordFile) replaceContent(data []byte) error {
	switch {
	case f == "":
		return nil
	case data != nil:
		return wholefile.Write(string(f), func(w io.Writer) error { _, err := w.Write(data); return err })
	}
	if err := os.Remove(string(f)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// parseKept parses the lines of a file and skips malformed ones.
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
