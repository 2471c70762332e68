package content

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// storedSeries returns the stored rule of the event and the dates added to it. Without a rule the added dates are all
// dates except the main one.
func (e *editedDates) storedSeries() *series {
	s := &series{rule: e.set.Rule(), excluded: e.set.Excluded()}
	stored := e.plan.stored
	if s.rule == "" {
		for i := range stored.Rows {
			if r := &stored.Rows[i]; stored.Own == nil || r.ID != stored.Own.ID {
				s.added = append(s.added, DateOf(r).period())
			}
		}
		s.own = e.own.period()
		return s
	}
	s.added = e.set.Dates()
	s.own.Start, _ = e.set.Start()
	ended := false
	if s.own.End, ended = e.set.End(); !ended {
		s.own.End = s.own.Start.Add(e.own.period().End.Sub(e.own.period().Start))
	}
	return s
}

// follow gives the event the occurrences of its rule and the dates added to it, without the excluded ones. On a site
// that Agenda created the rule, not the rows, determines which occurrences there are.
func (e *editedDates) follow(horizon time.Time) error {
	was, given := e.storedSeries(), e.edit.Dates
	if e.own.Start == "" || e.own.End == "" {
		return fault(FieldRecurrence, "fault_rule_start")
	}
	is := &series{rule: was.rule, own: e.own.period(), added: slices.Clone(was.added)}
	if given.Rule != nil {
		is.rule = given.Rule.Text
	}
	if given.List != nil {
		is.added = nil
		for _, d := range given.List {
			is.added = append(is.added, d.period())
		}
	}
	in := span{loc: e.loc, now: recurrence.Wall(e.now.In(e.loc)), horizon: recurrence.Wall(horizon.In(e.loc)), most: maxGrown}
	in.whole = wp.Truthy(e.edit.Text(schema.MetaAllDay))
	if was.rule != "" {
		_ = was.make(in) // no occurrences if the rule is not understood
	}
	to, err := e.except(was, is)
	if err != nil {
		return err
	}
	if is.rule != was.rule || !is.own.Start.Equal(was.own.Start) {
		in.most = MaxDates
	}
	moved := is.own.Start.Sub(was.own.Start)
	if err := e.leaveOut(was, is, in, moved); err != nil {
		return err
	}
	if is.settle() {
		return fault(fieldDates, "fault_dates_own")
	}
	if !is.begin() {
		return e.onlyAdded(is, to)
	}
	if is.beyond != nil {
		is.window(in)
	}
	return e.planSeries(is, in, to, moved)
}

// fieldDates is the name of the field that contains all dates of an event.
const fieldDates = "dates"

// moved is the occurrence that the path names by its id, and its new start.
type moved struct {
	row int64
	to  time.Time // its new start, zero for none
}

// except makes the occurrence that the path names an exception of the rule, if the request contains its times.
func (e *editedDates) except(was, is *series) (to moved, err error) {
	stored, given := e.plan.stored, e.edit.Dates
	own := stored.Own != nil && given.Row == stored.Own.ID
	if given.Row == 0 || given.Move == nil && (!own || e.moved || e.own.SameTimes(DateOf(stored.Own))) {
		return to, nil
	}
	if given.Rule != nil {
		return to, fault(FieldRecurrence, "fault_dates_of_one")
	}
	at := slices.IndexFunc(stored.Rows, func(r schema.OccurrenceDates) bool { return r.ID == given.Row })
	if at < 0 {
		return to, store.ErrDatesConflict
	}
	from, target := DateOf(&stored.Rows[at]).period(), e.own
	if given.Move != nil {
		target = *given.Move
	}
	if own {
		is.own = was.own
	}
	if slices.ContainsFunc(stored.Rows, func(r schema.OccurrenceDates) bool { return r.ID != given.Row && r.StartDate == target.Start }) {
		return to, store.ErrDatesConflict
	}
	is.added = slices.DeleteFunc(is.added, from.Equal)
	is.added = append(is.added, target.period())
	if was.contains(from.Start) {
		was.excluded = append(was.excluded, from.Start)
	}
	return moved{given.Row, target.period().Start}, nil
}

