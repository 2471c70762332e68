package content

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/schema"
)

// Errors of writes that change dates.
var (
	// ErrSeveralDates means that a write changes the date of a recurring event whose occurrences were made by other
	// software, follow from rules or are not understood: its rows and texts would no longer agree (D65, D66).
	ErrSeveralDates = errors.New("content: the event has several dates")
	// ErrRule means that a write sets or removes the rule of an event on a site that Agenda did not create (D69).
	ErrRule = errors.New("content: only the site's plugin changes rules of dates")
	// ErrOneDate means that a write gives an event several dates on a site that does not store several, or on which The
	// Events Calendar makes them.
	ErrOneDate = errors.New("content: events of this site have one date")
	// ErrDateOfSeveral means that a request tried to delete a single occurrence.
	ErrDateOfSeveral = errors.New("content: a date cannot be deleted alone")
)

// datesOf are the meta keys that define the main date of an event.
var datesOf = []string{
	schema.MetaStartDate, schema.MetaEndDate, schema.MetaStartDateUTC, schema.MetaEndDateUTC, schema.MetaDuration, schema.MetaTimezone,
	schema.MetaTimezoneAbbr, schema.MetaAllDay,
}

// Dates are the dates of an event that an edit sets, apart from the main date, which is in the edit's meta rows.
type Dates struct {
	Named *store.Date // the occurrence that the path names; nil if the path names the event
	Row   int64       // its occurrence_id, or 0
	Move  *Date       // its new date, unless it is the main one; nil leaves it unchanged
	Rule  *Rule       // the new rule; nil leaves it unchanged
	Anew  bool        // UTC times that no longer agree with the local ones are computed again (D87)
	// List are all dates of the event in order, the main date among them. If Rule is a rule, List are only the dates
	// added to it. nil leaves the dates unchanged.
	List []Date
}

// ShownID returns the id that answers show for the event or occurrence that the path names.
func (e *Edit) ShownID() int64 {
	if e.Dates.Named != nil {
		return e.Dates.Named.ID
	}
	return e.Row.ID
}

// datesPlan is what a write does to the dates of an event.
type datesPlan struct {
	stored  *store.Dates
	several bool             // whether it has or had several dates
	rset    string           // the stored text of the set of rules and dates
	dates   []planned        // all dates, if the event has several
	marked  bool             // whether the rows' flags agree with dates
	only    *schema.EventRow // the only date after the write; nil if the event may have others
}

// planned is a date of an event after the write, with the id of its row, or 0 for a new row.
type planned struct {
	Date
	row int64
	store.Marks
}

// explicitDate are the flags of the dates of an event that has several dates and no rule.
var explicitDate = store.Marks{Several: true, Explicit: true}

// Occurrences writes the rows of an event's dates, which lists and feeds read. planDates decides what changes, before
// anything is written; insertDates and saveDates write it after the event itself.
type Occurrences struct {
	store *store.Store
	types Types
	clock Clock
}

// StoredDates returns the stored dates of an edited event. They are read once for each edit.
func (o *Occurrences) StoredDates(ctx context.Context, d *Edit) (*store.Dates, error) {
	if d.storedDates == nil && d.New() {
		columns, err := o.store.Events.DateColumns(ctx)
		if err != nil {
			return nil, err
		}
		d.storedDates = &store.Dates{Columns: columns}
	}
	if d.storedDates == nil {
		was := d.StoredMeta()
		stored, err := o.store.Events.Dates(ctx, d.Row.ID, was.Text(schema.MetaStartDate), was.Text(schema.MetaStartDateUTC))
		if err != nil {
			return nil, err
		}
		d.storedDates = stored
	}
	return d.storedDates, nil
}

