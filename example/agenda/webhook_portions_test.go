package main

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestReplayInPortions checks that the messages of a webhook that is enabled again are updated in portions, since proxies
// reject statements that change too many rows.
func TestReplayInPortions(t *testing.T) {
	const many = store.Portion + 1
	counter := new(testdb.Counter)
	j := journalOf(t, testdb.SiteDates(t, testdb.WithCounter(counter)))
	hooks := j.opened().Webhooks()
	hook := &schema.Webhook{Address: "https://receiver.example/"}
	must.Succeed(t, hooks.Add(t.Context(), hook))
	const digits = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 " +
		"UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
	j.run(fmt.Sprintf("INSERT INTO wp_agenda_deliveries (id, webhook_id, type, kind, object_id, operation, sequence, number, tries, due) "+
		"SELECT n, %d, 'event.updated', 'events', 100000 + n, 'update', 1, 1, 10, %d FROM (SELECT 1000 * a.d + 100 * b.d + 10 * c.d + e.d "+
		"AS n FROM %s a, %s b, %s c, %s e) AS numbers WHERE n < %d", hook.ID, int64(schema.DeliveryNever), digits, digits, digits, digits,
		many))
	counter.MaxRows(store.Portion)
	waiting, err := hooks.Enable(t.Context(), hook.ID)
	if err != nil || waiting != many {
		t.Errorf("%d messages wait, want %d: %v", waiting, many, err)
	}
	var ready int
	err = j.db.NewRaw("SELECT COUNT(*) FROM wp_agenda_deliveries WHERE tries = 1 AND due < ?", int64(schema.DeliveryNever)).
		Scan(t.Context(), &ready)
	if err != nil || ready != many {
		t.Errorf("%d messages are due: %v", ready, err)
	}
}
