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

// Cache reads the settings and parses them when they have changed. It is safe for
// concurrent use; a Cache must not be copied.
type Cache struct {
	// Options returns the stored values of the named options.
	Options func(ctx context.Context, names []string) (map[string]string, error)
	// Tracker reads them too, where there is one, and only when they have changed.
	Tracker *change.Tracker
	// Prefix is the site's table prefix, which is part of the name of the roles'
	// option; schema.DefaultPrefix if it is empty.
	Prefix string
	// Address replaces the stored addresses of the site and its files, if it is set.
	Address string
	// Dates says how events with several dates are listed.
	Dates Dates
	// Languages is the form in which the site's languages are stored, "" for none; EveryKind says that all kinds have some.
	Languages schema.LanguageForm
	EveryKind bool
	// WordPress is the release that the site counts as, whatever its rows say, if it is set.
	WordPress *release.Release
	// UserStyles returns what users changed of a theme, if it is set.
	UserStyles func(ctx context.Context, theme string) (string, error)
	// Logger logs a release that is later than the known ones, if it is set.
	Logger *slog.Logger
	// WriteDates lets dates be written that a program active on the site has made.
	WriteDates bool

	kept   atomic.Pointer[kept]
	warned atomic.Pointer[string] // the version that was logged last
}

// kept are settings with the options that they were made of.
type kept struct {
	options  *map[string]string
	settings *Settings
}

// OptionNames returns the names of all options that answers depend on, for a table
// prefix.
func OptionNames(prefix string) []string {
	return append([]string{schema.OptionUserRoles(cmp.Or(prefix, schema.DefaultPrefix))}, optionNames...)
}

// Settings returns the settings as they are in the state of ctx, or at a moment after
// the call.
func (c *Cache) Settings(ctx context.Context) (*Settings, error) {
	state := change.From(ctx)
	if state == nil {
		state = c.Tracker.Look(ctx)
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
	if k == nil || k.options != options && !maps.Equal(*k.options, *options) {
		own := make(map[string]string, len(*options))
		maps.Copy(own, *options)
		k = &kept{options, c.parse(own)}
		c.kept.Store(k)
	}
	s, err := c.styled(ctx, k.settings)
	if err == nil && s != k.settings {
		c.kept.Store(&kept{options, s})
	}
	return s, err
}

// styled returns settings with what users changed of the theme, where something depends on that.
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

// parse returns the settings of options, which it may change.
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
	// Whichever rows say it, answers depend on the release alone.
	for _, name := range []string{release.BlockFiles, release.UpdateCheck} {
		delete(options, name)
	}
	options[release.Database] = s.WordPress.String()
	delete(options, schema.NetworkAdmins) // rights, which are read with each caller
	delete(options, migration.State)      // as far as answers depend on it, the next says it
	options[migration.Active] = strconv.FormatBool(!s.Unmigrated)
	s.stored = digest(options)
	s.Digest = s.stored
	s.Roles = ParseRoles(options[schema.OptionUserRoles(cmp.Or(c.Prefix, schema.DefaultPrefix))])
	return s
}

// warn logs a release that is later than those that are known, once.
func (c *Cache) warn(found release.Found) {
	if c.Logger == nil || !found.Newer {
		return
	}
	if last := c.warned.Swap(&found.Version); last == nil || *last != found.Version {
		c.Logger.Warn("the site runs a later release of WordPress than is known", "option", found.From, "value", found.Version,
			"treated_as", found.Release.String())
	}
}

// setRelease sets the release that the site counts as.
func (s *Settings) setRelease(r release.Release) { s.WordPress, s.Links.WordPress = r, r }

// digest returns a hash of the values of options.
func digest(options map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(options)) {
		fmt.Fprintf(h, "%q=%q\n", name, options[name])
	}
	return string(h.Sum(nil))
}
