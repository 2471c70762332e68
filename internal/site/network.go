package site

import (
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Network is what the network of sites (WordPress multisite) says of the site.
type Network struct {
	Number int64    // of the site
	URL    string   // of the network, which the cookies of logins on all its sites are named by
	Closed bool     // the site is archived, spam or deleted, or was never activated: nobody is served
	Admins []string // the logins of those who may do everything, and who alone may store HTML that is not filtered
}

// networkOf returns the network of the site with these options, nil for none.
func networkOf(options map[string]string) *Network {
	number, err := strconv.ParseInt(options[schema.NetworkSite], 10, 64)
	if err != nil {
		return nil
	}
	n := &Network{Number: number, URL: options[schema.NetworkURL], Closed: wp.Truthy(options[schema.NetworkClosed])}
	for _, login := range array(options[schema.NetworkAdmins]).All() {
		n.Admins = append(n.Admins, phpval.Text(login))
	}
	return n
}

// LoginURL returns the address by which the cookie of a login is named.
func (s *Settings) LoginURL() string {
	if s.Network != nil && s.Network.URL != "" {
		return s.Network.URL
	}
	return s.SiteURL
}

// IsAdmin reports whether the user with a login administers the network. There is none without a network.
func (n *Network) IsAdmin(login string) bool { return n != nil && slices.Contains(n.Admins, login) }

// setUploads sets where a network has the uploads of the site.
func (s *Settings) setUploads(options map[string]string) {
	switch main, _ := strconv.ParseInt(options[schema.NetworkMainSite], 10, 64); {
	case s.Network == nil || s.Network.Number == max(main, 1):
	case wp.Truthy(options[schema.NetworkFiles]):
		s.Links.RewrittenUploads = true
	default:
		s.Links.UploadsOfSite = s.Network.Number
	}
}
