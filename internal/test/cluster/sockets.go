//go:build cluster

package cluster

import (
	"fmt"
	"os"
	"strings"
)

// owner determines which process opened a loopback connection.
type owner struct {
	from, to int          // both ports of the connection: the kernel assigns the first one to connections to other servers, too
	known    map[int]bool // maps process ids to whether they own the connection
}

// is reports whether the process with the id owns the connection.
func (o *owner) is(pid int) bool {
	if _, asked := o.known[pid]; !asked {
		inode := socketOf(o.from, o.to)
		if inode == "" {
			return false // the kernel's table may lack a line while it changes: ask again
		}
		o.known[pid] = hasFile(pid, "socket:["+inode+"]")
	}
	return o.known[pid]
}

// socketOf returns the inode of the socket that is connected from one loopback port to another, or "".
func socketOf(from, to int) string {
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(table)) {
		column := strings.Fields(line)
		if len(column) > 9 && column[1] == loopback(from) && column[2] == loopback(to) && column[9] != "0" {
			return column[9]
		}
	}
	return ""
}

// loopback returns a port in the format of the kernel's table.
func loopback(port int) string { return fmt.Sprintf("0100007F:%04X", port) }

func hasFile(pid int, name string) bool {
	dir := fmt.Sprintf("/proc/%d/fd/", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, file := range files {
		if is, err := os.Readlink(dir + file.Name()); err == nil && is == name {
			return true
		}
	}
	return false
}
