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

// SourceSelf in Options.Sources allows scripts and fonts of this server.
const SourceSelf = "'self'"

// policy is what the Content-Security-Policy of the pages lets them do.
type policy struct {
	sources   []string // origins besides this server
	ancestors string   // of the pages that other sites frame
}

// newPolicy reads the options, and refuses what the policy would keep from the pages without a word. Of options that are wrong it takes
// nothing: a source may be more than that.
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

// frames reports whether other pages may frame any of these.
func (p policy) frames() bool { return p.ancestors != "'none'" }

// checkSources checks what the options name of other servers.
func checkSources(o Options, host string) error {
	for _, source := range o.Sources {
		if source != SourceSelf && !isOrigin(source) {
			return fmt.Errorf("pages: options: Sources: %q is no origin such as https://example.org", source)
		}
	}
	for name, address := range map[string]string{"Stylesheet": o.Stylesheet, "Logo": o.Logo} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" && !strings.HasPrefix(address, "/") && address != "" {
			return fmt.Errorf("pages: options: %s: %q is no path such as /site.css, and no address", name, address)
		}
		if u.Host != "" && hostOf(address) != host && !slices.Contains(o.Sources, hostOf(address)) {
			return fmt.Errorf("pages: options: %s: Sources lack %q", name, hostOf(address))
		}
	}
	return nil
}

// isOrigin reports whether a text is the origin of a site, as policies have it.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && text == u.Scheme+"://"+u.Host &&
		!strings.ContainsAny(text, " ;,'*")
}

// of returns the policy of the pages of a template. It lets a page load its style and pictures and send its own forms, and nothing
// else but Options.Sources. JSON-LD is data, which no policy counts as a script. Our script connects to nothing; that a page
// may is for tools that read robots.txt as if the page did. Pages for other sites may be framed there, and have no script; the page that
// makes them shows them as they will be there.
func (p policy) of(template string, framed bool) string {
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

// ownHTML is what the host adds to a page.
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

// withOwn returns a request with what the host adds to its page, for which the host is asked once.
func (s *Site) withOwn(r *http.Request) *http.Request {
	if _, known := r.Context().Value(ownKey{}).(ownHTML); known {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), ownKey{}, s.opts.own(r.Context())))
}

// ownIn returns what withOwn added.
func ownIn(r *http.Request) ownHTML {
	own, _ := r.Context().Value(ownKey{}).(ownHTML)
	return own
}

// programs is where programs find the API, and what The Events Calendar says of it where they expect that.
type programs struct {
	Index   string // of its namespace
	Origin  string // of the site, where the namespace is that of The Events Calendar; else ""
	Version string
}

// eventsNamespace is the namespace of The Events Calendar.
const eventsNamespace = "tribe/events/v1"

// programs returns where the API of a language is, nothing where its public address is not known.
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
