package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/wp/migration"
	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Cache reads the settings and keeps the parsed ones until the options change. It is safe for concurrent use and must
// not be copied.
type Cache struct {
	// Options returns the stored values of the named options.
	Options func(ctx context.Context, names []string) (map[string]string, error)
	// Tracker, if it is set, reads the options instead, and only if they have changed.
	Tracker *change.Tracker
	// Prefix is the table prefix, which is part of the name of the option with the roles. "" means
	// schema.DefaultPrefix.
	Prefix string
	// Address, if it is set, replaces the stored URLs of the site ("home" and "siteurl").
	Address string
	// Dates, if it is set, is how lists show recurring events (D67), whatever the site stores: schema.DatesEach or
	// schema.DatesPlain.
	Dates schema.DateForm
	// Languages is the plugin in whose form the site stores its languages, "" for none. EveryKind says that all post
	// types and taxonomies are translated.
	Languages schema.LanguageForm
	EveryKind bool
	// WordPress, if it is set, is the release of WordPress to assume, whatever the site stores.
	WordPress *release.Release
	// UserStyles, if it is set, returns the changes that users made to a block theme.
	UserStyles func(ctx context.Context, theme string) (string, error)
	// Logger, if it is set, receives a warning if the site runs a release of WordPress that is newer than the known
	// ones.
	Logger *slog.Logger
	// WriteDates allows occurrences to be written even if a plugin that maintains them is active on the site.
	WriteDates bool

	kept   atomic.Pointer[kept]
	warned atomic.Pointer[string] // the version that was last logged
}

// kept are parsed settings with the options from which they were parsed.
type kept struct {
	options  *map[string]string
	settings *Settings
}

// OptionNames returns the names of all options that answers depend on, given the table prefix.
func OptionNames(prefix string) []string {
	return append([]string{schema.OptionUserRoles(cmp.Or(prefix, schema.DefaultPrefix))}, optionNames...)
}

// Settings returns the settings in the state of ctx or, if it has none, as they are after the call.
func (c *Cache) Settings(ctx context.Context) (*Settings, error) {
	state := change.From(ctx)
	if state == nil {
		state = c.Tracker.Poll(ctx)
	}
	options := state.Options()
	if options == nil {
		read, err := c.Options(ctx, OptionNames(c.Prefix))
		if err != nil {
			return nil, err
		}
		options = &read
	}
	k := c.kept.Load()
	switch {
	case k == nil || k.options != options && !maps.Equal(*k.options, *options):
		own := make(map[string]string, len(*options))
		maps.Copy(own, *options)
		k = &kept{options, c.parse(own)}
		c.kept.Store(k)
	case k.options != options: // the same options, read again because a poll failed: Known compares the pointers
		k = &kept{options, k.settings}
		c.kept.Store(k)
	}
	s, err := c.styled(ctx, k.settings)
	if err == nil && s != k.settings {
		c.kept.Store(&kept{options, s})
	}
	return s, err
}

// Known returns the settings in a state, nil if they have to be read or parsed.
func (c *Cache) Known(state *change.State) *Settings {
	k, options := c.kept.Load(), state.Options()
	if k == nil || options == nil || k.options != options {
		return nil
	}
	return k.settings
}

// styled returns the settings with the users' changes to the theme, if anything depends on them.
func (c *Cache) styled(ctx context.Context, s *Settings) (*Settings, error) {
	if c.UserStyles == nil || s.Stylesheet == "" || !s.WordPress.Has(release.ThemeGaps) {
		return s, nil
	}
	styles, err := c.UserStyles(ctx, s.Stylesheet)
	if err != nil || styles == s.UserStyles {
		return s, err
	}
	styled := *s
	styled.UserStyles, styled.Theme = styles, render.ThemeOf(s.Stylesheet, s.Template, styles)
	styled.Digest = digest(map[string]string{"settings": s.stored, "styles": styles})
	return &styled, nil
}

// parse parses options into settings. It may change the map.
func (c *Cache) parse(options map[string]string) *Settings {
	if c.Address != "" {
		options[schema.OptionHome], options[schema.OptionSiteURL] = c.Address, c.Address
	}
	s := parse(options)
	s.setDates(c.Dates, options)
	s.setDateWrites(c.WriteDates)
	s.Languages = schema.LanguagesOf(options, c.Languages, c.EveryKind)
	if c.WordPress != nil {
		s.setRelease(*c.WordPress)
	} else {
		c.warn(s.Stored)
	}
	// The digest covers the release, not the options from which it was determined: answers depend on the release alone.
	for _, name := range []string{release.BlockFiles, release.UpdateCheck} {
		delete(options, name)
	}
	options[release.Database] = s.WordPress.String()
	delete(options, schema.NetworkAdmins) // rights, which are read anew for each caller
	delete(options, migration.State)      // answers depend only on Unmigrated, which is added below
	options[migration.Active] = strconv.FormatBool(!s.Unmigrated)
	s.stored = digest(options)
	s.Digest = s.stored
	s.Roles = ParseRoles(options[schema.OptionUserRoles(cmp.Or(c.Prefix, schema.DefaultPrefix))])
	return s
}

// warn logs a newer release of WordPress than the known ones, once per version.
func (c *Cache) warn(found release.Found) {
	if c.Logger == nil || !found.Newer {
		return
	}
	if last := c.warned.Swap(&found.Version); last == nil || *last != found.Version {
		c.Logger.Warn("the site runs a newer WordPress than this program knows", "option", found.From, "value", found.Version,
			"treated_as", found.Release.String())
	}
}

// setRelease sets the release of WordPress to assume.
func (s *Settings) setRelease(r release.Release) { s.WordPress, s.Links.WordPress = r, r }

// digest returns a hash of options and their values.
func digest(options map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(options)) {
		fmt.Fprintf(h, "%q=%q\n", name, options[name])
	}
	return string(h.Sum(nil))
}
