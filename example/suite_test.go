package main

import (
	"context"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/sqlite"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/internal/suite"
	"github.com/agendahq/agenda/internal/testdb"
)

// TestSuite runs what holds on every engine on the embedded database, with the
// recorded site copied into it.
func TestSuite(t *testing.T) {
	recorded := copied(t, testdb.SiteA(t), "wp_")
	t.Run("recorded reads", func(t *testing.T) { suite.RecordedReads(t, recorded) })
	suite.Run(t, suite.Engine{
		Recorded: recorded,
		Blank:    blank,
		Copy:     func(t testing.TB, prefix string) *bun.DB { return copied(t, recorded, prefix) },
	})
}

// blank opens an empty embedded database that ends with the test.
func blank(t testing.TB) *bun.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Memory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// copied copies a site with the prefix wp_ into a blank database.
func copied(t testing.TB, from *bun.DB, prefix string) *bun.DB {
	t.Helper()
	db := blank(t)
	if err := transfer.Copy(context.Background(), from, db, "wp_", prefix, nil); err != nil {
		t.Fatal(err)
	}
	return db
}
