//go:build cluster

package cluster

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
)

// process is a program that runs until it is killed, and not longer than this one.
type process struct {
	command *exec.Cmd
	ended   chan struct{} // closed when it has ended
	output  *output
}

// run starts a program. more are variables of its environment.
func run(more []string, name string, args ...string) (*process, error) {
	return runAs(nil, more, name, args...)
}

// runAs is run for another user, nil for the own. The kernel would forget to end a program that changes its user itself.
func runAs(who *syscall.Credential, more []string, name string, args ...string) (*process, error) {
	p := &process{command: exec.Command(name, args...), ended: make(chan struct{}), output: new(output)}
	p.command.Env = append(os.Environ(), more...)
	p.command.Stdout, p.command.Stderr = p.output, p.output
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true, Credential: who}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the signal comes when the thread ends that started the program
		defer close(p.ended)
		err := p.command.Start()
		started <- err
		if err == nil {
			_ = p.command.Wait()
		}
	}()
	return p, <-started
}

// kill ends the program at once, with those that it started.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

func (p *process) signal(s syscall.Signal) { _ = syscall.Kill(-p.command.Process.Pid, s) }

// output keeps the last that a program printed.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

var _ io.Writer = (*output)(nil)

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	const most = 1 << 20
	if o.text.Len() > most {
		o.text.Next(most / 2)
	}
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// must ends the test if a step of its preparation failed.
func must(t testing.TB, err error, about ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(append([]any{err, ": "}, fmt.Sprint(about...))...)
	}
}
