package site

import (
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Network is the WordPress multisite network that the site belongs to.
type Network struct {
	Number int64    // id of the site in the network (blog_id)
	URL    string   // URL of the network; login cookies for all its sites are named after it
	Closed bool     // the site is archived, spam, deleted or not yet activated, so all requests are rejected
	Admins []string // logins of the super admins, who may do everything, and who alone may store unfiltered HTML
}

// networkOf returns the network in the options, or nil if the site is not part of one.
func networkOf(options map[string]string) *Network {
	number, err := strconv.ParseInt(options[schema.NetworkSite], 10, 64)
	if err != nil {
		return nil
	}
	n := &Network{Number: number, URL: options[schema.NetworkURL], Closed: wp.Truthy(options[schema.NetworkClosed])}
	for _, login := range phpval.ArrayOf(options[schema.NetworkAdmins]).All() {
		n.Admins = append(n.Admins, phpval.Text(login))
	}
	return n
}

// LoginURL returns the URL from whose hash the name of the login cookie is made.
func (s *Settings) LoginURL() string {
	if s.Network != nil && s.Network.URL != "" {
		return s.Network.URL
	}
	return s.SiteURL
}

// IsAdmin reports whether the user with a login is a super admin of the network. It returns false for a nil Network.
func (n *Network) IsAdmin(login string) bool { return n != nil && slices.Contains(n.Admins, login) }

// setUploads sets where the uploads of a site in a network are stored.
func (s *Settings) setUploads(options map[string]string) {
	switch main, _ := strconv.ParseInt(options[schema.NetworkMainSite], 10, 64); {
	case s.Network == nil || s.Network.Number == max(main, 1):
	case wp.Truthy(options[schema.NetworkFiles]):
		s.Links.RewrittenUploads = true
	default:
		s.Links.UploadsOfSite = s.Network.Number
	}
}
