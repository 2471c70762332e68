//go:build cluster

package cluster

import (
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// The first administrator of a site that Install makes.
const (
	login  = "admin"
	secret = "abcd efgh ijkl mnop qrst uvwx"
)

// binary builds the program once for all tests.
var binary = sync.OnceValues(func() (string, error) {
	name := filepath.Join(buildDir, "agenda")
	build := exec.Command("go", "build", "-o", name, "./example/agenda")
	build.Dir = "../../.."
	out, err := build.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return name, nil
})

// buildDir is where the program is built. TestMain sets it.
var buildDir string

// Program is a running "agenda serve".
type Program struct {
	t       testing.TB
	args    []string
	running *process
	Root    string // http://host:port
}

// Install makes a site in the database that a DSN names.
func Install(t testing.TB, dsn string) {
	t.Helper()
	name, err := binary()
	must(t, err, name)
	p, err := run([]string{"AGENDA_PASSWORD=" + secret}, name, "init", "--dsn", dsn, "--login", login, "--email", "admin@example.org")
	must(t, err)
	<-p.ended
	if !p.command.ProcessState.Success() {
		t.Fatal(p.output)
	}
}

// Serve starts the program on the database that a DSN names. It ends with the test.
func Serve(t testing.TB, dsn string, flags ...string) *Program {
	t.Helper()
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t)))
	p := &Program{t: t, Root: "http://" + addr, args: append([]string{"serve", "--dsn", dsn, "--addr", addr}, flags...)}
	p.Start()
	t.Cleanup(func() {
		p.Kill()
		if t.Failed() {
			t.Logf("the program on %s logged last:\n%s", dsn, last(p.Log(), 30))
		}
	})
	return p
}

// Start starts the program again after Kill, and waits until it is ready.
func (p *Program) Start() {
	p.t.Helper()
	name, err := binary()
	must(p.t, err, name)
	p.running, err = run(nil, name, p.args...)
	must(p.t, err)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if status, _ := p.Ready(); status == http.StatusOK {
			return
		}
		select {
		case <-p.running.ended:
			p.t.Fatalf("the program ended: %s", p.Log())
		default:
		}
		if time.Now().After(end) {
			p.t.Fatalf("the program is not ready: %s", p.Log())
		}
	}
}

// Kill ends the program at once.
func (p *Program) Kill() { p.running.kill() }

// Log returns what the program logged last.
func (p *Program) Log() string { return p.running.output.String() }

// Ready returns what /readyz answers, 0 for no answer within three seconds.
func (p *Program) Ready() (status int, body string) {
	return get(&http.Client{Timeout: 3 * time.Second}, p.Root+"/readyz")
}
