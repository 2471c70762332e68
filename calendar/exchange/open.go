package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// FormatREST is the REST API of another calendar, which is The Events Calendar or this program.
const FormatREST Format = "rest"

// OpenOptions determine how a source is read.
type OpenOptions struct {
	// Calendar is the calendar that the source is imported to. CSV files and APIs are read with its fields and
	// resources, or if it is nil, with those that all calendars have.
	Calendar *calendar.Calendar

	Format  Format         // "" detects it by name and content, JSON lines only in files
	Mapping string         // file that maps the columns of CSV: see ReadColumns
	Dates   DateOrder      // of CSV
	Zone    *time.Location // of times without one in iCalendar and CSV; nil for the site's, or in CSV that of the stored event
	Now     time.Time
	Expand  time.Time // up to when recurring events are made into single ones
	Stdin   io.Reader // what the name "-" reads; nil if it cannot be used

	// The fields below apply to addresses.

	// Client fetches them. The default connects to public addresses only, except for the source's own host as
	// PrivateSources allows.
	Client *http.Client

	// PlainHTTP allows webcal addresses to fall back to unencrypted http, https addresses to redirect to it, and http
	// addresses to have a login. The login of a webcal address is only ever sent over https.
	PlainHTTP bool

	// PrivateSources allows the host name of a source to resolve to addresses that are not public, such as those of the
	// local network. IP addresses and localhost do not need it.
	PrivateSources bool

	// MaxItems is the maximum number of items that are read from an address, by default 100,000.
	MaxItems int64

	site *time.Location // the time zone of the Calendar's site
}

// DefaultMaxItems is the default of OpenOptions.MaxItems.
const DefaultMaxItems = 100_000

func (o OpenOptions) maxItems() int64 { return cmp.Or(max(0, o.MaxItems), DefaultMaxItems) }

// Opened is a source that was opened by its name. The caller must call Close.
type Opened struct {
	Source
	Name  string // identifies the source in later imports: an absolute path, or an address; see Shown
	Total int64  // approximate number of items, 0 if unknown
	close []func() error
}

// Close closes files and removes temporary ones.
func (s *Opened) Close() error {
	var failed error
	for _, f := range slices.Backward(s.close) {
		failed = errors.Join(failed, f())
	}
	s.close = nil
	return failed
}

// ErrJSONLines is the error of JSON lines that are not in a file and whose format was not given explicitly. They can
// set more than other formats, so an address must not decide that it delivers them.
var ErrJSONLines = fmt.Errorf("%w: it looks like JSON lines, which are read only from files, or if the format is named", ErrSource)

// ErrSource is the error of a source that does not exist or has no known format.
var ErrSource = errors.New("it cannot be imported")

// Open opens a file, a directory with iCalendar files, an address, or standard input ("-"). An address is that of a
// file, or that of another calendar: of its site, of its REST API or of its list of events.
func Open(ctx context.Context, name string, o OpenOptions) (*Opened, error) {
	opened := &Opened{Name: name}
	var err error
	if o.Calendar != nil {
		o.site, err = Zone(ctx, o.Calendar)
	}
	if err == nil {
		err = opened.open(ctx, name, o)
	}
	if err != nil {
		_ = opened.Close()
		return nil, fmt.Errorf("%s: %w", Shown(name), err)
	}
	return opened, nil
}

func (s *Opened) open(ctx context.Context, name string, o OpenOptions) error {
	if name == "-" {
		if o.Stdin == nil {
			return ErrSource
		}
		s.Name = "stdin"
		f, err := s.spool(o.Stdin)
		if err != nil {
			return err
		}
		if begin, err := beginOf(f); err != nil || o.Format == "" && guessFormat("", begin) == FormatJSON {
			return cmp.Or(err, ErrJSONLines)
		}
		return s.file(f, "stdin", o)
	}
	if u := addressOf(name); u != nil {
		return s.address(ctx, u, o)
	}
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("%w: there is no such file", ErrSource)
	}
	if whole, err := filepath.Abs(name); err == nil {
		s.Name = whole
	}
	if info.IsDir() {
		return s.folder(name, o)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	s.close = append(s.close, f.Close)
	return s.file(f, name, o)
}

