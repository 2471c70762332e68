package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/agendahq/agenda/internal/change"
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
	// WriteDates lets dates be written that a program active on the site has made.
	WriteDates bool

	kept atomic.Pointer[kept]
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
	if k := c.kept.Load(); k != nil && (k.options == options || maps.Equal(*k.options, *options)) {
		return k.settings, nil
	}
	s := c.parse(maps.Clone(*options))
	c.kept.Store(&kept{options, s})
	return s, nil
}

// parse returns the settings of options, which it may change.
func (c *Cache) parse(options map[string]string) *Settings {
	if c.Address != "" {
		options[schema.OptionHome], options[schema.OptionSiteURL] = c.Address, c.Address
	}
	s := parse(options)
	s.setDates(c.Dates, options)
	s.setDateWrites(c.WriteDates)
	s.Digest = digest(options)
	s.Roles = ParseRoles(options[schema.OptionUserRoles(cmp.Or(c.Prefix, schema.DefaultPrefix))])
	return s
}

// digest returns a hash of the values of options.
func digest(options map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(options)) {
		fmt.Fprintf(h, "%q=%q\n", name, options[name])
	}
	return string(h.Sum(nil))
}