// leaveOut generates the occurrences of the rule and determines which of them are excluded.
func (e *editedDates) leaveOut(was, is *series, in span, by time.Duration) error {
	given := e.edit.Dates.Rule
	if given != nil {
		for _, d := range given.Excluded {
			is.excluded = append(is.excluded, wallOf(d, e.loc))
		}
	} else {
		is.excluded = slices.Clone(was.excluded)
	}
	if err := is.make(in); err != nil {
		return err
	}
	asked := is.excluded
	is.excluded = nil
	for i, at := range asked {
		switch {
		case given != nil && given.Excluded[i].Day:
			is.excluded = append(is.excluded, is.onDay(at)...)
		case given == nil || slices.ContainsFunc(was.excluded, at.Equal):
			is.exclude(at, by)
		case is.contains(at):
			is.excluded = append(is.excluded, at)
		}
	}
	if by == 0 {
		return nil
	}
	for _, p := range is.added { // dates that replace an occurrence of the rule, which was moved
		if was.contains(p.Start) && slices.ContainsFunc(was.added, p.Equal) {
			is.exclude(p.Start, by)
		}
	}
	return nil
}

// onlyAdded gives the event the dates added to a rule all of whose occurrences are excluded.
func (e *editedDates) onlyAdded(is *series, to moved) error {
	if len(is.added) == 0 {
		return fault(FieldRecurrence, "fault_rule_none")
	}
	own := is.added[0]
	var list []Date
	for _, p := range is.added {
		list = append(list, dateOn(p, e.loc))
		if p.Start.Equal(to.to) {
			own = p
		}
	}
	e.setOwn(dateOn(own, e.loc))
	e.edit.Dates.List = list
	e.replace()
	for i := range e.plan.dates {
		if p := &e.plan.dates[i]; to.row != 0 && p.Start == to.to.Format(time.DateTime) {
			p.row = to.row
		}
	}
	return nil
}

// planSeries plans the rows and texts of a series.
func (e *editedDates) planSeries(is *series, in span, to moved, by time.Duration) error {
	if !is.own.Equal(e.own.period()) {
		e.setOwn(dateOn(is.own, e.loc))
	}
	ofRule, added := is.dates()
	if n := len(ofRule) + len(added); n > in.most {
		return fault(FieldRecurrence, "fault_rule_many", "Max", MaxDates)
	}
	for i, p := range slices.Concat(ofRule, added) {
		d := planned{Date: dateOn(p, e.loc), Marks: store.Marks{Several: true, Explicit: i >= len(ofRule)}}
		if p.Start.Equal(is.own.Start) {
			d.Date = e.own
		}
		if to.row != 0 && p.Start.Equal(to.to) {
			d.row = to.row
		}
		e.plan.dates = append(e.plan.dates, d)
	}
	e.keepRows(by)
	e.plan.several, e.plan.marked = true, true
	e.set = rset.NewRule(e.zone, is.own, is.rule, is.added, is.excluded)
	e.rules = rset.ParseRules("")
	return nil
}

// setOwn makes d the main date.
func (e *editedDates) setOwn(d Date) {
	e.own = d
	e.edit.Set(schema.MetaStartDate, d.Start)
	e.edit.Set(schema.MetaEndDate, d.End)
	e.edit.Set(schema.MetaStartDateUTC, d.StartUTC)
	e.edit.Set(schema.MetaEndDateUTC, d.EndUTC)
	start, _ := strtotime.ParseWall(d.StartUTC, time.UTC)
	end, _ := strtotime.ParseWall(d.EndUTC, time.UTC)
	if e.edit.Has(schema.MetaDuration) {
		e.edit.Set(schema.MetaDuration, strconv.FormatInt(end.Unix()-start.Unix(), 10))
	}
	if abbr, known := strtotime.Abbreviation(e.zone, start); known {
		e.edit.Set(schema.MetaTimezoneAbbr, abbr)
	}
}

// keepRows assigns existing rows to dates, so that occurrences keep their ids: first to dates with the same start, then
// to dates on the same day, then to dates that moved by the same duration as the main date.
func (e *editedDates) keepRows(by time.Duration) {
	used := map[int64]bool{}
	for _, p := range e.plan.dates {
		used[p.row] = true
	}
	day := func(start string) string { start, _, _ = strings.Cut(start, " "); return start }
	shifted := func(start string) string {
		at, _ := strtotime.ParseWall(start, time.UTC)
		return at.Add(by).Format(time.DateTime)
	}
	same := func(start string) string { return start }
	for _, keys := range [][2]func(string) string{{same, same}, {day, day}, {shifted, same}} {
		free := map[string][]int64{}
		for i := range e.plan.stored.Rows {
			if r := &e.plan.stored.Rows[i]; !used[r.ID] {
				key := keys[0](r.StartDate)
				free[key] = append(free[key], r.ID)
			}
		}
		for i := range e.plan.dates {
			p := &e.plan.dates[i]
			if ids := free[keys[1](p.Start)]; p.row == 0 && len(ids) > 0 {
				p.row, free[keys[1](p.Start)] = ids[0], ids[1:]
				used[p.row] = true
			}
		}
	}
}
