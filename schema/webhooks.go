package schema

import "github.com/uptrace/bun"

// The tables of webhooks are created and removed together with those of the journal, which webhooks follow: see
// InstallJournal.
var webhookDefinitions = []table{
	{name: "agenda_webhooks", columns: []column{
		{"id", autoID}, {"address", text}, {"kinds", word(255, "")}, {"items", mark}, {"secret", word(128, "")},
		{"old_secret", word(128, "")}, {"old_until", counter}, {"created", counter}, {"disabled", word(32, "")},
		{"succeeded", counter}, {"failed", counter}, {"problem", word(255, "")},
	}},
	{name: "agenda_deliveries", columns: []column{
		{"id", ownWord}, {"webhook_id", owner}, {"type", ownWord}, {"kind", ownWord}, {"object_id", reference}, {"operation", ownWord},
		{"sequence", counter}, {"number", counter}, {"moment", counter}, {"created", counter}, {"tries", counter}, {"due", counter},
		{"holder", word(64, "")}, {"held_until", counter}, {"problem", word(255, "")},
	}, primary: "id", keys: []key{
		{name: "webhook_due", columns: []string{"webhook_id", "due"}},
		{name: "webhook_object", columns: []string{"webhook_id", "kind", "object_id"}},
	}},
}

// Webhook is a URL that is notified of changes. The table is one of Agenda's own: see InstallJournal.
type Webhook struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_webhooks,alias:wh"`

	ID        int64  `bun:"id,pk,autoincrement"`
	Address   string `bun:"address"`
	Kinds     string `bun:"kinds"` // comma-separated collections to be notified of; "" for all
	Items     bool   `bun:"items"` // messages contain the item, as anonymous callers see it
	Secret    string `bun:"secret"`
	OldSecret string `bun:"old_secret"` // also used for signatures until OldUntil
	OldUntil  int64  `bun:"old_until"`  // all times are Unix times in milliseconds
	Created   int64  `bun:"created"`
	Disabled  string `bun:"disabled"`  // why nothing is sent; "" if the webhook is enabled
	Succeeded int64  `bun:"succeeded"` // when a delivery last succeeded
	Failed    int64  `bun:"failed"`    // when a delivery last failed
	Problem   string `bun:"problem"`   // why it failed
}

// Delivery is a message to be sent to a Webhook. The table is one of Agenda's own: see InstallJournal.
type Delivery struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_deliveries,alias:de"`

	ID        string `bun:"id,pk"` // the same for all attempts
	Webhook   int64  `bun:"webhook_id"`
	Type      string `bun:"type"` // such as "event.updated", or DeliverySync
	Kind      string `bun:"kind"` // of the item; "" if the message is not about one
	ObjectID  int64  `bun:"object_id"`
	Operation string `bun:"operation"`
	Sequence  int64  `bun:"sequence"` // sequence number of the newest change that it is about
	Number    int64  `bun:"number"`   // sequence number of the first such change, which determines the order
	Moment    int64  `bun:"moment"`   // time of that change
	Created   int64  `bun:"created"`
	Tries     int64  `bun:"tries"`
	Due       int64  `bun:"due"` // time of the next attempt; DeliveryNever if it has failed for good
	Holder    string `bun:"holder"`
	Until     int64  `bun:"held_until"`
	Problem   string `bun:"problem"`
}

// DeliverySync is the type of a message that replaces too many others and asks the receiver to synchronize.
const DeliverySync = "sync.required"

// DeliveryNever is the Due of a delivery that has failed for good.
const DeliveryNever = 1 << 62
