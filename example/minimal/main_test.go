package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// child is the environment variable that makes the test binary run as the program.
const child = "AGENDA_TEST_MINIMAL"

func TestMain(m *testing.M) {
	if os.Getenv(child) != "" {
		main()
	}
	os.Exit(m.Run())
}

func program(t *testing.T, dsn, addr string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1", "GIN_MODE=release", "DSN="+dsn, "ADDR="+addr)
	return cmd
}

func TestEventsOfASite(t *testing.T) {
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	addr := free.Addr().String()
	free.Close()
	cmd := program(t, testdb.DSNOf(t, testdb.SiteA(t)), addr)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	must.Succeed(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var answer *http.Response
	for answer == nil {
		select {
		case err := <-ended:
			t.Fatalf("the program ended: %v", err)
		case <-time.After(10 * time.Millisecond):
			answer, _ = http.Get("http://" + addr + "/wp-json/vendor/events/v1/events?start_date=2000-01-01&per_page=2")
		}
	}
	defer answer.Body.Close()
	var list struct {
		Events []struct{ Title string }
		Total  int
	}
	if err := json.NewDecoder(answer.Body).Decode(&list); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d: %v", answer.StatusCode, err)
	}
	if len(list.Events) != 2 || list.Events[0].Title == "" || list.Total < 2 {
		t.Errorf("%+v", list)
	}
}

// TestWhatIsMissing checks that the error for a database without the tables of a site names them.
func TestWhatIsMissing(t *testing.T) {
	for dsn, want := range map[string]string{testdb.DSN(t): "wp_posts", "nonsense": "DSN"} {
		said, err := program(t, dsn, "127.0.0.1:0").CombinedOutput()
		if err == nil || !strings.Contains(string(said), want) {
			t.Errorf("%v, %s: want %q", err, said, want)
		}
	}
}
