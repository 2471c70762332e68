//go:build cluster

package cluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// bench starts a server with a site, and a process that reaches it through a proxy.
func bench(t *testing.T, flags ...string) (*Server, *Proxy, *Program) {
	t.Helper()
	s := NewServer(t)
	Install(t, DSN(s.Addr(), ""))
	p := NewProxy(t, s.Addr())
	return s, p, Serve(t, DSN(p.Addr(), ""), flags...)
}

// judged checks that no write of a load was lost or stored partially, and that every unsuccessful response was 503 with
// Retry-After, or said that the outcome is unknown, and came within the given time.
func (l *Load) judged(t *testing.T, fault string, s *Server, within time.Duration) {
	t.Helper()
	l.whole(fault, s)
	for _, a := range l.answers("") {
		if took := a.end.Sub(a.began) - stoodStill(a.began, a.end); !a.good() && !l.unavailable(a) || took > within {
			t.Errorf("%s: a %s was answered %d %s, Retry-After %q, after %s", fault, a.kind, a.status, a.code, a.retry, took)
		}
	}
}

// TestReadersBesideWriters measures how long reads take beside an equal number of writers.
func TestReadersBesideWriters(t *testing.T) {
	s, _, program := bench(t)
	rest := Start(t, Clients{Readers: 64, Patience: time.Minute}, program)
	time.Sleep(15 * time.Second)
	rest.Stop()
	load := Start(t, Clients{Readers: 64, Writers: 64, Patience: time.Minute}, program)
	time.Sleep(20 * time.Second)
	load.Stop()
	alone, beside := rest.Speed(read), load.Speed(read)
	t.Logf("64 readers alone: %s\nbeside 64 writers: %s\nthe writers: %s", alone, beside, load.Speed(create))
	if beside.P99 >= 10*alone.P99 {
		t.Errorf("p99 of reads is %s beside writers, %s at rest", beside.P99, alone.P99)
	}
	load.judged(t, "64 writers and 64 readers", s, 30*time.Second)
}

// TestFewConnectionsOfTheServer checks 64 clients of a process whose server permits fewer connections than the process
// wants.
func TestFewConnectionsOfTheServer(t *testing.T) {
	s, proxy, program := bench(t)
	s.Exec("SET GLOBAL max_connections = 20")
	proxy.Reset()
	load := Start(t, Clients{Readers: 32, Writers: 32, Patience: time.Minute}, program)
	time.Sleep(10 * time.Second)
	refused := program.Log()
	s.Exec("SET GLOBAL max_connections = 500")
	time.Sleep(2 * time.Second)
	load.Stop()
	load.judged(t, "max_connections 20", s, 30*time.Second)
	if !strings.Contains(refused, "Too many connections") {
		t.Error("the server refused no connection")
	}
	served(t, program)
}

// served checks that a process answers all requests of some clients again.
func served(t *testing.T, program *Program) {
	t.Helper()
	after := Start(t, Clients{Readers: 32, Writers: 32, Patience: time.Minute}, program)
	time.Sleep(3 * time.Second)
	after.Stop()
	if n := len(after.answers(read)); n == 0 || strings.Contains(after.statuses(), "503") {
		t.Errorf("afterwards: %s", after.statuses())
	}
}

// rested returns the figures of a process that is idle again after a load under which it opened all the connections to
// its database that it may have.
func rested(t *testing.T, program *Program) Figures {
	t.Helper()
	load := Start(t, Clients{Readers: 64, Writers: 32, Patience: time.Minute}, program)
	time.Sleep(3 * time.Second)
	load.Stop()
	return program.Settled()
}

// TestSilentDatabase lets no data pass between the process and its database for half a minute.
func TestSilentDatabase(t *testing.T) {
	const timeout = 5 * time.Second
	s, proxy, program := bench(t, "--request-timeout", timeout.String())
	before := rested(t, program)
	load := Start(t, Clients{Readers: 32, Writers: 32, Patience: time.Minute}, program)
	time.Sleep(2 * time.Second)
	proxy.Stall()
	time.Sleep(25 * time.Second)
	t.Logf("at rest: %s; while the database is silent: %s", before, program.Figures())
	time.Sleep(5 * time.Second)
	proxy.Flow()
	time.Sleep(3 * time.Second)
	load.Stop()
	load.judged(t, "a silent database for 30 s", s, timeout+time.Second)
	served(t, program)
	t.Logf("afterwards: %s", program.Returned(t, before))
}

