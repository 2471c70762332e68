package openapi

import (
	"context"
	"crypto/md5"
	"encoding/hex"

	"github.com/agendahq/agenda/internal/site"
)

// Names of the security schemes.
const (
	byPassword = "applicationPassword"
	byCookie   = "siteCookie"
	withNonce  = "nonce"
)

// Who may call an operation.
const (
	anybody = true
	users   = false
)

// security writes the ways of authentication. A cookie is only accepted together with a nonce.
func (d *document) security(open bool) {
	d.KeyArray("security")
	if open {
		d.Raw([]byte("{}")) // without authentication
	}
	for _, names := range [][]string{{byPassword}, {byCookie, withNonce}} {
		d.Object()
		for _, name := range names {
			d.KeyArray(name)
			d.End()
		}
		d.End()
	}
	d.End()
}

func (d *document) securitySchemes(ctx context.Context) {
	sum := md5.Sum([]byte(site.From(ctx).SiteURL)) // like WordPress's name of the cookie
	d.KeyObject("securitySchemes")
	d.scheme(byPassword, "doc_security_password", [][2]string{{"type", "http"}, {"scheme", "basic"}})
	d.scheme(byCookie, "doc_security_cookie",
		[][2]string{{"type", "apiKey"}, {"in", "cookie"}, {"name", "wordpress_logged_in_" + hex.EncodeToString(sum[:])}})
	d.scheme(withNonce, "doc_security_nonce", [][2]string{{"type", "apiKey"}, {"in", "header"}, {"name", "X-WP-Nonce"}})
	d.End()
}

func (d *document) scheme(name, about string, members [][2]string) {
	d.KeyObject(name)
	d.describe(about)
	for _, m := range members {
		d.KeyString(m[0], m[1])
	}
	d.End()
}
