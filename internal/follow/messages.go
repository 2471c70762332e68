package follow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/webhook"
	"github.com/agendahq/agenda/schema"
)

// postTimeout bounds an attempt to send a message.
const postTimeout = 20 * time.Second

// MaxItem is the maximum size in bytes of an item in a message.
const MaxItem = 256 << 10

// ErrOwnAddress is the error for an address on a host of the calendar itself, to which nothing is sent.
var ErrOwnAddress = errors.New("the address is that of this calendar")

// AddressReasons say why nothing is sent to an address, by the reasons of package media.
var AddressReasons = map[string]string{
	"url":         "use an http or https address without a user name",
	"port":        "the port of the address is not allowed",
	"address":     "the address leads to a network that is not public",
	"unreachable": "the name of the host is unknown",
	"timeout":     "the name of the host could not be looked up in time",
}

// Messages are the messages to the webhooks of a site about its changes.
type Messages struct {
	Store  *store.Store
	Kinds  []MessageKind // the kinds of items that messages are about
	Root   string        // address of the API
	Memory *budget.Pool  // bounds the memory of bodies that are being sent
	Logger *slog.Logger
	Now    func() time.Time

	// Fetcher posts messages to the addresses that it allows. Own reports whether an address is on a host of the
	// calendar itself.
	Fetcher media.Fetcher
	Own     func(address string) bool

	// Item returns the JSON of the item at a path of the API as everybody may read it: null if nobody may, nil if it is
	// larger than MaxItem.
	Item func(ctx context.Context, path string) (json.RawMessage, error)
}

// MessageKind is a kind of items that messages are about.
type MessageKind struct {
	Name       string // of one item, such as "event"
	Collection string // such as "events"
	Posts      bool   // the items have a status
}

// Check returns an error for an address to which nothing is sent: ErrOwnAddress or a *media.Error.
func (m *Messages) Check(ctx context.Context, address string) error {
	if m.Own(address) {
		return ErrOwnAddress
	}
	return m.fetcher().CheckAddress(ctx, address)
}

// AllowedPorts returns the ports that addresses may contain or imply.
func (m *Messages) AllowedPorts() []uint16 { return m.fetcher().AllowedPorts() }

func (m *Messages) fetcher() *media.Fetcher {
	f := m.Fetcher
	f.Timeout = postTimeout
	return &f
}

// Test sends a webhook one message without content and returns the status of the answer.
func (m *Messages) Test(ctx context.Context, j *followstore.Journal, row *schema.Webhook) (status int, err error) {
	head, err := j.Head(ctx)
	if err != nil {
		return 0, err
	}
	body, err := m.body(ctx, nil, row, &schema.Delivery{Type: "webhook.test", Sequence: head.Sequence, Moment: time.Now().UnixMilli()})
	if err != nil {
		return 0, err
	}
	status, _, err = m.post(ctx, row, webhook.NewID(), body)
	return status, err
}

// post sends a message, signed with the webhook's secret, and for a day after a change of secret also with the previous
// one.
func (m *Messages) post(ctx context.Context, row *schema.Webhook, id string, body []byte) (int, http.Header, error) {
	if m.Own(row.Address) {
		return 0, nil, ErrOwnAddress
	}
	at := time.Now()
	key, err := webhook.Secret(row.Secret)
	if err != nil {
		return 0, nil, err
	}
	keys := [][]byte{key}
	if old, err := webhook.Secret(row.OldSecret); err == nil && at.UnixMilli() < row.OldUntil {
		keys = append(keys, old)
	}
	signature, timestamp := webhook.Sign(id, at, body, keys...)
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range map[string]string{
		webhook.HeaderID: id, webhook.HeaderTimestamp: timestamp, webhook.HeaderSignature: signature,
	} {
		header.Set(name, value)
	}
	return m.fetcher().Post(ctx, row.Address, header, body)
}

// message is the body of a message.
type message struct {
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"` // of the change
	Data      messageData `json:"data"`
}

type messageData struct {
	Kind      string          `json:"kind,omitempty"`
	ID        int64           `json:"id,omitempty"`
	Operation string          `json:"operation,omitempty"`
	Address   string          `json:"address,omitempty"` // in the API
	Position  int64           `json:"position"`          // in the journal
	Item      json.RawMessage `json:"item,omitempty"`    // as everybody may read it, null if nobody may
	Omitted   bool            `json:"item_omitted,omitempty"`
}

// body returns the body of a message, after claiming memory for it. An item that is too large is left out: a receiver
// can read it at its address.
func (m *Messages) body(ctx context.Context, claim *budget.Claim, row *schema.Webhook, d *schema.Delivery) ([]byte, error) {
	b := message{Type: d.Type, Timestamp: time.UnixMilli(d.Moment).UTC().Format(time.RFC3339Nano), Data: messageData{Position: d.Sequence}}
	if d.Kind == "" {
		return json.Marshal(b)
	}
	path := fmt.Sprintf("/%s/%d", d.Kind, d.ObjectID)
	b.Data.Kind, b.Data.ID, b.Data.Operation = d.Kind, d.ObjectID, d.Operation
	b.Data.Address = m.Root + path
	if row.Items && d.Operation != followstore.ToldDelete {
		item, err := m.Item(ctx, path)
		if err != nil {
			return nil, err
		}
		b.Data.Item, b.Data.Omitted = item, item == nil
	}
	const copies = 3 // the item, the body, and the encoder's buffer
	if err := claim.Wait(copies * int64(len(b.Data.Item))); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(b)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}
