package openapi

import (
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// summaries maps operations to the message ids of their summaries.
var summaries = map[string]string{
	followstore.ToldCreate: "summary_webhook_create", followstore.ToldUpdate: "summary_webhook_update",
	followstore.ToldDelete: "summary_webhook_delete",
}

// Messages returns the documentation of webhook messages about kinds of items. answer returns the schema of an item of a
// collection.
func Messages(kinds []*item.Resource, answer func(collection string) *jsonschema.Schema) (list []Webhook) {
	position := jsonschema.Has("position", jsonschema.Int().From(0).Example(345))
	// The schemas are unnamed: generators of clients omit named ones that no operation uses.
	body := func(kind string, data *jsonschema.Schema) *jsonschema.Schema {
		stamp := jsonschema.Text().Example("2031-05-01T10:00:00.123Z")
		stamp.Format = "date-time"
		return jsonschema.Object("", jsonschema.Has("type", jsonschema.Only(kind)), jsonschema.Has("timestamp", stamp),
			jsonschema.Has("data", data)).Undescribed()
	}
	empty := jsonschema.Object("", position).Undescribed()
	for _, kind := range kinds {
		one := answer(kind.Collection)
		for _, operation := range []string{followstore.ToldCreate, followstore.ToldUpdate, followstore.ToldDelete} {
			told := kind.Name + "." + operation + "d"
			members := []jsonschema.Member{
				jsonschema.Has("kind", jsonschema.Only(kind.Collection)), jsonschema.Has("id", jsonschema.Int().From(1).Example(123)),
				jsonschema.Has("operation", jsonschema.Only(operation)),
				jsonschema.Has("address", jsonschema.Text().
					Example("https://example.org/wp-json/vendor/events/v1/"+kind.Collection+"/123")),
				position,
			}
			if operation != followstore.ToldDelete {
				members = append(members, jsonschema.Optional("item", jsonschema.OneOf(one, jsonschema.Null())),
					jsonschema.Optional("item_omitted", jsonschema.Only(true)))
			}
			list = append(list, Webhook{
				Name: told, Summary: summaries[operation],
				Body: body(told, jsonschema.Object("", members...).Undescribed()),
			})
		}
	}
	return append(list,
		Webhook{Name: schema.DeliverySync, Summary: "summary_webhook_sync", Body: body(schema.DeliverySync, empty)},
		Webhook{Name: "webhook.test", Summary: "summary_webhook_test", Body: body("webhook.test", empty)})
}
