//go:build cluster && soak

package cluster

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"
)

// smallDisk mounts a file system of a few hundred megabytes, which requires root.
func smallDisk(t *testing.T) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "agenda-soak-") //nolint:usetesting // its path is short enough for a socket
	must(t, err)
	must(t, syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=800m,mode=0755"), "the soak mounts small disks: run it as root")
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
		_ = os.Remove(dir)
	})
	return dir
}

// fill fills a disk completely, until free is called.
func fill(t *testing.T, dir string) (free func()) {
	t.Helper()
	file, err := os.Create(dir + "/filler")
	must(t, err)
	for size := 1 << 20; size >= 1; size /= 2 {
		for chunk := make([]byte, size); ; {
			if _, err := file.Write(chunk); errors.Is(err, syscall.ENOSPC) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = file.Close()
	return func() { must(t, os.Remove(dir+"/filler")) }
}

// soaked is a store under load, with the results after each fault.
type soaked struct {
	name     string
	programs []*Program
	clients  Clients
	loads    []*Load  // one per fault
	faults   []string // names of the faults
}

// during causes a fault while clients of the store write and read.
func (s *soaked) during(t *testing.T, name string, do func()) {
	load := Start(t, s.clients, s.programs...)
	time.Sleep(5 * time.Second)
	do()
	time.Sleep(5 * time.Second)
	load.Stop()
	s.loads, s.faults = append(s.loads, load), append(s.faults, name)
}

// TestSoak tests two stores, a server and an embedded database, under load for half an hour or for AGENDA_SOAK, with a
// fault every minute. At the end, it checks that every acknowledged row exists in both.
func TestSoak(t *testing.T) {
	length := 30 * time.Minute
	if given := os.Getenv("AGENDA_SOAK"); given != "" {
		var err error
		length, err = time.ParseDuration(given)
		must(t, err)
	}
	serverDisk, fileDisk := smallDisk(t), smallDisk(t)
	server := newServerIn(t, serverDisk, "server", "--skip-log-bin")
	server.start()
	server.createDatabase()
	Install(t, DSN(server.Addr(), ""))
	proxy := NewProxy(t, server.Addr())
	clients := Clients{Writers: 4, Readers: 4, Keys: true, Pause: 100 * time.Millisecond, Patience: time.Minute}
	const timeout = "8s"
	onServer := &soaked{name: "server", clients: clients, programs: []*Program{
		Serve(t, DSN(proxy.Addr(), ""), "--request-timeout", timeout),
		Serve(t, DSN(proxy.Addr(), ""), "--request-timeout", timeout),
	}}
	file := fileDisk + "/data"
	command(t, "init", "--data", file, "--login", login, "--email", "admin@example.org")
	onFile := &soaked{name: "embedded", clients: clients, programs: []*Program{
		serve(t, "--data", file, "--plain-http", "--request-timeout", timeout),
	}}
	lasting, killed, embedded := onServer.programs[0], onServer.programs[1], onFile.programs[0]
	faults := []struct {
		name     string
		onServer func()
		onFile   func()
	}{
		{"kill -9 of the database, and of the process of the embedded one", func() {
			server.Kill()
			time.Sleep(2 * time.Second)
			server.start()
		}, func() { embedded.Kill(); embedded.Start() }},
		{"kill -9 of a process", func() { killed.Kill(); time.Sleep(2 * time.Second); killed.Start() },
			func() { embedded.Kill(); time.Sleep(2 * time.Second); embedded.Start() }},
		{"stall for 15 s, of the embedded one's process for 5 s", func() { proxy.Stall(); time.Sleep(15 * time.Second); proxy.Flow() },
			func() {
				embedded.running.signal(syscall.SIGSTOP)
				time.Sleep(5 * time.Second)
				embedded.running.signal(syscall.SIGCONT)
			}},
		{"resets, 5 a second for 10 s", func() {
			for range 50 {
				proxy.Reset()
				time.Sleep(200 * time.Millisecond)
			}
		}, nil},
		{"read-only for 10 s", func() {
			server.Exec("SET GLOBAL read_only = 1")
			time.Sleep(10 * time.Second)
			server.Exec("SET GLOBAL read_only = 0")
		}, nil},
		{"full disk for 10 s", func() {
			free := fill(t, serverDisk)
			time.Sleep(10 * time.Second)
			free()
			select {
			case <-server.running.ended: // InnoDB ends the server when it cannot continue
				server.start()
			default:
			}
		}, func() {
			free := fill(t, fileDisk)
			time.Sleep(10 * time.Second)
			free()
		}},
	}
	began := time.Now()
	flat := map[*Program]Figures{} // the maximum of each figure in the first rounds of faults
	for round := 0; time.Since(began) < length; round++ {
		minute := time.Now().Add(time.Minute)
		fault := faults[round%len(faults)]
		both := make(chan struct{})
		go func() {
			defer close(both)
			if fault.onFile != nil {
				onFile.during(t, fault.name, fault.onFile)
			} else {
				onFile.during(t, "none", func() { time.Sleep(10 * time.Second) })
			}
		}()
		onServer.during(t, fault.name, fault.onServer)
		<-both
		for _, p := range []*Program{lasting, embedded} {
			now := p.Settled()
			t.Logf("%s, after %s: %s: %s", time.Since(began).Round(time.Second), fault.name, p.args[len(p.args)-4:], now)
			most := flat[p]
			if round < 2*len(faults) {
				flat[p] = most.most(now)
			} else if now.Heap > 1.1*most.Heap+heapNoise || now.Goroutines > most.Goroutines+10 || now.Files > most.Files+10 {
				t.Errorf("after %s: %s; in the first rounds at most %s", time.Since(began).Round(time.Second), now, most)
			}
		}
		time.Sleep(time.Until(minute))
	}
	for _, p := range append(onServer.programs, onFile.programs...) {
		if status, body := p.Ready(); status != http.StatusOK {
			t.Errorf("at the end /readyz answers %d %s", status, body)
		}
	}
	const copied = "copied"
	server.Exec("CREATE DATABASE " + copied + " CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci")
	server.Exec("GRANT ALL ON " + copied + ".* TO " + account + "@'%'")
	command(t, "copy", "--from", file, "--to", fmt.Sprintf("%s:%s@tcp(%s)/%s", account, password, server.Addr(), copied))
	t.Log("| store | fault | acknowledged | lost | twice | half | longest silence for writers, readers | statuses |")
	onServer.report(t, server, database)
	onFile.report(t, server, copied)
}

// report checks all loads of a store row by row, and logs a line for each.
func (s *soaked) report(t *testing.T, server *Server, database string) {
	t.Helper()
	var sum Found
	for i, load := range s.loads {
		f := load.CheckDatabase(server, database)
		t.Log("| " + s.name + " " + load.Row(s.faults[i], f))
		sum.Acknowledged += f.Acknowledged
		sum.Lost += f.Lost
		sum.Twice += f.Twice
		sum.Half += f.Half
	}
	t.Logf("%s: in all %+v", s.name, sum)
	if sum != (Found{Acknowledged: sum.Acknowledged}) || sum.Acknowledged == 0 {
		t.Errorf("%s: %+v", s.name, sum)
	}
}
