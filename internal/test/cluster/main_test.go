//go:build cluster

package cluster

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "agenda-cluster-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	go watchMachine()
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