// planDates decides how the rows of an event's dates change if an edit changes its dates, and sets the meta row of its
// rules. It returns an error if the stored dates are not understood.
func (o *Occurrences) planDates(ctx context.Context, d *Edit) error {
	if d.Row.Type != o.types.Events().PostType || !d.datesChange() || d.New() && len(d.Dates.List) < 2 && !d.Dates.Rule.recurs() {
		return nil
	}
	stored, err := o.StoredDates(ctx, d)
	if err != nil {
		return err
	}
	d.plan = &datesPlan{stored: stored}
	rules := d.stored(schema.MetaRecurrence)
	d.plan.several = stored.Several() || slices.ContainsFunc(rules, schema.Recurs)
	if !d.plan.several && len(d.Dates.List) < 2 && !d.Dates.Rule.recurs() {
		return nil
	}
	e := &editedDates{plan: d.plan, edit: d, own: d.ownDate(), now: o.clock.Moment(ctx)}
	return e.settle(ctx, rules)
}

// datesChange reports whether an edit may change dates.
func (e *Edit) datesChange() bool {
	return e.Dates.Move != nil || e.Dates.List != nil || e.Dates.Rule != nil || e.Dates.Anew || e.movesOwn()
}

// movesOwn reports whether an edit changes meta rows of the main date.
func (e *Edit) movesOwn() bool {
	_, keys := e.metaChange()
	return slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(datesOf, key) })
}

// ownDate returns the main date as it will be after the edit.
func (e *Edit) ownDate() Date {
	return Date{e.Text(schema.MetaStartDate), e.Text(schema.MetaEndDate), e.Text(schema.MetaStartDateUTC), e.Text(schema.MetaEndDateUTC)}
}

// editedDates are the dates of an event that has or will have several.
type editedDates struct {
	plan  *datesPlan
	edit  *Edit
	own   Date
	zone  string
	loc   *time.Location
	moved bool // to another time zone
	set   *rset.Set
	rules *rset.Rules
	now   time.Time
}

func (e *editedDates) settle(ctx context.Context, rules []string) error {
	settings := site.From(ctx)
	was := e.edit.StoredMeta().Text(schema.MetaTimezone)
	e.zone = e.edit.Text(schema.MetaTimezone)
	e.moved = e.zone != was
	e.loc = zoneOf(ctx, e.zone)
	e.readTexts(rules)
	before := e.rules.String()
	if e.forget(); !e.edit.datesChange() {
		e.edit.plan = nil
		return nil
	}
	if err := e.refuse(settings, len(rules) > 1); err != nil {
		return err
	}
	if err := e.change(settings); err != nil {
		return err
	}
	e.plan.rset = e.set.String()
	switch text := e.rules.String(); text {
	case before:
	case "":
		e.edit.setRows(schema.MetaRecurrence)
	default:
		e.edit.setRows(schema.MetaRecurrence, text)
	}
	return nil
}

// readTexts parses the stored texts of the rules and dates.
func (e *editedDates) readTexts(rules []string) {
	e.set, e.rules = rset.Parse(e.plan.stored.Event.Rset), rset.ParseRules("")
	if len(rules) == 1 && schema.Recurs(rules[0]) {
		e.rules = rset.ParseRules(rules[0])
	}
}

// Recheck reports whether an edit may compute the UTC times of its event again from the local ones. If so, it also
// makes the edit do that for occurrences whose stored UTC times no longer agree with the time zone (D87). Times that
// other software computed, or that follow from its rules, are left alone (D66).
func (o *Occurrences) Recheck(ctx context.Context, d *Edit, loc *time.Location) (bool, error) {
	stored, err := o.StoredDates(ctx, d)
	if err != nil {
		return false, err
	}
	rules := d.stored(schema.MetaRecurrence)
	if !stored.Several() && !slices.ContainsFunc(rules, schema.Recurs) {
		return true, nil
	}
	e := &editedDates{plan: &datesPlan{stored: stored, several: true}, edit: d, own: d.ownDate(), loc: loc}
	e.readTexts(rules)
	if e.refuse(site.From(ctx), len(rules) > 1) != nil {
		return false, nil
	}
	d.Dates.Anew = slices.ContainsFunc(stored.Rows, func(r schema.OccurrenceDates) bool {
		date := DateOf(&r)
		return date.renewed(loc) != date
	})
	return true, nil
}

