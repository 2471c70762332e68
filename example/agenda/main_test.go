package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// output is a writer whose content may be read while it is written.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// server starts the program. It returns its address, and a function that stops the program and returns its exit code
// and log. The program is stopped at the latest when the test ends.
func server(t *testing.T, args ...string) (address string, end func() (int, string)) {
	t.Helper()
	address, _, end = printing(t, args...)
	return address, end
}

// ended ends a server, whose exit code must be 0, and returns what it logged.
func ended(t *testing.T, end func() (int, string)) string {
	t.Helper()
	code, log := end()
	if code != 0 {
		t.Errorf("exit code %d: %s", code, log)
	}
	return log
}

// places matches the flags that say where a server has its content, or that it has no demo content.
var places = regexp.MustCompile("^--?(data|dsn|demo|read-only)(=|$)")

// printing is like server, and also returns what was printed. Without a flag that matches places, it serves the demo
// content.
func printing(t *testing.T, args ...string) (address, printed string, end func() (int, string)) {
	t.Helper()
	return printingOn(t, &output{}, args...)
}

// written is a standard output that tests can read.
type written interface {
	io.Writer
	fmt.Stringer
}

// screen is an output that is a terminal.
type screen struct {
	output
	*os.File // only its file descriptor is used
}

func (s *screen) Write(p []byte) (int, error) { return s.output.Write(p) }

// onScreen is like printing, with a terminal as the standard output.
func onScreen(t *testing.T, args ...string) (address, printed string, end func() (int, string)) {
	t.Helper()
	f := must.Get(os.OpenFile("/dev/ptmx", os.O_RDWR, 0))(t)
	t.Cleanup(func() { _ = f.Close() })
	return printingOn(t, &screen{File: f}, args...)
}

func printingOn(t *testing.T, out written, args ...string) (address, printed string, end func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var log output
	var code int
	ended := make(chan struct{})
	stop := func() { cancel(); <-ended }
	place := ":memory:"
	if !slices.ContainsFunc(args, func(arg string) bool { return places.MatchString(arg) }) {
		place = demoDirectory(t) // ten times faster than filling a new one
	}
	go func() {
		defer close(ended)
		code = commands.Run(ctx, append([]string{"-addr", "127.0.0.1:0", "-data", place}, args...), out, &log)
	}()
	t.Cleanup(stop) // before its database is removed
	line := regexp.MustCompile(`pages (http://[^/ ]+)`)
	for deadline := time.Now().Add(3 * time.Minute); address == ""; {
		if m := line.FindStringSubmatch(out.String()); m != nil {
			address = m[1]
		} else if time.Now().After(deadline) {
			t.Fatalf("no address printed: %s%s", out.String(), log.String())
		} else {
			time.Sleep(5 * time.Millisecond)
		}
	}
	return address, out.String(), func() (int, string) {
		stop()
		return code, log.String()
	}
}

// freeAddresses contains the addresses that freeAddress has returned.
var freeAddresses sync.Map

// freeAddress returns an address on which nothing listens. Its port is below those that the system chooses for listeners
// and connections, so that nothing else gets it meanwhile.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 1000 {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		if _, returned := freeAddresses.LoadOrStore(address, true); returned {
			continue
		}
		if free, err := net.Listen("tcp", address); err == nil {
			_ = free.Close()
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

func get(t *testing.T, address string) (*http.Response, string) {
	t.Helper()
	resp := must.Get(http.Get(address))(t)
	defer resp.Body.Close()
	body := must.Get(io.ReadAll(resp.Body))(t)
	return resp, string(body)
}

func TestServesTheDemoInThreeLanguages(t *testing.T) {
	t.Parallel()
	address, end := server(t, "-request-timeout", "2m") // the race detector is slow
	for path, want := range map[string]string{
		"/": `<html lang="en"`, "/nl/": `<html lang="nl"`, "/fr/": `<html lang="fr"`,
		"/healthz": "ok", "/readyz": `{"database":"ok","writable":true}`,
		"/wp-json/vendor/events/v1/":          `"namespace":"vendor\/events\/v1"`,
		"/fr/wp-json/vendor/events/v1/events": strings.ReplaceAll(address, "/", `\/`) + `\/fr\/wp-json\/vendor\/events\/v1\/events\/`,
		"/WP-JSON/vendor/events/v1/events":    "<html",
		"/wp-json/vendor/events/v1/nope":      "rest_no_route",
		"/wp-json/VENDOR/Events/v1/EVENTS":    `"events":[`,
	} {
		resp, body := get(t, address+path)
		ok := resp.StatusCode == http.StatusOK || path == "/WP-JSON/vendor/events/v1/events" || strings.HasSuffix(path, "nope")
		if !ok || !strings.Contains(body, want) {
			t.Errorf("%s: %d, no %q in %.300s", path, resp.StatusCode, want, body)
		}
		if resp.Header.Get(requestIDHeader) == "" {
			t.Errorf("%s: no request id", path)
		}
	}
	var list struct {
		Total  int
		Events []struct {
			URL   string
			Image any
		}
	}
	_, body := get(t, address+"/wp-json/vendor/events/v1/events?per_page=50&start_date=2000-01-01&end_date=2100-01-01")
	if err := json.Unmarshal([]byte(body), &list); err != nil || list.Total < 25 {
		t.Fatalf("demo content: %d events, %v", list.Total, err)
	}
	for _, e := range list.Events {
		if resp, _ := get(t, e.URL); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", e.URL, resp.StatusCode)
		}
		if image, ok := e.Image.(map[string]any); ok {
			if resp, _ := get(t, image["url"].(string)); resp.StatusCode != http.StatusOK ||
				resp.Header.Get("Content-Type") != "image/jpeg" {
				t.Errorf("%s: %d", image["url"], resp.StatusCode)
			}
		}
	}
	code, log := end()
	if code != 0 || !strings.Contains(log, "shutting down") {
		t.Errorf("exit code %d, log %s", code, log)
	}
	if !regexp.MustCompile(`msg=request id=\w+ method=GET path=/nl/`).MatchString(log) {
		t.Errorf("no access log with ids: %.500s", log)
	}
}

