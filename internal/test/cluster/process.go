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

// process is a program that runs until it is killed, and no longer than this process.
type process struct {
	command *exec.Cmd
	ended   chan struct{} // closed when it has ended
	output  *output
}

// run starts a program with additional environment variables.
func run(more []string, name string, args ...string) (*process, error) {
	return runAs(nil, more, name, args...)
}

// runAs is like run, as another user unless who is nil. If the program changed its user by itself, the kernel would not
// end it together with this process.
func runAs(who *syscall.Credential, more []string, name string, args ...string) (*process, error) {
	p := &process{command: exec.Command(name, args...), ended: make(chan struct{}), output: new(output)}
	p.command.Env = append(os.Environ(), more...)
	p.command.Stdout, p.command.Stderr = p.output, p.output
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true, Credential: who}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel sends the signal when the thread that started the program ends
		defer close(p.ended)
		err := p.command.Start()
		started <- err
		if err == nil {
			_ = p.command.Wait()
		}
	}()
	return p, <-started
}

// kill ends the program and its child processes at once.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

func (p *process) signal(s syscall.Signal) { _ = syscall.Kill(-p.command.Process.Pid, s) }

// output keeps the end of a program's output.
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

// must fails the test if a step of its preparation failed.
func must(t testing.TB, err error, about ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(append([]any{err, ": "}, fmt.Sprint(about...))...)
	}
}
