package schema

import "github.com/uptrace/bun"

// The tables of webhooks are made and removed with those of the journal, which they follow: see InstallJournal.
var webhookDefinitions = []table{
	{name: webhooksTable, columns: []column{
		{"id", autoID}, {"address", text}, {"kinds", word(255, "")}, {"items", mark}, {"secret", word(128, "")},
		{"old_secret", word(128, "")}, {"old_until", counter}, {"created", counter}, {"disabled", word(32, "")},
		{"succeeded", counter}, {"failed", counter}, {"problem", word(255, "")},
	}},
	{name: deliveriesTable, columns: []column{
		{"id", ownWord}, {"webhook_id", owner}, {"type", ownWord}, {"kind", ownWord}, {"object_id", reference}, {"operation", ownWord},
		{"sequence", counter}, {"number", counter}, {"moment", counter}, {"created", counter}, {"tries", counter}, {"due", counter},
		{"holder", word(64, "")}, {"held_until", counter}, {"problem", word(255, "")},
	}, primary: "id", keys: []key{
		{name: "webhook_due", columns: []string{"webhook_id", "due"}},
		{name: "webhook_object", columns: []string{"webhook_id", "kind", "object_id"}},
	}},
}

// Webhook is an address that is told of changes. The table is this package's own: see InstallJournal.
type Webhook struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_webhooks,alias:wh"`

	ID        int64  `bun:"id,pk,autoincrement"`
	Address   string `bun:"address"`
	Kinds     string `bun:"kinds"` // that it is told of, with commas between them; "" for all
	Items     bool   `bun:"items"` // messages have the item as everybody may read it
	Secret    string `bun:"secret"`
	OldSecret string `bun:"old_secret"` // that signs too, until OldUntil
	OldUntil  int64  `bun:"old_until"`  // times are in milliseconds since 1970
	Created   int64  `bun:"created"`
	Disabled  string `bun:"disabled"`  // why nothing is sent, "" while it is
	Succeeded int64  `bun:"succeeded"` // when a message was taken last
	Failed    int64  `bun:"failed"`    // when one was not
	Problem   string `bun:"problem"`   // why
}

// Delivery is a message that waits for a Webhook. The table is this package's own: see InstallJournal.
type Delivery struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_deliveries,alias:de"`

	ID        string `bun:"id,pk"` // the same in all tries
	Webhook   int64  `bun:"webhook_id"`
	Type      string `bun:"type"` // "event.updated"; one of DeliverySync
	Kind      string `bun:"kind"` // of the item, "" for a message about none
	ObjectID  int64  `bun:"object_id"`
	Operation string `bun:"operation"`
	Sequence  int64  `bun:"sequence"` // of the newest change that it is about
	Number    int64  `bun:"number"`   // its place: the sequence of the first such change
	Moment    int64  `bun:"moment"`   // of that change
	Created   int64  `bun:"created"`
	Tries     int64  `bun:"tries"`
	Due       int64  `bun:"due"` // when to try next, DeliveryNever for one that failed for good
	Holder    string `bun:"holder"`
	Until     int64  `bun:"held_until"`
	Problem   string `bun:"problem"`
}

// DeliverySync is the type of a message in place of too many: it asks for a sync.
const DeliverySync = "sync.required"

// DeliveryNever is when a message is due that failed for good.
const DeliveryNever = 1 << 62