func TestMistakesEndWithOneLineAndCode2(t *testing.T) {
	t.Parallel()
	dead := freeAddress(t)
	taken := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	busy, secure := taken.Addr().String(), filepath.Join(t.TempDir(), "key.pem")
	mistakes(t, "mistakes.txt", strings.NewReplacer("{busy}", busy, "{dead}", dead, "{key}", secure, "{dsn}", testdb.DSN(t)))
}

// mistakes runs the commands in a file of testdata. Each must end with code 2 and one line, which contains a text and no
// password. values replaces what differs each time.
func mistakes(t *testing.T, file string, values *strings.Replacer, command ...string) {
	t.Helper()
	golden.Each(t, file, func(name string, args []string, want string) {
		t.Run(name, func(t *testing.T) { mistake(t, values, want, slices.Concat(command, args)...) })
	})
}

// mistake runs a command, as in mistakes.
func mistake(t *testing.T, values *strings.Replacer, want string, args ...string) {
	t.Helper()
	for i := range args {
		args[i] = values.Replace(args[i])
	}
	code, out, text := ran(t, args...)
	text = informed.ReplaceAllString(text, "")
	if code != 2 || out != "" || strings.Count(text, "\n") != 1 || !strings.Contains(text, values.Replace(want)) ||
		strings.Contains(text, "geheim") {
		t.Errorf("code %d: %s%s", code, out, text)
	}
}

// informed matches the lines that are logged if there is no problem.
var informed = regexp.MustCompile(`(?m)^time=\S+ level=INFO .*\n`)

func TestVersions(t *testing.T) {
	s := settings{languages: "en, nl"}
	got, err := s.versions("https://example.org/shop/wp-json/")
	want := []version{
		{"en", "https://example.org/shop/wp-json", "https://example.org/shop", "/shop/wp-json", "/shop"},
		{"nl", "https://example.org/shop/nl/wp-json", "https://example.org/shop/nl", "/shop/nl/wp-json", "/shop/nl"},
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v %v", got, err)
	}
}

func TestVersionAndHelp(t *testing.T) {
	for args, want := range map[string]string{
		"version": "commit", "help": "copy", "user -h": "password", "user add -h": "-role", "user list -h": "AGENDA_DSN", "-h": "-base-url",
		"copy -h": "-to-prefix",
	} {
		if out := moved(t, 0, strings.Fields(args)...); !strings.Contains(out, want) {
			t.Errorf("%s prints %s, want %s", args, out, want)
		}
	}
	form := regexp.MustCompile(`^agenda [^ ]+, commit [^ ]+( with changes)?\nzone data ([0-9]{4}[a-z]+|unknown), in [^\n]+\n$`)
	if _, out, _ := ran(t, "version"); !form.MatchString(out) {
		t.Errorf("version: %s", out)
	}
}

func TestShutdownFinishesRequestsInFlight(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	var s settings
	s.logLevel, s.logFormat = "info", "text"
	log := must.Get(s.logger(io.Discard))(t)
	ctx, cancel := context.WithCancel(t.Context())
	started, release := make(chan bool), make(chan bool)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(started)
		<-release
		io.WriteString(w, "finished")
	})
	done := make(chan error, 1)
	go func() {
		done <- serveRequests(ctx, listener, newServer(handler, 30*time.Second, log), 30*time.Second, log)
	}()
	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		answer <- string(b)
	}()
	<-started
	cancel()
	select {
	case err := <-done:
		t.Fatalf("ended before the request: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if got := <-answer; got != "finished" {
		t.Errorf("answer: %s", got)
	}
	must.Succeed(t, <-done)
}