// spool copies a stream to a temporary file.
func (s *Opened) spool(r io.Reader) (*os.File, error) {
	f, err := os.CreateTemp("", "agenda-import-*")
	if err != nil {
		return nil, err
	}
	s.close = append(s.close, func() error { return errors.Join(f.Close(), os.Remove(f.Name())) })
	if _, err := io.Copy(f, r); err != nil {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}

// beginOf returns the beginning of a file, and seeks back to the start.
func beginOf(f *os.File) ([]byte, error) {
	begin := make([]byte, 1024)
	n, err := io.ReadFull(f, begin)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return begin[:n], err
}

// file opens a file whose format follows from its name and content.
func (s *Opened) file(f *os.File, name string, o OpenOptions) error {
	begin, err := beginOf(f)
	if err != nil {
		return err
	}
	format := o.Format
	if format == "" {
		format = guessFormat(name, begin)
	}
	mark := "\n"
	switch format {
	case FormatJSON:
		s.Source = JSONLines(f, name)
	case FormatICalendar:
		s.Source, mark = openICalendar(f, name, o), "BEGIN:VEVENT"
	case FormatCSV:
		if s.Source, err = openCSV(f, name, o); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: it is neither iCalendar nor CSV nor JSON lines: name its format, or save a spreadsheet as CSV", ErrSource)
	}
	if closer, ok := s.Source.(io.Closer); ok {
		s.close = append(s.close, closer.Close)
	}
	s.Total, err = countInFile(f, mark)
	return err
}

// guessFormat returns the format of a file.
func guessFormat(name string, begin []byte) Format {
	begin = bytes.TrimSpace(bytes.TrimPrefix(begin, []byte("\ufeff")))
	switch {
	case len(begin) >= 15 && bytes.EqualFold(begin[:15], []byte("BEGIN:VCALENDAR")):
		return FormatICalendar
	case bytes.HasPrefix(begin, []byte("{")):
		return FormatJSON
	}
	switch strings.ToLower(path.Ext(filepath.ToSlash(name))) {
	case ".ics", ".ical", ".ifb", ".icalendar":
		return FormatICalendar
	case ".csv", ".tsv", ".txt":
		return FormatCSV
	case ".jsonl", ".ndjson", ".json":
		return FormatJSON
	}
	return ""
}

// countInFile returns how often mark occurs in a file, and seeks back to the start.
func countInFile(f *os.File, mark string) (n int64, err error) {
	buffer, kept := make([]byte, 1<<16), 0
	for {
		read, err := f.Read(buffer[kept:])
		if read > 0 {
			part := buffer[:kept+read]
			n += int64(bytes.Count(part, []byte(mark)))
			keep := min(len(mark)-1, len(part))
			copy(buffer, part[len(part)-keep:])
			kept = keep
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	_, err = f.Seek(0, io.SeekStart)
	return n, err
}

// folder opens the iCalendar files of a directory, sorted by name.
func (s *Opened) folder(name string, o OpenOptions) error {
	entries, err := os.ReadDir(name)
	if err != nil {
		return err
	}
	var files []string
	for _, e := range entries {
		if strings.EqualFold(filepath.Ext(e.Name()), ".ics") && !e.IsDir() {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("%w: there are no .ics files in it", ErrSource)
	}
	o.Format = FormatICalendar
	s.Source = &chain{files: files, o: o}
	s.close = append(s.close, s.Source.(*chain).Close)
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		n, err := countInFile(f, "BEGIN:VEVENT")
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		s.Total += n
	}
	return nil
}

// chain is a source that reads files one after the other.
type chain struct {
	files []string
	o     OpenOptions
	now   *Opened
}

// Next returns the next record.
func (c *chain) Next(ctx context.Context) (*Record, error) {
	for {
		if c.now == nil {
			if len(c.files) == 0 {
				return nil, io.EOF
			}
			opened, err := Open(ctx, c.files[0], c.o)
			if err != nil {
				return nil, err
			}
			c.files, c.now = c.files[1:], opened
		}
		rec, err := c.now.Next(ctx)
		if !errors.Is(err, io.EOF) {
			return rec, err
		}
		if err := c.Close(); err != nil {
			return nil, err
		}
	}
}

// Close closes the file that is open.
func (c *chain) Close() error {
	if c.now == nil {
		return nil
	}
	err := c.now.Close()
	c.now = nil
	return err
}
