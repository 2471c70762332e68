package follow

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/agendahq/agenda/internal/media"
)

// Explain returns the reason why nothing is sent to an address, with the network address and port to which it leads, and
// with those that are allowed.
func (m *Messages) Explain(refused *media.Error) string {
	reason := AddressReasons[refused.Reason]
	to := refused.To
	if to.Addr().IsValid() {
		reason += fmt.Sprintf(": it leads to %s, port %d", to.Addr(), to.Port())
	} else if to.Port() != 0 {
		reason += fmt.Sprintf(": it leads to port %d", to.Port())
	}
	if refused.OfNetwork() {
		reason += fmt.Sprintf("; allowed are public addresses on the ports %s", joined(m.AllowedPorts()))
	}
	return reason
}

// joined formats a list of ports.
func joined(ports []uint16) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(ports), " ", ", "), "[]")
}

// SameHost reports whether two addresses have the same host and port.
func SameHost(a, b string) bool {
	to := hostAndPort(a)
	return to != "" && to == hostAndPort(b)
}

// hostAndPort returns the host of an address, followed by the port unless that is 80 or 443. It returns "" for an
// address without a host.
func hostAndPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	host := strings.TrimRight(strings.ToLower(u.Hostname()), ".")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	return host
}
