package pages

import "time"

// groups returns the events by the days on which they start; those that began before the range are one group at the
// top.
func (s *site) groups(v *version, events []event, tree categoryTree, asked wish, today time.Time) []group {
	from := today
	if !asked.month.IsZero() {
		from = asked.month
	}
	var groups []group
	for _, e := range events {
		heading, machine, note := v.texts.word("running"), "", ""
		if start, ok := wall(e.Start); ok && !start.Before(from) {
			heading, machine, note = v.texts.date(start), start.Format(time.DateOnly), v.note(start, today)
		}
		if n := len(groups); n == 0 || groups[n-1].Heading != heading {
			groups = append(groups, group{Heading: heading, Machine: machine, Note: note})
		}
		last := &groups[len(groups)-1]
		last.Cards = append(last.Cards, s.card(v, e, tree))
	}
	return groups
}

// note returns "today" or "tomorrow" in the language, "" for other days.
func (v *version) note(day, today time.Time) string {
	switch {
	case sameDay(day, today):
		return v.texts.word("today")
	case sameDay(day, today.AddDate(0, 0, 1)):
		return v.texts.word("tomorrow")
	}
	return ""
}

func (s *site) card(v *version, e event, tree categoryTree) card {
	c := card{event: e, Link: v.link(route{kind: oneEvent, slug: e.Slug}), Summary: summary(e), When: v.moment(e),
		Image: s.image(e.Image, "medium", "large")}
	c.Chips, c.Places = v.chips(e, tree), v.places(e)
	return c
}

func (v *version) chips(e event, tree categoryTree) []chip {
	var chips []chip
	for _, t := range e.Categories {
		chips = append(chips, chip{unmarked(t.Name), v.link(tree.route(t))})
	}
	return chips
}

func (v *version) places(e event) []chip {
	var chips []chip
	for _, p := range e.Venues {
		if name := unmarked(p.Name); name != "" {
			chips = append(chips, chip{name, v.link(route{kind: oneVenue, slug: p.Slug})})
		}
	}
	return chips
}

// monthsAhead is how many months the list of months has.
const monthsAhead = 12

// months returns links to all upcoming events and to the months from now on; the month of the request is always among
// them.
func (v *version) months(to route, asked wish, today time.Time) []monthLink {
	asked.page = 1
	at := func(m time.Time) string {
		there := asked
		there.month = m
		return v.link(to) + there.values()
	}
	links := []monthLink{{v.texts.word("upcoming"), at(time.Time{}), asked.month.IsZero()}}
	first := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	if !asked.month.IsZero() {
		links = append(links, monthLink{"‹ " + v.texts.word("month.previous"), at(asked.month.AddDate(0, -1, 0)), false},
			monthLink{v.texts.word("month.next") + " ›", at(asked.month.AddDate(0, 1, 0)), false})
		if asked.month.Before(first) || !asked.month.Before(first.AddDate(0, monthsAhead, 0)) {
			links = append(links, monthLink{v.texts.month(asked.month), at(asked.month), true})
		}
	}
	for i := range monthsAhead {
		m := first.AddDate(0, i, 0)
		links = append(links, monthLink{v.texts.month(m), at(m), m.Equal(asked.month)})
	}
	return links
}

func (v *version) form(to route, asked wish, tree categoryTree) form {
	f := form{
		Action: v.link(to), Query: asked.query, Category: asked.category, Selectable: to.kind != oneCategory,
		Searched: asked.query != "" || asked.category != "",
	}
	if !asked.month.IsZero() {
		f.Month = asked.month.Format("2006-01")
	}
	for _, t := range tree.ordered() {
		name := unmarked(t.Name)
		if t.Parent != 0 {
			name = "– " + name
		}
		f.Options = append(f.Options, option{t.Slug, name, t.called(asked.category)})
	}
	return f
}
