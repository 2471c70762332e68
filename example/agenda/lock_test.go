package main

import (
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// asProgram is the environment variable that makes the test binary run as the program, for tests that kill it.
const asProgram = "AGENDA_TEST_RUN_AS_PROGRAM"

// TestMain makes up to three tests per processor run at the same time, unless a flag sets another number: most of them
// wait, for an interval of the program, a process or the database.
//
// A test calls t.Parallel, and so does each of its subtests that has a site to itself. A test must not be parallel if it
//   - sets something of the whole process: an environment variable or the current directory (t.Setenv and t.Chdir reject
//     that), or a variable of a package (contract.Run and contract.Observe do, so only TestSuite calls them in parallel),
//   - checks something of the whole process, for instance which goroutines it has, or
//   - uses a database, a directory or a port that another test changes. Databases come from testdb, earlier or
//     demoDirectory, directories from t.TempDir, and ports from freeAddress, or the system chooses them.
//
// Tests that are not parallel run first, one after the other. Parallel subtests run after the function that started them
// has returned, so what they use must end in t.Cleanup and not in a deferred call. A test with several busy processes
// locks severalProcesses.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		_ = os.Unsetenv(asProgram)
		main()
	}
	// An import changes this setting of the process and restores it, unless the variable is set. Of several that run at the
	// same time, the last one would restore what another one had set. The value is that of testdb.
	if os.Getenv("GOGC") == "" {
		_ = os.Setenv("GOGC", "400")
	}
	flag.Parse()
	limited := false
	flag.Visit(func(f *flag.Flag) { limited = limited || f.Name == "test.parallel" })
	if !limited {
		_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	}
	os.Exit(m.Run())
}

// severalProcesses is locked by a test while several of its processes are busy, so that their number does not grow with
// the number of tests that run at the same time.
var severalProcesses sync.Mutex

// program starts the program in a separate process, which ends with the test.
func program(t *testing.T, out *output, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, out, args...)
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// command returns the command that runs the program in a separate process.
func command(t *testing.T, out *output, args ...string) *exec.Cmd {
	t.Helper()
	self := must.Get(os.Executable())(t)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stdout, cmd.Stderr = out, out
	return cmd
}

// until waits until the output of a program contains a match of the pattern, and returns the match.
func until(t *testing.T, out *output, pattern string) string {
	t.Helper()
	find := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if m := find.FindStringSubmatch(out.String()); m != nil {
			return m[len(m)-1]
		}
	}
	t.Fatalf("no %s in %s", pattern, out)
	return ""
}

// TestASecondServerOnADirectoryEnds checks that a second server on a directory ends, unless a flag allows it; that
// other commands work while a server runs; and that a killed server leaves no lock.
func TestASecondServerOnADirectoryEnds(t *testing.T) {
	t.Parallel()
	dir := demoDirectory(t)
	var out output
	first := program(t, &out, "-addr", "127.0.0.1:0", "-data", dir)
	address := until(t, &out, `pages (http://[^/ ]+)`)

	second := func() (int, string) {
		// With the same address, too, the error names the directory.
		code, _, text := ran(t, "-addr", strings.TrimPrefix(address, "http://"), "-data", dir)
		return code, text
	}
	code, text := second()
	if code != 2 || strings.Count(text, "\n") != 1 || !strings.Contains(text, "another server (process ") ||
		!strings.Contains(text, "-data-shared") {
		t.Errorf("code %d: %s", code, text)
	}
	for _, args := range [][]string{
		{"user", "list", "-data", dir}, {"user", "password", "-data", dir, "-login", "editor"}, {"doctor", "-data", dir},
		{"copy", "-from", dir, "-to", filepath.Join(t.TempDir(), "copy.db")},
	} {
		moved(t, 0, args...)
	}
	shared, end := server(t, "-data", dir, "-data-shared")
	if resp, body := get(t, shared+"/wp-json/vendor/events/v1/events"); resp.StatusCode != http.StatusOK ||
		strings.Contains(body, strings.TrimPrefix(address, "http://")) {
		t.Errorf("the second server answers %d with addresses of the first", resp.StatusCode)
	}
	if resp, body := get(t, address+"/wp-json/vendor/events/v1/events"); resp.StatusCode != http.StatusOK ||
		strings.Contains(body, strings.TrimPrefix(shared, "http://")) {
		t.Errorf("the first server answers %d with addresses of the second", resp.StatusCode)
	}
	ended(t, end)

	must.Succeed(t, first.Process.Kill())
	_ = first.Wait()
	_, end = server(t, "-data", dir)
	if code, text := second(); code != 2 {
		t.Errorf("code %d: %s", code, text)
	}
	ended(t, end)
}

// TestAddressesAreNotStoredAtEveryStart checks that responses contain the current address of the server, and that the
// database keeps the first one.
func TestAddressesAreNotStoredAtEveryStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored := func() (home string) {
		t.Helper()
		db := must.Get(embedded.Open(t.Context(), filepath.Join(dir, cli.FileName)))(t)
		defer db.Close()
		bound, err := schema.Bind(db, "wp_")
		must.Succeed(t, err)
		err = bound.NewSelect().Model((*schema.Option)(nil)).Column("option_value").Where("option_name = ?", schema.OptionHome).
			Scan(t.Context(), &home)
		must.Succeed(t, err)
		return home
	}
	first, end := server(t, "-data", dir)
	end()
	if got := stored(); got != first {
		t.Fatalf("a new database has the address %s, served at %s", got, first)
	}
	second := freeAddress(t)
	_, end = server(t, "-data", dir, "-addr", second, "-base-url", "http://town.example/wp-json")
	_, body := get(t, "http://"+second+"/wp-json/vendor/events/v1/events?per_page=50")
	if !strings.Contains(body, `http:\/\/town.example\/`) || strings.Contains(body, strings.ReplaceAll(first, "/", `\/`)) {
		t.Errorf("addresses of %s in what is served at http://town.example: %.500s", first, body)
	}
	end()
	if got := stored(); got != first {
		t.Errorf("the second start stored %s", got)
	}
}