// TestSlowClients opens connections that do nothing, that read slowly, and that send slowly, while others are served.
func TestSlowClients(t *testing.T) {
	const timeout = 8 * time.Second
	s, _, program := bench(t, "--request-timeout", timeout.String())
	text := strings.Repeat("<p>"+strings.Repeat("A long description. ", 50)+"</p>\n", 250)
	for i := range 40 { // 10 MB in total
		body, err := json.Marshal(map[string]any{"title": fmt.Sprint("Long ", i), "description": text, "start_date": "2032-05-01 10:00",
			"end_date": "2032-05-01 12:00", "status": "publish"})
		must(t, err)
		_, err = post(program.Root, "/events", string(body))
		must(t, err)
	}
	crowd(t, program, 2500)
	before := rested(t, program)
	var slow sync.WaitGroup
	var mu sync.Mutex
	ended := map[string]int{}
	end := time.Now().Add(30 * time.Second)
	open := func(kind string, number int, request string, more func(net.Conn) string) {
		for range number {
			slow.Go(func() {
				conn, err := net.Dial("tcp", strings.TrimPrefix(program.Root, "http://"))
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_ = conn.SetDeadline(end)
				_, _ = io.WriteString(conn, request)
				is := kind + ": " + more(conn)
				mu.Lock()
				defer mu.Unlock()
				ended[is]++
			})
		}
	}
	const host = " HTTP/1.1\r\nHost: localhost\r\n"
	open("idle", 1000, "", drain)
	open("idle after a request", 1000, "GET "+api+"/tags"+host+"\r\n", drain)
	// Data that fits into the kernel's buffers occupies nothing in the process. It must give up the other connections.
	open("slow reader", 280, "GET "+api+"/events?per_page=8&start_date=2032-01-01&end_date=2033-01-01"+host+"\r\n", trickle)
	open("slow reader of more", 20, "GET "+api+"/events?per_page=40&start_date=2032-01-01&end_date=2033-01-01"+host+"\r\n", trickle)
	auth, err := http.NewRequest(http.MethodPost, program.Root, nil)
	must(t, err)
	auth.SetBasicAuth(login, secret)
	open("slow body", 200, "POST "+api+"/events"+host+"Authorization: "+auth.Header.Get("Authorization")+
		"\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{", send)
	load := Start(t, Clients{Readers: 8, Writers: 4, Patience: time.Minute}, program)
	time.Sleep(timeout)
	t.Logf("at rest: %s; with slow clients: %s", before, program.Figures())
	slow.Wait()
	load.Stop()
	t.Logf("slow clients: %v", ended)
	load.judged(t, "slow clients", s, timeout)
	if strings.Contains(load.statuses(), "503") {
		t.Errorf("others were answered %s", load.statuses())
	}
	if ended["slow body: HTTP/1.1 408 Request Timeout"] != 200 || ended["idle: closed"] != 1000 ||
		ended["slow reader: whole"] != 280 || ended["slow reader of more: cut"] != 20 {
		t.Errorf("slow clients: %v", ended)
	}
	t.Logf("afterwards: %s", program.Returned(t, before))
}

// crowd opens connections at the same time and closes them, because Go does not free the memory that it needed for
// their goroutines.
func crowd(t *testing.T, program *Program, number int) {
	t.Helper()
	for range number {
		conn, err := net.Dial("tcp", strings.TrimPrefix(program.Root, "http://"))
		must(t, err)
		defer conn.Close()
		_, _ = io.WriteString(conn, "GET "+api+"/tags HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	time.Sleep(2 * time.Second)
}

// drain reads until the server closes the connection, or the test ends.
func drain(conn net.Conn) string { return closed(io.Copy(io.Discard, conn)) }

// trickle reads a response at some bytes per second, for as long as a response may take.
func trickle(conn net.Conn) string {
	resp, err := http.ReadResponse(bufio.NewReader(&slowReader{conn, time.Now().Add(15 * time.Second)}), nil)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	switch _, err = io.Copy(io.Discard, resp.Body); {
	case err == nil:
		return "whole"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut"
	}
	return err.Error()
}

// slowReader reads some bytes per second until the given time.
type slowReader struct {
	net.Conn
	until time.Time
}

func (r *slowReader) Read(p []byte) (int, error) {
	if time.Now().Before(r.until) {
		time.Sleep(time.Second)
		p = p[:min(len(p), 512)]
	}
	return r.Conn.Read(p)
}

// send sends one byte per second and returns the first line of the response.
func send(conn net.Conn) string {
	answer := make(chan string, 1)
	go func() {
		var text bytes.Buffer
		_, err := io.Copy(&text, conn)
		line, _, _ := strings.Cut(text.String(), "\r\n")
		if line == "" {
			line = closed(0, err)
		}
		answer <- line
	}()
	for {
		select {
		case line := <-answer:
			return line
		case <-time.After(time.Second):
			_, _ = io.WriteString(conn, " ")
		}
	}
}

func closed(_ int64, err error) string {
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		return "still open"
	}
	return "closed"
}
