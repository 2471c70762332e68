package replay

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
)

const testRoot = "http://site.test/wp-json/tribe/events/v1"

var testNow = time.Date(2027, 6, 5, 22, 30, 0, 0, time.UTC)

// echo answers the lines of a corpus in order with the recorded responses, with ids filled in. edit may change the body
// of a response.
type echo struct {
	t     *testing.T
	lines []*line
	next  int
	ids   map[string]int
	edit  func(l *line, body string) string
}

func newEcho(t *testing.T, corpus string) *echo {
	t.Helper()
	_, lines, err := loadCorpus(corpus)
	must.Succeed(t, err)
	return &echo{t: t, lines: lines, ids: map[string]int{}}
}

func (e *echo) fill(s string) string {
	zone, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		e.t.Error(err)
	}
	s = strings.NewReplacer("{root}", testRoot, "{site}", "http://site.test", "{host}", "site.test",
		"{{now}}", testNow.In(zone).Format(time.DateTime), "{{now_utc}}", testNow.Format(time.DateTime)).Replace(s)
	number := func(holder string) string {
		label := strings.Trim(holder, `"{}`)
		if _, ok := e.ids[label]; !ok {
			e.ids[label] = 1000 + len(e.ids)
		}
		return strconv.Itoa(e.ids[label])
	}
	s = regexp.MustCompile(`"\{\{\w+\}\}"`).ReplaceAllStringFunc(s, number)
	return placeholder.ReplaceAllStringFunc(s, number)
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e.next >= len(e.lines) {
		e.t.Errorf("one request too many: %s %s", r.Method, r.URL)
		return
	}
	l := e.lines[e.next]
	e.next++
	user, _, _ := r.BasicAuth()
	if want := e.fill(l.Path); r.Method != l.Method || r.Host != "site.test" || !strings.HasSuffix(r.RequestURI, want) || user != l.As {
		e.t.Errorf("got %s %s of %q, recorded %s %s of %q", r.Method, r.RequestURI, user, l.Method, want, l.As)
	}
	for k, v := range l.Answer.Headers {
		w.Header().Set(k, v)
	}
	status := l.Answer.Status
	if status == 0 {
		status = http.StatusNoContent
	}
	body := e.fill(string(l.Answer.JSON))
	if e.edit != nil {
		body = e.edit(l, body)
	}
	w.WriteHeader(status)
	if given([]byte(body)) && status != http.StatusNoContent {
		io.WriteString(w, body)
	}
}

func replayed(t *testing.T, corpus string, h http.Handler) Result {
	t.Helper()
	res, err := Run(context.Background(), Options{Handler: h, Root: testRoot, Corpus: corpus, Now: func() time.Time { return testNow }})
	must.Succeed(t, err)
	return res
}

// TestReplayMatches checks that a server which answers as recorded matches everywhere, and that the numbers of compared
// responses are the known ones.
func TestReplayMatches(t *testing.T) {
	for corpus, compared := range map[string]int{"reads_a": 942, "writes_a": 292} {
		t.Run(corpus, func(t *testing.T) {
			server := newEcho(t, corpus)
			res := replayed(t, corpus, server)
			if res.Compared != compared || res.Matched != compared || len(res.Differences) != 0 {
				t.Errorf("%d of %d match, expected %d of %[3]d\n%s", res.Matched, res.Compared, compared, res.Report(5))
			}
			if server.next != len(server.lines) {
				t.Errorf("%d of %d requests were sent", server.next, len(server.lines))
			}
		})
	}
}

// TestReplayFinds checks that an additional key in every response that is an object is found.
func TestReplayFinds(t *testing.T) {
	server := newEcho(t, "writes_a")
	objects := 0
	server.edit = func(l *line, body string) string {
		if rest, ok := strings.CutPrefix(body, "{"); ok && !l.skipped() {
			objects++
			return `{"surprise":1,` + rest
		}
		return body
	}
	res := replayed(t, "writes_a", server)
	lines := map[int]bool{}
	for _, d := range res.Differences {
		lines[d.Line] = true
	}
	if objects == 0 || res.Compared-res.Matched != objects || len(lines) != objects {
		t.Errorf("%d answers changed, %d found, %d lines named", objects, res.Compared-res.Matched, len(lines))
	}
	d := res.Differences[0]
	if d.Place != "json.surprise" || d.Want != "(absent)" || d.Got != "1" {
		t.Errorf("first difference: %+v", d)
	}
	end := fmt.Sprintf("%d/292 answers match", res.Matched)
	if report := res.Report(3); strings.Count(report, "#") != 3 || !strings.HasSuffix(report, end) {
		t.Errorf("report:\n%s", report)
	}
}

// TestReplayOfNothing checks that responses with another status and an empty body never match.
func TestReplayOfNothing(t *testing.T) {
	nothing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	if res := replayed(t, "reads_a", nothing); res.Matched != 0 || res.Compared != 942 {
		t.Errorf("%d of %d match", res.Matched, res.Compared)
	}
}
