package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// SourceSelf, in Options.Sources, permits scripts and fonts of this server.
const SourceSelf = "'self'"

// policy determines the Content-Security-Policy of the pages.
type policy struct {
	sources   []string // additional origins
	ancestors string   // of the pages below /embed/: value of frame-ancestors
}

// newPolicy validates the options. It rejects addresses of files that browsers would not load because of the policy,
// since that would go unnoticed. If the options are invalid, it ignores all of them, since a source with further text
// could change the policy.
func newPolicy(o Options, host string) (policy, error) {
	ancestors, err := checkAncestors(o.FrameAncestors)
	if err != nil {
		err = fmt.Errorf("pages: options: FrameAncestors: %w", err)
	}
	if err = errors.Join(err, checkSources(o, host)); err != nil {
		return policy{ancestors: "'none'"}, err
	}
	return policy{o.Sources, ancestors}, nil
}

// frames reports whether any other sites may frame pages.
func (p policy) frames() bool { return p.ancestors != "'none'" }

// checkSources validates the options that refer to other servers.
func checkSources(o Options, host string) error {
	for _, source := range o.Sources {
		if source != SourceSelf && !isOrigin(source) {
			return fmt.Errorf("pages: options: Sources: %q is not an origin such as https://example.org", source)
		}
	}
	for name, address := range map[string]string{"Stylesheet": o.Stylesheet, "Logo": o.Logo} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" && !strings.HasPrefix(address, "/") && address != "" {
			return fmt.Errorf("pages: options: %s: %q is neither a path such as /site.css nor an address", name, address)
		}
		if u.Host != "" && hostOf(address) != host && !slices.Contains(o.Sources, hostOf(address)) {
			return fmt.Errorf("pages: options: %s: Sources lack %q", name, hostOf(address))
		}
	}
	return nil
}

// isOrigin reports whether text is an origin in the form that policies require.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && text == u.Scheme+"://"+u.Host &&
		!strings.ContainsAny(text, " ;,'*")
}

// header returns the policy of the pages of a template. A page may load its style sheet and images, and send its own forms;
// everything else must be in Options.Sources. JSON-LD is data, which no policy treats as a script. The pages' script
// opens no connections; connect-src permits them for tools that read robots.txt as if they were the page. Framed pages
// may be framed and have no script. The page of the builder may frame them as a preview.
func (p policy) header(template string, framed bool) string {
	own := map[string]string{"style-src": SourceSelf, "img-src": "'self' https: data:", "connect-src": SourceSelf}
	ancestors := "'none'"
	switch {
	case framed:
		ancestors = p.ancestors
	case template == builderTemplate:
		own["script-src"], own["frame-src"] = SourceSelf, SourceSelf
	case template == calendarTemplate, template == eventTemplate:
		own["script-src"] = SourceSelf
	}
	text := "default-src 'none'; "
	for _, directive := range []string{"script-src", "style-src", "font-src", "img-src", "connect-src", "frame-src"} {
		sources := strings.Fields(own[directive])
		if directive != "frame-src" {
			sources = append(sources, p.sources...)
		}
		if slices.Sort(sources); len(sources) > 0 {
			text += directive + " " + strings.Join(slices.Compact(sources), " ") + "; "
		}
	}
	return text + "form-action 'self'; base-uri 'none'; frame-ancestors " + ancestors
}

// ofEditor returns the policy of the pages of a template for a visitor who signed in: only scripts of this server run,
// whatever Options.Sources permits.
func (p policy) ofEditor(template string) string {
	text := p.header(template, false)
	first, rest, ok := strings.Cut(text, "script-src ")
	if !ok {
		return text
	}
	_, rest, _ = strings.Cut(rest, ";")
	return first + "script-src " + SourceSelf + ";" + rest
}

// ownHTML is the HTML that the host adds to a page.
type ownHTML struct {
	Head, Header, Footer template.HTML
	Stylesheet, Logo     string
}

func (o Options) own(ctx context.Context) ownHTML {
	call := func(fn func(context.Context) template.HTML) template.HTML {
		if fn == nil {
			return ""
		}
		return fn(ctx)
	}
	return ownHTML{call(o.Head), call(o.Header), call(o.Footer), o.Stylesheet, o.Logo}
}

type ownKey struct{}

// withOwn returns a request with the HTML that the host adds to its page. The host's functions are called once per
// request.
func (s *Site) withOwn(r *http.Request) *http.Request {
	if s.opts.sameOwn() {
		return r
	}
	if _, known := r.Context().Value(ownKey{}).(ownHTML); known {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), ownKey{}, s.opts.own(r.Context())))
}

// sameOwn reports whether the host adds the same to the pages of all requests.
func (o Options) sameOwn() bool { return o.Head == nil && o.Header == nil && o.Footer == nil }

// ownIn returns the HTML that the host adds to the page of a request of withOwn.
func (s *Site) ownIn(r *http.Request) ownHTML {
	if s.opts.sameOwn() {
		return s.opts.own(r.Context())
	}
	own, _ := r.Context().Value(ownKey{}).(ownHTML)
	return own
}

// programs contains the address of the API for programs, and what The Events Calendar says about it, for programs that
// expect that.
type programs struct {
	Index   string // index of the API's namespace
	Origin  string // address of the site if the namespace is that of The Events Calendar; otherwise ""
	Version string
}

// eventsNamespace is the namespace of The Events Calendar's API.
const eventsNamespace = "tribe/events/v1"

// programs returns the address of a language's API, or the zero value if its public address is not known.
func (s *Site) programs(v *version) programs {
	if v.lang.Root == "" {
		return programs{}
	}
	a := programs{Index: v.lang.Root + s.client.namespace + "/"}
	if s.client.namespace == eventsNamespace {
		a.Version, a.Origin = "v1", cmp.Or(s.at.public, hostOf(v.lang.Root))+v.lang.Prefix
	}
	return a
}
