package site

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Dates says how the events of a site are listed that have several dates (D67).
type Dates string

// Forms of lists.
const (
	DatesAuto  Dates = ""      // DatesEach where the program that makes several dates is active, else DatesPlain
	DatesEach  Dates = "each"  // one item for each date
	DatesPlain Dates = "plain" // one item for each event
)

// addOn is the directory of the plugin that makes several dates.
const addOn = "events-calendar-pro/"

// defaultDateBase is the base of the ids of dates on sites that store none.
const defaultDateBase = 10_000_000

// dateBase returns Settings.DateBase.
func (d Dates) dateBase(options map[string]string) int64 {
	if d == DatesPlain || d == DatesAuto && !makesDates(options) {
		return 0
	}
	if base, err := strconv.ParseInt(options[schema.OptionDateBase], 10, 64); err == nil && base > 0 {
		return base
	}
	return defaultDateBase
}

// makesDates reports whether a program is active on the site that makes several dates: then its own lists have one item for each.
func makesDates(options map[string]string) bool {
	if wp.Truthy(options[schema.OptionRecurrence]) {
		return true
	}
	v, err := phpval.Unserialize(options[schema.OptionPlugins])
	plugins, ok := v.(*phpval.Array)
	if err != nil || !ok {
		return false
	}
	for _, file := range plugins.All() {
		if strings.HasPrefix(phpval.Text(file), addOn) {
			return true
		}
	}
	return false
}
