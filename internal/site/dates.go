package site

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/schema"
)

const (
	// defaultDateBase is the base of the ids of occurrences on sites that store none.
	defaultDateBase = 10_000_000
	// freeIDs is the least distance kept between the ids of posts and the base, on sites that Agenda created.
	freeIDs = 1_000_000
	// defaultMonthsAhead is for how many months the occurrences of an endless rule are created, unless the site stores
	// a number.
	defaultMonthsAhead = 60
	// maxMonthsAhead limits the number that a site stores: 100 years.
	maxMonthsAhead = 1200
)

// setMonthsAhead sets for how many months the occurrences of endless rules are created. stored is the value in The
// Events Calendar's options.
func (s *Settings) setMonthsAhead(stored string) {
	n, err := strconv.Atoi(strings.TrimSpace(stored))
	if err != nil || n <= 0 {
		n = defaultMonthsAhead
	}
	s.MonthsAhead = min(n, maxMonthsAhead)
}

// setDates sets how lists show recurring events. chosen is the form that the host wants, "" for that of the site's stored
// options.
func (s *Settings) setDates(chosen schema.DateForm, options map[string]string) {
	s.DateForm, s.Own = schema.DateFormOf(options), schema.IsOwn(options)
	if _, s.Unmigrated = schema.Unmigrated(options); s.Unmigrated {
		s.DateForm = schema.DatesPlain
		return
	}
	if cmp.Or(chosen, s.DateForm) == schema.DatesPlain {
		return
	}
	if s.DateBase, _ = strconv.ParseInt(options[schema.OptionDateBase], 10, 64); s.DateBase <= 0 {
		s.DateBase = defaultDateBase
	}
}

// NextDateBase returns the new base of the ids of occurrences after a post got the given id, or 0 if the base stays. On
// a site that Agenda created, the ids of posts must not reach the base.
func (s *Settings) NextDateBase(id int64) int64 {
	if s.DateForm != schema.DatesOwn || s.DateBase == 0 || id <= s.DateBase-freeIDs {
		return 0
	}
	return (id/defaultDateBase + 2) * defaultDateBase
}
