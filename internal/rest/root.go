package rest

import (
	"cmp"
	"context"
	"math"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
)

// Logins says how programs log in, for the index of the REST root.
type Logins struct {
	// Passwords reports whether the site's application passwords are accepted.
	Passwords bool
	// Page reports whether the site's admin has the page on which users create them.
	Page bool
}

// authorizePage is the path of that page below the address of the site's files.
const authorizePage = "/wp-admin/authorize-application.php"

// RootOperation returns the operation that answers the REST root: which site this is, how to log in, and the routes of
// the namespace, as clients of WordPress sites expect.
func RootOperation(language *param.Param, logins Logins) *Operation {
	return &Operation{
		ID: "getRoot", keep: []string{"_links"}, Params: append(recordedIndex.Arrange([]*param.Param{viewParam()}), language),
		Handle: func(ctx context.Context, r *Request) (*Response, error) {
			e, s, w := r.engine, site.From(ctx), r.Out
			w.Object()
			w.KeyString("name", s.Name)
			w.KeyString("description", s.Description)
			w.KeyString("url", s.SiteURL)
			w.KeyString("home", cmp.Or(r.Root.SiteURL, s.Home))
			e.writeOffset(ctx, w, s)
			w.KeyString("timezone_string", s.ZoneName)
			w.KeyStrings("namespaces", e.Namespace)
			w.KeyObject("authentication")
			if logins.Passwords && s.ApplicationPasswords {
				w.KeyObject("application-passwords")
				w.KeyObject("endpoints")
				if logins.Page {
					w.KeyString("authorization", s.SiteURL+authorizePage)
				}
				w.End()
				w.End()
			}
			w.End()
			e.writeRoutes(ctx, r, true)
			w.KeyObject("_links")
			writeLink(w, "help", r.Root.URL+"/doc")
			w.End()
			w.End()
			return nil, nil
		},
	}
}

// writeOffset writes the current offset of the site's clock from UTC in hours or, if the site has no time zone, the
// stored text.
func (e *Engine) writeOffset(ctx context.Context, w *phpjson.Writer, s *site.Settings) {
	w.Key("gmt_offset")
	if s.ZoneName == "" {
		w.String(s.Offset)
		return
	}
	now := e.Now().In(s.Location)
	from, until := now.ZoneBounds()
	change.Within(ctx, from, until)
	_, seconds := now.Zone()
	w.Float(math.Round(float64(seconds)/36) / 100)
}
