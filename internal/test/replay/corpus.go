package replay

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a zone database
)

//go:embed testdata/*.jsonl.gz testdata/creds testdata/beside
var recorded embed.FS

// heading is the first line of a corpus.
type heading struct {
	RecordedUTC  string `json:"recorded_utc"`
	SiteTimezone string `json:"site_timezone"`
}

// recordedAt returns the day of the recording and the zone of its site.
func (h heading) recordedAt() (time.Time, *time.Location, error) {
	zone, err := time.LoadLocation(h.SiteTimezone)
	if err != nil {
		return time.Time{}, nil, err
	}
	day, _, _ := strings.Cut(h.RecordedUTC, " ")
	at, err := time.Parse(time.DateOnly, day)
	return at, zone, err
}

// line is one recorded request with its response.
type line struct {
	Group    string            `json:"group"`
	As       string            `json:"as"`
	Method   string            `json:"method"`
	Path     string            `json:"path"`
	Headers  map[string]string `json:"headers"`
	Body     json.RawMessage   `json:"body"`
	Form     json.RawMessage   `json:"form"`
	Raw      *string           `json:"raw"`
	Save     string            `json:"save"`      // label for the id in the response
	Also     map[string]string `json:"also"`      // maps labels to the places of other ids in the response
	Rows     json.RawMessage   `json:"rows"`      // label or id of the post whose rows are compared
	RowsTerm json.RawMessage   `json:"rows_term"` // label or id of the term whose rows are compared
	TermsOf  int64             `json:"terms_of"`  // id of the post whose terms are compared
	Skip     json.RawMessage   `json:"skip"`      // why the response is not compared
	Before   []string          `json:"before"`    // statements that changed the site before the group
	Answer   struct {
		Status  int                       `json:"status"`
		Headers map[string]string         `json:"headers"`
		JSON    json.RawMessage           `json:"json"`
		Rows    json.RawMessage           `json:"rows"`
		Posts   map[int64]json.RawMessage `json:"rows_posts"` // rows of further posts, by id
		Terms   json.RawMessage           `json:"terms_of"`
		Dates   []string                  `json:"dates"` // the occurrence rows of all events, see Options.Dates
	} `json:"answer"`
}

func (l *line) skipped() bool {
	switch string(l.Skip) {
	case "", "null", "false", `""`, "0":
		return false
	}
	return true
}

func (l *line) String() string {
	s := fmt.Sprintf("[%s] %s %s %s", l.Group, cmp.Or(l.As, "-"), l.Method, l.Path)
	if given(l.Body) {
		s += " " + clip(string(l.Body))
	}
	return s
}

// given reports whether there is a value other than null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// loadCorpus reads an embedded recording.
func loadCorpus(name string) (h heading, lines []*line, err error) {
	f, err := recorded.Open("testdata/" + name + ".jsonl.gz")
	if err != nil {
		return h, nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return h, nil, err
	}
	dec := json.NewDecoder(z)
	err = dec.Decode(&h)
	for err == nil {
		l := new(line)
		if err = dec.Decode(l); err == nil {
			lines = append(lines, l)
		}
	}
	if !errors.Is(err, io.EOF) {
		return h, nil, fmt.Errorf("replay: %s, line %d: %w", name, len(lines), err)
	}
	return h, lines, nil
}

// Paths returns the paths below the namespace of the recorded GET requests without login and without a body, in order
// and without duplicates.
func Paths(corpus string) (paths []string, err error) {
	_, lines, err := loadCorpus(corpus)
	for _, l := range lines {
		plain := l.Method == http.MethodGet && l.As == "" && !given(l.Body) && !given(l.Form) && l.Raw == nil
		if plain && !slices.Contains(paths, l.Path) {
			paths = append(paths, l.Path)
		}
	}
	return paths, err
}

// recordedCreds returns the users of the recorded test site and their passwords, which are not valid anywhere else.
func recordedCreds(corpus string) (map[string]string, error) {
	text, err := recorded.ReadFile(path.Join("testdata", path.Dir(corpus), "creds"))
	if err != nil {
		return nil, err
	}
	creds := map[string]string{}
	for l := range bytes.Lines(text) {
		if user, password, ok := strings.Cut(strings.TrimSpace(string(l)), " "); ok {
			creds[user] = strings.TrimSpace(password)
		}
	}
	return creds, nil
}
