// Package docs displays an OpenAPI document with Swagger UI. All of that is embedded in the program: the page loads
// nothing from other sites.
package docs

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"
)

// Options are the addresses of the parts of the documentation, and its title.
type Options struct {
	Title    string // of the page
	Document string // path of the OpenAPI document
	Base     string // path of the page, with a trailing slash
	Origin   string // origin of the API's public address, to which the page may send requests besides its own origin
}

// Assets lists the names of the files that the page loads, below its path.
var Assets = []string{
	"swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "favicon-16x16.png", "favicon-32x32.png",
}

// Handler serves the page and its files.
type Handler struct {
	base, policy string
	page         []byte
	files        http.Handler
}

// onlyTyped is a plugin of Swagger UI that makes forms send only what was typed. Without it, Swagger UI fills in the
// example or the default of each field, optional fields included, and sends empty values too, because "Send empty
// value" is ticked. It recognizes a form field by the missing media type when Swagger UI requests a sample value.
const onlyTyped = `{
	afterLoad() {
		const { getSampleSchema, getSchemaObjectType } = this.fn
		this.fn.getSampleSchema = (schema, type, ...more) => {
			if (type !== false) return getSampleSchema(schema, type, ...more)
			return getSchemaObjectType(schema) === "array" ? [] : ""
		}
	},
	wrapComponents: {
		ParameterIncludeEmpty: (Original, { React }) => (props) =>
			React.createElement(Original, { ...props, isIncludedOptions: { ...props.isIncludedOptions, defaultValue: false } }),
	},
}`

// New returns the handler of a document's page.
func New(o Options) (*Handler, error) {
	ui := v5emb.NewHandlerWithConfig(swgui.Config{
		Title: o.Title, SwaggerJSON: o.Document, BasePath: o.Base,
		AppendHead: `<meta name="viewport" content="width=device-width, initial-scale=1">`,
		SettingsUI: map[string]string{"plugins": "[SwaggerUIBundle.plugins.DownloadUrl, " + onlyTyped + "]"},
	})
	r, err := http.NewRequest(http.MethodGet, o.Base, nil)
	if err != nil {
		return nil, err
	}
	made := page{header: http.Header{}}
	if ui.ServeHTTP(&made, r); made.failed {
		return nil, errors.New("the page of the documentation: " + made.String())
	}
	text := made.Bytes()
	return &Handler{base: o.Base, page: text, files: ui, policy: strings.Join([]string{
		"default-src 'none'", "script-src 'self'" + hashes(text, scripts), "style-src 'self'" + hashes(text, styles),
		"img-src 'self' data:", "connect-src 'self' " + o.Origin, "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
	}, "; ")}, nil
}

// These match the parts that are inline in the page.
var (
	scripts = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	styles  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
)

// hashes returns the sources by which a Content-Security-Policy allows the inline parts of a page, and no others.
func hashes(page []byte, parts *regexp.Regexp) (sources string) {
	for _, part := range parts.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(part[1])
		sources += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return sources
}

// ServeHTTP serves the page at its path, and its files below.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	header.Set("Content-Security-Policy", h.policy)
	if r.URL.Path != h.base {
		header.Set("Cache-Control", "public, max-age=3600")
		h.files.ServeHTTP(w, r)
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	if r.Method != http.MethodHead {
		_, _ = w.Write(h.page) // the visitor may have gone
	}
}

// page records the answer of a handler.
type page struct {
	bytes.Buffer
	header http.Header
	failed bool
}

func (p *page) Header() http.Header { return p.header }

func (p *page) WriteHeader(status int) { p.failed = status != http.StatusOK }
