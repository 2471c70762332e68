package openapi

import (
	"net/http"

	"github.com/agendahq/agenda/internal/shape"
)

// headersOf are those of answers without success.
func headersOf(status int) []string {
	switch status {
	case http.StatusNotModified:
		return []string{"Allow", "Content-Language", "ETag"}
	case http.StatusConflict, // a request that is running, no other conflict
		http.StatusServiceUnavailable: // not where it is unknown whether a write without a key was stored
		return []string{"Content-Language", "Retry-After-Optional"}
	case http.StatusTooManyRequests:
		return []string{"Content-Language", "Retry-After"}
	}
	return []string{"Content-Language"}
}

// headers writes the headers that answers refer to.
func (d *document) headers() {
	d.KeyObject("headers")
	for _, h := range []struct {
		name, about string
		always      bool
		s           *shape.Shape
	}{
		{"Allow", "doc_header_allow", true, shape.Text().Example("GET, POST")},
		{"Content-Disposition", "doc_header_disposition", false, shape.Text().Example(`attachment; filename="events.ics"`)},
		{"Content-Language", "doc_header_language", true, shape.Text().Example("en")},
		{"ETag", "doc_header_etag", true, shape.Text().Example(`"Yk8-2Q.x1"`)},
		{"ETag-List", "doc_header_etag_list", false, shape.Text().Example(`W/"x1"`)},
		{"Idempotency-Replayed", "doc_header_idempotency_replayed", false, shape.Only("true")},
		{"Link", "doc_header_link", true, shape.Text().Example(
			`<https://example.org/wp-json/>; rel="https://api.w.org/", ` +
				`<https://example.org/wp-json/vendor/events/v1/events/?page=2>; rel="next"`)},
		{"Location", "doc_header_location", true, shape.Text().Example("https://example.org/wp-json/vendor/events/v1/events/123")},
		{"Retry-After", "doc_header_retry_after", true, shape.Int().From(1)},
		{"Retry-After-Optional", "doc_header_retry_after", false, shape.Int().From(1)},
		{"X-TEC-Total", "doc_header_total", true, shape.Int().From(0)},
		{"X-TEC-TotalPages", "doc_header_total_pages", true, shape.Int().From(0)},
		{"X-WP-Total", "doc_header_total", true, shape.Int().From(0)},
		{"X-WP-TotalPages", "doc_header_total_pages", true, shape.Int().From(0)},
		{"X-WP-Nonce", "doc_header_nonce", false, shape.Text().Example("0a1b2c3d4e")},
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
