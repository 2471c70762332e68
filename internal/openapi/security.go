package openapi

import (
	"context"
	"crypto/md5"
	"encoding/hex"

	"github.com/agendahq/agenda/internal/site"
)

// Names of the ways in which a caller proves who it is.
const (
	byPassword = "applicationPassword"
	byCookie   = "siteCookie"
	withNonce  = "nonce"
)

// Callers that an operation is open to.
const (
	anybody = true
	users   = false
)

// security writes who may call. A cookie counts with its nonce only.
func (d *document) security(open bool) {
	d.KeyArray("security")
	if open {
		d.Raw([]byte("{}")) // without proof
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
	sum := md5.Sum([]byte(site.From(ctx).SiteURL)) // as the site names it
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
