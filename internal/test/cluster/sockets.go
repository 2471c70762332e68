//go:build cluster

package cluster

import (
	"fmt"
	"os"
	"strings"
)

// owner tells which process opened a connection of loopback.
type owner struct {
	from, to int          // its two ports: the kernel gives the first one to connections to others as well
	known    map[int]bool // whether it is this process
}

// is reports whether it is a process.
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

// socketOf returns the inode of the socket that is connected from one port of loopback to another, "" for none.
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

// loopback is how the kernel's table names a port.
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
