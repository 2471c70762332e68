//go:build cluster

package cluster

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy forwards connections to a server, like an address that can be redirected to another server. Its methods may be
// called from any goroutine.
type Proxy struct {
	listener net.Listener

	mu      sync.Mutex
	to      string
	flows   *sync.Cond
	stalled map[int]Way           // directions of the stalled connections by process id; 0 stands for all processes
	open    map[*net.TCPConn]bool // both ends of all connections
	commits func() Break          // called for each COMMIT; may be nil
}

// Way is a direction of connections, or both.
type Way int

// Ways.
const (
	ToServer Way = 1 << iota
	ToClient
	Both = ToServer | ToClient
)

// Break is what happens to a connection at a COMMIT.
type Break int

// Breaks.
const (
	NoBreak      Break = iota
	BeforeCommit       // it is reset, and the server receives nothing
	AfterCommit        // it is reset when the server has answered, and the client receives nothing
)

// commit is the packet that a MariaDB client sends for COMMIT, including its header.
var commit = []byte("\x07\x00\x00\x00\x03COMMIT")

// Commits sets the function that is called for each COMMIT passing through; it may be nil.
func (p *Proxy) Commits(ask func() Break) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commits = ask
}

// at returns what happens to a connection when its client sends the given bytes.
func (p *Proxy) at(sent []byte) Break {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.commits == nil || !bytes.Contains(sent, commit) {
		return NoBreak
	}
	return p.commits()
}

// NewProxy returns a proxy to an address.
func NewProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &Proxy{listener: l, to: to, stalled: map[int]Way{}, open: map[*net.TCPConn]bool{}}
	p.flows = sync.NewCond(&p.mu)
	go p.accept()
	t.Cleanup(func() { _ = l.Close(); p.Flow(); p.Reset() })
	return p
}

func port(of net.Addr) int { return of.(*net.TCPAddr).Port }

// Addr returns the address at which the proxy listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.serve(conn.(*net.TCPConn))
	}
}

func (p *Proxy) serve(client *net.TCPConn) {
	p.mu.Lock()
	to := p.to
	p.mu.Unlock()
	conn, err := net.Dial("tcp", to)
	if err != nil {
		_ = client.SetLinger(0)
		_ = client.Close()
		return
	}
	server := conn.(*net.TCPConn)
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	of := &owner{from: port(client.RemoteAddr()), to: port(client.LocalAddr()), known: map[int]bool{}}
	var deaf atomic.Bool // the client receives no further response
	both.Go(func() {
		p.copy(server, client, of, ToServer, func(sent []byte) bool {
			is := p.at(sent)
			deaf.Store(deaf.Load() || is == AfterCommit)
			return is != BeforeCommit
		})
	})
	both.Go(func() { p.copy(client, server, of, ToClient, func([]byte) bool { return !deaf.Load() }) })
	both.Wait()
	p.mu.Lock()
	delete(p.open, client)
	delete(p.open, server)
	p.mu.Unlock()
}

// copy copies bytes until one end closes, and then closes both. If pass returns false, it resets both.
func (p *Proxy) copy(to, from *net.TCPConn, of *owner, way Way, pass func([]byte) bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.untilItFlows(of, way)
		if n > 0 {
			if !pass(buffer[:n]) {
				_ = to.SetLinger(0)
				_ = from.SetLinger(0)
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// untilItFlows waits while a connection is stalled.
func (p *Proxy) untilItFlows(of *owner, way Way) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.isStalled(of, way) {
		p.flows.Wait()
	}
}

func (p *Proxy) isStalled(of *owner, way Way) bool {
	for pid, ways := range p.stalled {
		if ways&way != 0 && (pid == 0 || of.is(pid)) {
			return true
		}
	}
	return false
}

// Lead makes new connections go to another address. Open connections stay where they are.
func (p *Proxy) Lead(to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = to
}

// Stall withholds all bytes, including those of new connections, until Flow. Nobody is notified that the other end is
// unreachable.
func (p *Proxy) Stall() { p.StallOf(0, Both) }

// StallOf is like Stall for the connections of one process, 0 for all, and for one direction or both. With ways 0 it
// lets the withheld data pass.
func (p *Proxy) StallOf(pid int, ways Way) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ways == 0 {
		delete(p.stalled, pid)
	} else {
		p.stalled[pid] = ways
	}
	p.flows.Broadcast()
}

// Flow undoes Stall. Withheld data arrives.
func (p *Proxy) Flow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.stalled)
	p.flows.Broadcast()
}

// Reset resets all open connections.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		_ = conn.SetLinger(0)
		_ = conn.Close()
	}
}
