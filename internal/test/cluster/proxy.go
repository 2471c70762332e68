//go:build cluster

package cluster

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy leads connections to a server, as an address does that changes hands. Its methods may be called from any
// goroutine.
type Proxy struct {
	listener net.Listener

	mu      sync.Mutex
	to      string
	stalled chan struct{} // closed while bytes flow
	refuse  bool
	open    map[*net.TCPConn]bool // both ends of all connections
	commits func() Break          // asked for each COMMIT, nil for none
}

// Break is what happens to a connection at a COMMIT.
type Break int

// Breaks.
const (
	NoBreak      Break = iota
	BeforeCommit       // it is reset, and the server gets nothing
	AfterCommit        // it is reset when the server has answered, and the client gets nothing
)

// commit is what a client of MariaDB sends for it, header included.
var commit = []byte("\x07\x00\x00\x00\x03COMMIT")

// Commits sets what is asked for each COMMIT that comes through; nil for nothing.
func (p *Proxy) Commits(ask func() Break) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commits = ask
}

// at returns what happens to a connection when these bytes come from its client.
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
	p := &Proxy{listener: l, to: to, stalled: make(chan struct{}), open: map[*net.TCPConn]bool{}}
	close(p.stalled)
	go p.accept()
	t.Cleanup(func() { _ = l.Close(); p.Flow(); p.Reset() })
	return p
}

// Addr is where the proxy listens.
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
	to, refuse := p.to, p.refuse
	p.mu.Unlock()
	var server *net.TCPConn
	if !refuse {
		if conn, err := net.Dial("tcp", to); err == nil {
			server = conn.(*net.TCPConn)
		}
	}
	if server == nil {
		_ = client.SetLinger(0)
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	var deaf atomic.Bool // the client gets no further answer
	both.Go(func() {
		p.copy(server, client, func(sent []byte) bool {
			is := p.at(sent)
			deaf.Store(deaf.Load() || is == AfterCommit)
			return is != BeforeCommit
		})
	})
	both.Go(func() { p.copy(client, server, func([]byte) bool { return !deaf.Load() }) })
	both.Wait()
	p.mu.Lock()
	delete(p.open, client)
	delete(p.open, server)
	p.mu.Unlock()
}

// copy moves bytes until one end closes, and then closes both. It resets them where pass says no.
func (p *Proxy) copy(to, from *net.TCPConn, pass func([]byte) bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		flows := p.stalled
		p.mu.Unlock()
		<-flows
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

// Lead makes new connections go to another address. Those that are open stay where they are.
func (p *Proxy) Lead(to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = to
}

// Stall holds back all bytes, also those of new connections, until Flow: nobody notices that the other end is away.
func (p *Proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.stalled:
		p.stalled = make(chan struct{})
	default:
	}
}

// Flow ends what Stall and Refuse began. What was held back arrives.
func (p *Proxy) Flow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = false
	select {
	case <-p.stalled:
	default:
		close(p.stalled)
	}
}

// Refuse resets new connections until Flow.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = true
}

// Reset breaks all open connections.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		_ = conn.SetLinger(0)
		_ = conn.Close()
	}
}