// forget removes from the edit what is stored already.
func (e *editedDates) forget() {
	given := &e.edit.Dates
	if given.List != nil && e.isStored(given.List) && (e.plan.stored.Own != nil && !e.edit.movesOwn() || e.follows()) {
		given.List = nil
	}
}

// follows reports whether the dates of the event will follow from a rule.
func (e *editedDates) follows() bool {
	if rule := e.edit.Dates.Rule; rule != nil {
		return rule.recurs()
	}
	return e.set.Rule() != ""
}

// refuse returns the reason why the dates of the event cannot be changed, or nil. On a site that Agenda created, all
// dates can always be replaced, whatever is stored.
func (e *editedDates) refuse(settings *site.Settings, manyRules bool) error {
	stored, given := e.plan.stored, e.edit.Dates
	own, anew := settings.DateForm == schema.DatesOwn, given.List != nil || given.Rule != nil
	understood := len(e.set.Unknown()) == 0 && !e.set.Excepts()
	switch {
	case given.Rule != nil && !own:
		return ErrRule
	case !e.plan.several && !(stored.Columns.Keep() && settings.MakesDates):
		return ErrOneDate
	case !e.plan.several && stored.Own == nil && len(stored.Rows) > 0:
		return store.ErrDatesConflict
	case !e.plan.several:
	case !settings.WritesDates || !stored.Columns.Keep():
		return ErrSeveralDates
	case own && anew || own && e.set.Rule() != "" && understood:
	case manyRules || !e.rules.Explicit() || e.set.Empty() || e.set.Ruled() || !understood:
		return ErrSeveralDates
	case stored.Own == nil || !e.agree():
		return store.ErrDatesConflict
	}
	return nil
}

// change changes the dates of the event.
func (e *editedDates) change(settings *site.Settings) error {
	given := &e.edit.Dates
	if given.Rule != nil && !given.Rule.recurs() && given.List == nil {
		given.List = []Date{e.own}
	}
	switch {
	case e.follows() && (given.Rule != nil || given.List == nil):
		return e.follow(e.now.AddDate(0, settings.MonthsAhead, 0))
	case given.List != nil:
		e.replace()
		return nil
	}
	return e.move()
}

// agree reports whether the texts and the rows of the event contain the same dates.
func (e *editedDates) agree() bool {
	own := DateOf(e.plan.stored.Own).period()
	var rows []rset.Period
	for i := range e.plan.stored.Rows {
		rows = append(rows, DateOf(&e.plan.stored.Rows[i]).period())
	}
	start, _ := e.set.Start()
	all := normal(append(e.set.Dates(), own))
	zone := e.set.Zone()
	same := func(list []rset.Period) bool { return slices.EqualFunc(normal(list), all, rset.Period.Equal) }
	return start.Equal(own.Start) && (zone == "" || zone == e.plan.stored.Event.Timezone) && same(rows) &&
		(e.rules.Empty() || same(append(e.rules.Dates(), own)))
}

// normal returns the dates sorted and without duplicates.
func normal(list []rset.Period) []rset.Period {
	slices.SortFunc(list, rset.Period.Compare)
	return slices.CompactFunc(list, rset.Period.Equal)
}

