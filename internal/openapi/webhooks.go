package openapi

import (
	"github.com/agendahq/agenda/internal/jsonschema"
)

// Webhook is a message that is sent to subscribers' URLs.
type Webhook struct {
	Name    string // type of the message
	Summary string // message id
	Body    *jsonschema.Schema
}

// webhooks writes the messages that are sent, if there are any.
func (d *document) webhooks(list []Webhook) {
	if len(list) == 0 {
		return
	}
	d.KeyObject("webhooks")
	for _, w := range list {
		d.KeyObject(w.Name)
		d.KeyObject("post")
		d.KeyString("summary", d.message(w.Summary))
		d.KeyArray("parameters")
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			d.Object()
			d.KeyString("name", name)
			d.KeyString("in", "header")
			d.KeyBool("required", true)
			d.Key("schema")
			d.schema(jsonschema.Text(), "")
			d.End()
		}
		d.End()
		d.KeyObject("requestBody")
		d.KeyBool("required", true)
		d.KeyObject("content")
		d.media("application/json", w.Body)
		d.End()
		d.End()
		d.KeyObject("responses")
		d.KeyObject("2XX")
		d.describe("doc_webhook_taken")
		d.End()
		d.End()
		d.End()
		d.End()
	}
	d.End()
}
