// Usage runs the tests of packages and prints the processor time that they used: that of each test binary, that of the
// go command itself (compiling, linking, vetting), that of the database servers that tests started for themselves, which
// is not included in the others, and that of the server that all tests share.
//
//	go run ./.ci/usage ./...
package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// file is the environment variable with the name of the file to which the runs of test binaries are appended.
const file = "GOTEST_USAGE_FILE"

func main() {
	var err error
	if os.Getenv(file) != "" {
		err = runBinary(os.Args[1:]) // go test runs this program instead of each test binary
	} else {
		err = report(os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "usage:", err)
		os.Exit(1)
	}
}

// usage is the time that a test binary used.
type usage struct {
	name          string
	wall          time.Duration
	tests, server time.Duration // processor time of the binary, and of the children that it waited for
}

// runBinary runs a test binary and records its usage.
func runBinary(command []string) error {
	began := time.Now()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	// The process must not be waited for yet, so that its usage can still be read.
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		return err
	}
	own, children, err := used(strconv.Itoa(cmd.Process.Pid))
	if err != nil {
		return err
	}
	failed := cmd.Wait()
	line := fmt.Sprintln(command[0], time.Since(began).Milliseconds(), own.Milliseconds(), children.Milliseconds())
	to, err := os.OpenFile(os.Getenv(file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := to.WriteString(line); err != nil {
		return err
	}
	if err := to.Close(); err != nil {
		return err
	}
	return failed
}

// used returns the processor time of a process, and that of the children that it waited for.
func used(pid string) (own, children time.Duration, err error) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, 0, err
	}
	_, fields, _ := strings.Cut(string(stat), ") ")
	var times [4]int
	for i, text := range strings.Fields(fields)[11:15] { // utime, stime, cutime, cstime of proc(5)
		if times[i], err = strconv.Atoi(text); err != nil {
			return 0, 0, err
		}
	}
	const tick = 10 // milliseconds: USER_HZ is 100
	return milliseconds(tick * (times[0] + times[1])), milliseconds(tick * (times[2] + times[3])), nil
}

// shared returns the processor time of the server that tests shared, which runs for some seconds after the last of them.
// Its directory is found by the link that they leave in the directory of temporary files.
func shared(temporary string) (sum time.Duration, err error) {
	files, err := filepath.Glob(filepath.Join(temporary, "agenda-test-db-*", "pid"))
	if err != nil {
		return 0, err
	}
	for _, name := range files {
		pid, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		own, _, err := used(strings.TrimSpace(string(pid)))
		if err != nil {
			return 0, err
		}
		sum += own
	}
	return sum, nil
}

// report runs the tests and prints their usage, the greatest first.
func report(args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "agenda-usage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	notes := dir + "/notes"
	cmd := exec.Command("go", append([]string{"test", "-count=1", "-exec", self}, args...)...)
	cmd.Env = append(os.Environ(), file+"="+notes, "TMPDIR="+dir) // so that no other tests use the server
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	failed := cmd.Run()
	wall := time.Since(began)
	common, err := shared(dir)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(notes)
	if err != nil {
		return err
	}
	var all []usage
	var tests, servers time.Duration
	for line := range strings.Lines(string(text)) {
		u, elapsed, own, children := usage{}, 0, 0, 0
		if _, err := fmt.Sscan(line, &u.name, &elapsed, &own, &children); err != nil {
			return err
		}
		u.name = u.name[strings.LastIndex(u.name, "/")+1:]
		u.wall, u.tests, u.server = milliseconds(elapsed), milliseconds(own), milliseconds(children)
		tests, servers = tests+u.tests, servers+u.server
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b usage) int { return cmp.Compare(b.tests, a.tests) })
	fmt.Printf("\n%8s %8s %8s\n", "time", "tests", "servers")
	for _, u := range all {
		fmt.Printf("%8.1f %8.1f %8.1f  %s\n", u.wall.Seconds(), u.tests.Seconds(), u.server.Seconds(), u.name)
	}
	building := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - tests - servers
	fmt.Printf("%8s %8s %8.1f  the server that tests share\n%8s %8.1f %8s  compiling, linking, vetting\n", "", "", common.Seconds(),
		"", building.Seconds(), "")
	fmt.Printf("%8.1f %8.1f %8.1f  all, in seconds\n", wall.Seconds(), (tests + building).Seconds(), (servers + common).Seconds())
	return failed
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }
