//go:build cluster

package cluster

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// TestVitessAnswersAsRecorded checks that recorded sites are read and written through vtgate as on a server.
func TestVitessAnswersAsRecorded(t *testing.T) {
	v := NewVitess(t, 2)
	for _, c := range []struct {
		name, site string
		replay     func(*testing.T, *bun.DB)
	}{
		{"reads", "site_a", contract.RecordedReads},
		{"writes", "site_a", contract.RecordedWrites},
		{"reads of dates", "site_dates", contract.RecordedReadsOfDates},
		{"reads of each date", "site_dates", contract.RecordedReadsOfEachDate},
		{"writes of dates", "site_dates", contract.RecordedWritesOfDates},
		{"writes of each date", "site_dates", contract.RecordedWritesOfEachDate},
	} {
		t.Run(c.name, func(t *testing.T) { c.replay(t, testdb.SiteBehind(t, DSN(v.Addr(), ""), c.site)) })
	}
}

// TestVitessChangesItsPrimary checks that while the primary changes, both planned and after a failure, no write is
// lost, executed twice or stored partially, and no response has status 500. Responses are cached, and none must be too
// old.
func TestVitessChangesItsPrimary(t *testing.T) {
	v := NewVitess(t, 3)
	dsn := DSN(v.Addr(), "&timeout=1s")
	Install(t, dsn)
	processes := []*Program{Serve(t, dsn), Serve(t, dsn)}
	name, err := binary()
	must(t, err)
	out, err := exec.Command(name, "doctor", "--dsn", dsn).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "changes are detected by global transaction identifiers") {
		t.Errorf("doctor: %v: %s", err, out)
	}
	t.Log("| fault | acknowledged | lost | twice | half | longest silence for writers, readers | statuses |")
	for _, fault := range []struct {
		name  string
		begin func() []*Server // returns the remaining servers
	}{
		{"planned change of the primary", func() []*Server { v.Change(); return v.Servers }},
		{"kill -9 of the primary and its tablet", v.Fail},
	} {
		load := Start(t, Clients{Writers: 4, Readers: 4, Patience: 20 * time.Second}, processes...)
		w := &watched{t: t, seen: map[string]int{}}
		stop := w.readYourWrites(processes)
		time.Sleep(5 * time.Second)
		left := fault.begin()
		time.Sleep(10 * time.Second)
		load.Stop()
		stop(fault.name)
		v.until("all have what the primary has", func() error { return v.level(left) })
		load.whole(fault.name, left...)
		load.onlyUnavailable(fault.name)
	}
	for _, p := range processes {
		if _, figures := get(once(10*time.Second), p.metrics); !strings.Contains(figures, `outcome="hit"`) {
			t.Errorf("nothing was answered from memory: %s", figures)
		}
	}
}
