//go:build cluster

package cluster

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// The first administrator of a site created by Install.
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

// buildDir is the directory in which the program is built. TestMain sets it.
var buildDir string

// Program is a running "agenda serve".
type Program struct {
	t       testing.TB
	args    []string
	running *process
	Root    string // http://host:port
	metrics string // URL of its metrics
}

// Install creates a site in the database of a DSN.
func Install(t testing.TB, dsn string) {
	t.Helper()
	command(t, "init", "--dsn", dsn, "--login", login, "--email", "admin@example.org")
}

// command runs a command of the program, which must succeed.
func command(t testing.TB, args ...string) {
	t.Helper()
	name, err := binary()
	must(t, err, name)
	p, err := run([]string{"AGENDA_PASSWORD=" + secret}, name, args...)
	must(t, err)
	<-p.ended
	if !p.command.ProcessState.Success() {
		t.Fatalf("agenda %v: %s", args, p.output)
	}
}

// Serve starts the program on the database of a DSN. It ends with the test.
func Serve(t testing.TB, dsn string, flags ...string) *Program {
	t.Helper()
	return serve(t, append([]string{"--dsn", dsn}, flags...)...)
}

// serve starts the program on the database that flags name.
func serve(t testing.TB, flags ...string) *Program {
	t.Helper()
	addr, figures := local(freePort(t)), local(freePort(t))
	p := &Program{t: t, Root: "http://" + addr, metrics: "http://" + figures + "/metrics",
		args: append([]string{"serve", "--addr", addr, "--metrics", figures, "--log-level", "warn"}, flags...)}
	p.Start()
	t.Cleanup(func() {
		p.Kill()
		if t.Failed() {
			t.Logf("the program on %s logged last:\n%s", flags, last(p.Log(), 30))
		}
	})
	return p
}

// Start restarts the program after Kill, and waits until it is ready.
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

// Log returns the end of the program's log.
func (p *Program) Log() string { return p.running.output.String() }

// Ready returns the response of /readyz. The status is 0 if there is none within three seconds.
func (p *Program) Ready() (status int, body string) {
	return get(once(3*time.Second), p.Root+"/readyz")
}
