package calendar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// Webhooks configures whether this process sends webhook messages, and to which addresses: see Calendar.AddWebhook.
type Webhooks struct {
	// Send makes this process send the messages of the site's webhooks, until Close. Several processes can share this
	// work. The function Register rejects it: use New. Default false.
	Send bool

	// Allow reports whether messages may be sent to a network address. Default: only to public addresses. If it always
	// returns true, everybody who may add webhooks can reach the server's own network.
	Allow func(netip.Addr) bool

	// Ports are the ports that addresses may contain or imply. Default: 80 and 443.
	Ports []uint16

	// Networks are additional networks to which messages may be sent, on any port.
	Networks []netip.Prefix
}

// Public reports whether an address is on the public internet. It is the default of Webhooks.Allow and Uploads.Allow.
func Public(a netip.Addr) bool { return media.Public(a) }

// Webhook is an address that is notified of changes.
type Webhook struct {
	ID      int64
	Address string
	Kinds   []string // collections whose changes it is notified of, such as "events"; nil for all
	Items   bool     // messages contain the item in the form in which everybody may read it
	Created time.Time

	Disabled string // why nothing is sent, such as "gone"; "" while it is enabled

	Waiting, Failed int64     // number of unsent messages, and how many of them failed permanently
	LastSuccess     time.Time // of the last message that was accepted; the zero time if there is none
	LastFailure     time.Time // of the last message that was not accepted
	Problem         string    // reason for the last failure
}

// newWebhooks returns the webhooks of a calendar's site. The rules for their addresses are those for downloading images.
func newWebhooks(c *Calendar) follow.Webhooks {
	o := &c.options
	m := &follow.Messages{
		Store: c.env.Content.Store, Root: c.own.List[0].Root.URL, Memory: o.Limits.Answers.pool, Logger: o.Logger, Now: o.Now,
		Fetcher: media.Fetcher{Allow: o.Webhooks.Allow, Ports: o.Webhooks.Ports, Networks: o.Webhooks.Networks},
		Own:     o.ourselves,
		Item:    func(ctx context.Context, path string) (json.RawMessage, error) { return publicItem(ctx, c, path) },
	}
	for _, kind := range c.events.Resources() {
		m.Kinds = append(m.Kinds, follow.MessageKind{Name: kind.Name, Collection: kind.Collection, Posts: kind.PostType != ""})
	}
	return follow.Webhooks{Messages: m}
}

// CodeWebhookNetwork is the Code of an Error of AddWebhook about an address that is rejected because of its network or
// port. Adding the network to Webhooks.Networks permits it.
const CodeWebhookNetwork = "rest_webhook_network"

// webhookError converts an error of webhooks to one for hosts.
func webhookError(ctx context.Context, c *Calendar, err error) error {
	refused, ok := errors.AsType[*follow.Refused](err)
	switch {
	case ok:
		e := &Error{Status: http.StatusBadRequest, Code: "rest_invalid_param", Message: "Invalid parameter(s): " + refused.Param,
			Params: map[string]string{refused.Param: refused.Reason}}
		if refused.Network {
			e.Code = CodeWebhookNetwork
		}
		return e
	case errors.Is(err, followstore.ErrNoJournal):
		e := api.ErrNoJournal
		return &Error{Status: e.Status, Code: e.Code, Message: c.texts[mountIn(ctx, c.own).Root.Tag].Text(e.Message.ID, nil)}
	case errors.Is(err, followstore.ErrNoWebhook):
		return &Error{Status: http.StatusNotFound, Code: "rest_webhook_not_found", Message: "There is no webhook with this number."}
	case errors.Is(err, followstore.ErrManyWebhooks):
		return &Error{Status: http.StatusBadRequest, Code: "rest_too_many_webhooks", Message: "There are 100 webhooks already: remove one."}
	}
	return err
}

// ourselves reports whether an address is on a host of this calendar.
func (o *Options) ourselves(address string) bool {
	return slices.ContainsFunc(o.Languages, func(l Language) bool {
		return follow.SameHost(address, l.BaseURL) || follow.SameHost(address, l.SiteURL)
	})
}