// move moves the main date, or the occurrence that the path names, or all dates to another time zone.
func (e *editedDates) move() error {
	stored, given := e.plan.stored, e.edit.Dates
	was, byDate := DateOf(stored.Own), given.Row == stored.Own.ID
	if e.moved {
		e.set.SetZone(e.zone)
	}
	if !e.own.SameTimes(was) {
		e.set.MoveOwn(e.own.period())
		if byDate && !e.rules.Empty() {
			e.rules.SetOwn(e.own.period())
		}
	}
	found := given.Move == nil
	for i := range stored.Rows {
		row := &stored.Rows[i]
		p := planned{DateOf(row), row.ID, explicitDate}
		switch {
		case row.ID == stored.Own.ID:
			if p.Date = e.own; p.Start != was.Start && !byDate {
				p.row = 0
			}
		case row.ID == given.Row && given.Move != nil:
			from, to := p.period(), given.Move.period()
			found = e.set.Move(from, to) && (e.rules.Empty() || e.rules.Move(from, to))
			p.Date = *given.Move
		case e.moved:
			p.Date = p.InLocation(e.loc)
		case given.Anew:
			p.Date = p.renewed(e.loc)
		}
		e.plan.dates = append(e.plan.dates, p)
	}
	if !found {
		return store.ErrDatesConflict
	}
	return e.unite(byDate)
}

// unite removes the duplicate where the main date was moved onto another date of the event, and adds the dates that
// only the set contains.
func (e *editedDates) unite(byDate bool) error {
	for i, p := range e.plan.dates {
		at := slices.IndexFunc(e.plan.dates[:i], func(q planned) bool { return q.Start == p.Start })
		if at < 0 {
			continue
		}
		if other := e.plan.dates[at]; byDate || !p.SameTimes(other.Date) || !p.SameTimes(e.own) || e.edit.Dates.Move != nil {
			return store.ErrDatesConflict
		}
		if p.row == 0 {
			at = i
		}
		e.plan.dates = slices.Delete(slices.Clone(e.plan.dates), at, at+1)
		break
	}
	for _, q := range normal(e.set.Dates()) {
		date := dateOfPeriod(q, e.loc)
		if !slices.ContainsFunc(e.plan.dates, func(p planned) bool { return p.Start == date.Start }) {
			e.plan.dates = append(e.plan.dates, planned{Date: date, Marks: explicitDate})
		}
	}
	return nil
}

// isStored reports whether a list contains exactly the dates that the event has.
func (e *editedDates) isStored(list []Date) bool {
	rows := e.plan.stored.Rows
	stored := make(map[[2]string]bool, len(rows))
	for i := range rows {
		stored[[2]string{rows[i].StartDate, rows[i].EndDate}] = true
	}
	return e.plan.several && len(rows) == len(list) && !slices.ContainsFunc(list, func(d Date) bool {
		return !stored[[2]string{d.Start, d.End}]
	})
}

// replace gives the event the dates of the list. Existing dates with the same start keep their rows and their positions
// in the texts.
func (e *editedDates) replace() {
	ruled := e.set.Rule() != ""
	if ruled || !e.rules.Explicit() {
		e.rules = rset.ParseRules("")
	}
	var others []rset.Period
	left := make([]rset.Period, len(e.edit.Dates.List))
	for i, d := range e.edit.Dates.List {
		left[i] = d.period()
	}
	take := func(p rset.Period) bool {
		i := slices.IndexFunc(left, p.Equal)
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	}
	take(e.own.period())
	for _, p := range e.set.Dates() {
		if take(p) {
			others = append(others, p)
		}
	}
	others = append(others, left...)
	withRules := !e.plan.several || ruled || !e.rules.Empty()
	marks := explicitDate
	if len(others) == 0 {
		e.set, e.rules, marks = &rset.Set{}, rset.ParseRules(""), store.Marks{}
	} else {
		e.set = rset.New(e.zone, e.own.period(), others)
		if withRules {
			e.rules.Set(e.own.period(), others)
		}
	}
	e.plan.marked = !e.plan.several || ruled || len(others) == 0
	e.plan.several = true
	rows := make(map[string]int64, len(e.plan.stored.Rows))
	for i := range e.plan.stored.Rows {
		rows[e.plan.stored.Rows[i].StartDate] = e.plan.stored.Rows[i].ID
	}
	for _, d := range e.edit.Dates.List {
		p := planned{Date: d, Marks: marks, row: rows[d.Start]}
		if d.SameTimes(e.own) {
			p.Date = e.own
		}
		e.plan.dates = append(e.plan.dates, p)
	}
}
