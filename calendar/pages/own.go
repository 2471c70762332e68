package pages

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"
)

// SourceSelf in Options.Sources allows scripts and fonts of this server.
const SourceSelf = "'self'"

// checkSources checks what the options name of other servers: the policy would keep it from the pages, without a word.
func (s *Site) checkSources() error {
	for _, source := range s.opts.Sources {
		if source != SourceSelf && !isOrigin(source) {
			return fmt.Errorf("pages: options: Sources: %q is no origin such as https://example.org", source)
		}
	}
	for name, address := range map[string]string{"Stylesheet": s.opts.Stylesheet, "Logo": s.opts.Logo} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" && !strings.HasPrefix(address, "/") && address != "" {
			return fmt.Errorf("pages: options: %s: %q is no path such as /site.css, and no address", name, address)
		}
		if u.Host != "" && hostOf(address) != s.host && !slices.Contains(s.opts.Sources, hostOf(address)) {
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

// policy returns the policy of the pages of a template. It lets a page load its style and pictures and send its own forms, and nothing
// else but Options.Sources. JSON-LD is data, which no policy counts as a script. Without scripts a page connects to nothing; that it
// may is for tools that read robots.txt as if the page did. Pages for other sites may be framed there; the page that makes them shows
// them, and copies, with scripts of our own.
func (s *Site) policy(template string) string {
	own := map[string]string{"style-src": SourceSelf, "img-src": "'self' https: data:", "connect-src": SourceSelf}
	ancestors := "'none'"
	switch template {
	case framedTemplate, framedMessage:
		ancestors = s.ancestors
	case builderTemplate:
		own["script-src"], own["frame-src"] = SourceSelf, SourceSelf
	}
	policy := "default-src 'none'; "
	for _, directive := range []string{"script-src", "style-src", "font-src", "img-src", "connect-src", "frame-src"} {
		sources := strings.Fields(own[directive])
		if directive != "frame-src" {
			sources = append(sources, s.opts.Sources...)
			if s.err != nil { // one of them may be more than a source
				sources = strings.Fields(own[directive])
			}
		}
		if slices.Sort(sources); len(sources) > 0 {
			policy += directive + " " + strings.Join(slices.Compact(sources), " ") + "; "
		}
	}
	return policy + "form-action 'self'; base-uri 'none'; frame-ancestors " + ancestors
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

// api is where programs find the API, and what The Events Calendar says of it where they expect that.
type api struct {
	Index   string // of its namespace
	Origin  string // of the site, where the namespace is that of The Events Calendar; else ""
	Version string
}

// eventsNamespace is the namespace of The Events Calendar.
const eventsNamespace = "tribe/events/v1"

// api returns where the API of a language is, nothing where its public address is not known.
func (s *Site) api(v *version) api {
	if v.lang.Root == "" {
		return api{}
	}
	a := api{Index: v.lang.Root + s.client.namespace + "/"}
	if s.client.namespace == eventsNamespace {
		a.Version, a.Origin = "v1", cmp.Or(s.public, hostOf(v.lang.Root))+v.lang.Prefix
	}
	return a
}