// documentedMessages returns the documentation of webhook messages, if there are webhooks when the document is created.
func documentedMessages(c *Calendar) []openapi.Webhook {
	if !c.options.Webhooks.Send {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	if list, err := c.Webhooks(ctx); err != nil || len(list) == 0 {
		return nil
	}
	answer := func(collection string) *jsonschema.Schema { return c.api.Operations(collection).Item.Get.Answer }
	return openapi.Messages(c.events.Resources(), answer)
}

// publicItem returns the item at a path in the form in which everybody may read it: null if nobody may, and nil if it
// is too large for a message.
func publicItem(ctx context.Context, c *Calendar, path string) (json.RawMessage, error) {
	const made = 2 // how many bytes of rows are read per byte of the answer, since not everything that is read is shown
	ctx = budget.AtMost(ctx, made*follow.MaxItem)
	w := &rest.Recorder{Most: follow.MaxItem}
	err := c.do(rest.Uncached(WithPrincipal(ctx, Principal{})), http.MethodGet, path, nil, nil, w)
	var refused *Error
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusRequestEntityTooLarge, err == nil && w.Beyond:
		return nil, nil
	case err == nil:
		return w.Body.Bytes(), nil
	case refused != nil && refused.Status < http.StatusInternalServerError: // it has been hidden or deleted since
		return json.RawMessage("null"), nil
	}
	return nil, err
}

// AddWebhook adds an address that is notified of what changes on the site, no matter which program changes it: of
// events, venues, organizers, categories and tags that everybody may read. Messages are signed according to Standard
// Webhooks 1.0. Kinds are the collections of which the address is notified, nil for all. If Items is true, messages
// contain the item. The secret is returned only once.
//
// The error is an *Error with status 400 if the address is not valid, is in a network that is not public, is on this
// calendar's host, or answers with a redirect. The site must have a journal: see schema.InstallJournal.
func (c *Calendar) AddWebhook(ctx context.Context, w Webhook) (added Webhook, secret string, err error) {
	row := &schema.Webhook{Address: w.Address, Items: w.Items}
	if err := c.webhooks.Add(ctx, row, w.Kinds); err != nil {
		return Webhook{}, "", webhookError(ctx, c, err)
	}
	return webhookOf(row, followstore.Counts{}), row.Secret, nil
}

// Webhooks returns the site's webhooks, without their secrets.
func (c *Calendar) Webhooks(ctx context.Context) (list []Webhook, err error) {
	rows, counts, err := c.webhooks.All(ctx)
	for _, row := range rows {
		list = append(list, webhookOf(row, counts[row.ID]))
	}
	return list, webhookError(ctx, c, err)
}

func webhookOf(row *schema.Webhook, n followstore.Counts) Webhook {
	w := Webhook{
		ID: row.ID, Address: row.Address, Items: row.Items, Created: timeOf(row.Created), Disabled: row.Disabled,
		Waiting: n.All, Failed: n.Failed, LastSuccess: timeOf(row.Succeeded), LastFailure: timeOf(row.Failed), Problem: row.Problem,
	}
	if row.Kinds != "" {
		w.Kinds = strings.Split(row.Kinds, ",")
	}
	return w
}

// timeOf converts milliseconds since 1970 to a time. It returns the zero time for 0.
func timeOf(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

// RemoveWebhook removes a webhook and its waiting messages.
func (c *Calendar) RemoveWebhook(ctx context.Context, id int64) error {
	return webhookError(ctx, c, c.webhooks.Remove(ctx, id))
}

// RotateWebhook generates a new secret for a webhook and returns it. For a day, messages are also signed with the
// previous one.
func (c *Calendar) RotateWebhook(ctx context.Context, id int64) (secret string, err error) {
	secret, err = c.webhooks.Rotate(ctx, id)
	return secret, webhookError(ctx, c, err)
}

// TestWebhook sends a message of the type webhook.test to a webhook, once and immediately. If the message is not
// accepted, the error contains the answer.
func (c *Calendar) TestWebhook(ctx context.Context, id int64) error {
	problem, err := c.webhooks.Test(ctx, id)
	if problem != "" {
		return fmt.Errorf("calendar: webhook %d: %s", id, problem)
	}
	return webhookError(ctx, c, err)
}

// ReplayWebhook enables a webhook, and tries all waiting messages again immediately, including those that failed
// permanently. If after is greater than 0, the webhook is also notified again of the changes after this position of the
// journal, as far as the journal still contains them: one message for each item that changed. ReplayWebhook returns the
// number of waiting messages.
func (c *Calendar) ReplayWebhook(ctx context.Context, id, after int64) (waiting int64, err error) {
	waiting, err = c.webhooks.Replay(ctx, id, after)
	return waiting, webhookError(ctx, c, err)
}
