package openapi

import (
	"github.com/agendahq/agenda/internal/jsonschema"
)

// headers writes the headers that responses refer to.
func (d *document) headers() {
	d.KeyObject("headers")
	for _, h := range []struct {
		name, about string
		always      bool
		s           *jsonschema.Schema
	}{
		{"Content-Disposition", "doc_header_disposition", false, jsonschema.Text().Example(`attachment; filename="events.ics"`)},
		{"ETag", "doc_header_etag", true, jsonschema.Text().Example(`"Yk8-2Q.x1"`)},
		{"ETag-List", "doc_header_etag_list", false, jsonschema.Text().Example(`W/"x1"`)},
		{"Link", "doc_header_link", true, jsonschema.Text().Example(
			`<https://example.org/wp-json/>; rel="https://api.w.org/", ` +
				`<https://example.org/wp-json/vendor/events/v1/events/?page=2>; rel="next"`)},
		{"Location", "doc_header_location", true, jsonschema.Text().Example("https://example.org/wp-json/vendor/events/v1/events/123")},
		{"X-WP-Total", "doc_header_total", false, jsonschema.Int().From(0)},
		{"X-WP-TotalPages", "doc_header_total_pages", false, jsonschema.Int().From(0)},
	} {
		d.KeyObject(h.name)
		d.describe(h.about)
		d.KeyBool("required", h.always)
		d.Key("schema")
		d.schema(h.s, "")
		d.End()
	}
	d.End()
}
