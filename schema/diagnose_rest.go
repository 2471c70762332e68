package schema

import (
	"context"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/members"
)

// askREST reports active plugins that block the WordPress REST API for visitors, or may do so.
func askREST(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	options, _, err := p.options(ctx, OptionPlugins, NetworkPlugins, members.Option)
	if err != nil {
		return nil, err
	}
	for _, plugin := range wp.RESTPlugins {
		if !PluginActive(options, plugin.File) {
			continue
		}
		text := "the plugin %s may close the site's REST API to visitors, depending on settings that are not read here"
		if plugin.Always {
			text = "the plugin %s closes the site's REST API to visitors"
		}
		found = append(found, finding(Warning, plugin.File, "if only users should read, let only them reach this server", text+
			"; here everybody can read what is published", plugin.Name))
	}
	if PluginActive(options, members.Plugin) && members.Parse(options[members.Option]).PrivateAPI {
		found = append(found, finding(Note, members.Plugin, "", "the plugin Members opens the API only to users: visitors get 401 here, "+
			"too"))
	}
	return found, nil
}
