package site

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/schema"
)

// Dates says how the events of a site are listed that have several dates (D67): as the site's own settings say, if it is
// empty, or else in one of the forms.
type Dates string

// Forms that a host may ask for.
const (
	DatesAuto  Dates = ""
	DatesEach        = Dates(schema.DatesEach)
	DatesPlain       = Dates(schema.DatesPlain)
)

const (
	// defaultDateBase is the base of the ids of dates on sites that store none.
	defaultDateBase = 10_000_000
	// freeIDs is how many ids are at least free below the base on sites of our own.
	freeIDs = 1_000_000
	// defaultMonthsAhead is for how many months the dates of a rule without an end are made where the site does not say it.
	defaultMonthsAhead = 60
	// maxMonthsAhead bounds them: a hundred years.
	maxMonthsAhead = 1200
)

// setMonthsAhead sets for how many months the dates of rules without an end are made, as the site's own software stores it.
func (s *Settings) setMonthsAhead(stored string) {
	n, err := strconv.Atoi(strings.TrimSpace(stored))
	if err != nil || n <= 0 {
		n = defaultMonthsAhead
	}
	s.MonthsAhead = min(n, maxMonthsAhead)
}

// setDates sets what the settings say of dates.
func (s *Settings) setDates(d Dates, options map[string]string) {
	s.DateForm = schema.DateFormOf(options)
	if _, s.Unmigrated = schema.Unmigrated(options); s.Unmigrated {
		s.DateForm = schema.DatesPlain
		return
	}
	if d == DatesPlain || d == DatesAuto && s.DateForm == schema.DatesPlain {
		return
	}
	if s.DateBase, _ = strconv.ParseInt(options[schema.OptionDateBase], 10, 64); s.DateBase <= 0 {
		s.DateBase = defaultDateBase
	}
}

// NextDateBase returns the base that the ids of dates move to since a post was given an id, 0 for none: on a site of our own
// those of posts must not come near it.
func (s *Settings) NextDateBase(id int64) int64 {
	if s.DateForm != schema.DatesOwn || s.DateBase == 0 || id <= s.DateBase-freeIDs {
		return 0
	}
	return (id/defaultDateBase + 2) * defaultDateBase
}
