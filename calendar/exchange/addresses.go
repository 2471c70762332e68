package exchange

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/idna"

	"github.com/agendahq/agenda/internal/linked"
)

// webAddress returns an address in the form that the API accepts, with an internationalized host in Punycode as
// browsers request it, or "" if the text is no web address. An address that begins with "www." lacks its scheme.
func webAddress(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 4 && strings.EqualFold(text[:4], "www.") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	if host, err := idna.Lookup.ToASCII(u.Hostname()); err == nil && host != strings.ToLower(u.Hostname()) {
		if port := u.Port(); port != "" {
			host += ":" + port
		}
		u.Host = host
	}
	address, err := linked.CheckWebsite(context.Background(), u.String())
	if err != nil {
		return ""
	}
	return address
}

// bareHost matches an address without its scheme: a host name of several labels, perhaps followed by a path.
var bareHost = regexp.MustCompile(`^[\pL\d][\pL\d-]*(\.[\pL\d-]+)*\.\pL{2,}(:\d+)?([/?#]\S*)?$`)

// siteAddress is webAddress for a field that can only contain an address: the scheme may be missing even if the text
// does not begin with "www.".
func siteAddress(text string) string {
	if text = strings.TrimSpace(text); bareHost.MatchString(text) {
		text = "http://" + text
	}
	return webAddress(text)
}
