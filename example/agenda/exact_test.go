package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// TestLongExact runs the test of the same name in package calendar on the embedded database.
func TestLongExact(t *testing.T) {
	path := filepath.Join(t.TempDir(), cli.FileName)
	contract.NewExact(t, calendar.Cache{Settle: 3 * time.Second}, func(c *testdb.Counter) *bun.DB { return countedFile(t, path, c) }).Run(0)
}
