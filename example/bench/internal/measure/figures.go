package measure

import (
	"bytes"
	"os"
	"runtime/metrics"
	"strconv"
)

// figures are the figures of a server's process at one time. All except the memory only increase.
type figures struct {
	Statements int64
	Allocs     int64
	AllocBytes int64
	CPU        int64 // in milliseconds; 0 if the system does not report it
	RSS, Peak  int64 // in bytes; 0 if the system does not report them
}

const (
	metricAllocs = "/gc/heap/allocs:objects"
	metricTiny   = "/gc/heap/tiny/allocs:objects"
	metricBytes  = "/gc/heap/allocs:bytes"
)

func figuresNow(statements int64) figures {
	s := []metrics.Sample{{Name: metricAllocs}, {Name: metricTiny}, {Name: metricBytes}}
	metrics.Read(s)
	f := figures{
		Statements: statements, Allocs: int64(s[0].Value.Uint64() + s[1].Value.Uint64()), AllocBytes: int64(s[2].Value.Uint64()),
		CPU: cpu(),
	}
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		f.RSS, f.Peak = kilobytes(status, "VmRSS:"), kilobytes(status, "VmHWM:")
	}
	return f
}

// since returns what was used since earlier figures, without the memory.
func (f figures) since(before figures) figures {
	return figures{
		// The server counts statements in 32 bits, which may overflow.
		Statements: int64(uint32(f.Statements) - uint32(before.Statements)),
		Allocs:     f.Allocs - before.Allocs, AllocBytes: f.AllocBytes - before.AllocBytes, CPU: f.CPU - before.CPU,
	}
}

// kilobytes parses a line of a process's status.
func kilobytes(status []byte, name string) int64 {
	_, rest, _ := bytes.Cut(status, []byte(name))
	if fields := bytes.Fields(rest); len(fields) > 0 {
		n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
		return n << 10
	}
	return 0
}

// tick is the number of milliseconds per unit of time in a process's stat, which is the same on all systems.
const tick = 10

// cpu returns the processor time of the process in milliseconds, including system calls.
func cpu() int64 {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may contain anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(string(fields[11]), 10, 64)
	system, _ := strconv.ParseInt(string(fields[12]), 10, 64)
	return (user + system) * tick
}

// resetPeak resets the peak of the memory that the system records.
func resetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }
