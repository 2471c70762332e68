package strtotime

// dateRules are the calendar dates written in digits or with month names.
func dateRules() []rule {
	return []rule{
		{[]string{monthNum + `/` + day, monthNum + `/` + day + `/` + year}, "9", american},
		{[]string{`[+-]?` + year4 + `-` + monthLZ + `-` + dayLZ, year4 + `/` + monthLZ + `/` + dayLZ + `/?`,
			year4 + `/` + monthNum + `/` + day}, "9+-", isoDate(4)},
		{[]string{year2 + `-` + monthLZ + `-` + dayLZ}, "9", yearMonthDay},
		{[]string{`[+-][0-9]{5,19}-` + monthLZ + `-` + dayLZ}, "+-", isoDate(19)},
		{[]string{year4 + `-` + monthNum}, "9", yearMonth},
		{[]string{year + `-` + monthNum + `-` + day}, "9", yearMonthDay},
		{[]string{day + separators + monthText + separators + year}, "9", dayMonthYearText},
		{[]string{day + `[.\t-]` + monthNum + `[.-]` + year4}, "9", dayMonthYear4},
		{[]string{day + `[.\t]` + monthNum + `\.` + year2}, "9", dayMonthYear2},
		{[]string{monthText + separators + year4}, "a", monthYearText},
		{[]string{year4 + separators + monthText}, "9", yearMonthText},
		{[]string{monthText + separators + day + `[,.stndrh\t ]+` + year, dayNoYear}, "a", monthDayYearText},
		{[]string{day + separators + monthText}, "9", dayMonthText},
		{[]string{year4 + monthLZ + dayLZ}, "9", dateDigits},
	}
}

// set fills the date, if the text has none yet.
func (d *draft) set(y, m, day int64) bool {
	if !d.takeDate() {
		return false
	}
	d.y, d.m, d.d = y, m, day
	return true
}

func american(d *draft, c *cursor) bool {
	m, day, y := c.num(2), c.num(2), int64(unset)
	if c.peek() == '/' {
		y = c.year(4)
	}
	if y == unset {
		y = d.y // a year named before stays
	}
	return d.set(y, m, day)
}

func isoDate(yearDigits int) func(*draft, *cursor) bool {
	return func(d *draft, c *cursor) bool {
		y, ok := c.signed(yearDigits)
		return ok && d.set(y, c.num(2), c.num(2))
	}
}

func yearMonthDay(d *draft, c *cursor) bool { return d.set(c.year(4), c.num(2), c.num(2)) }

func yearMonth(d *draft, c *cursor) bool { return d.set(c.year(4), c.num(2), 1) }

func dayMonthYear4(d *draft, c *cursor) bool {
	day, m, y := c.num(2), c.num(2), c.num(4)
	return d.set(y, m, day)
}

func dayMonthYear2(d *draft, c *cursor) bool {
	day, m, y := c.num(2), c.num(2), c.year(2)
	return d.set(y, m, day)
}

func dayMonthYearText(d *draft, c *cursor) bool {
	day := c.num(2)
	c.daySuffix()
	m, y := c.month(), c.year(4)
	return d.set(y, m, day)
}

func dayMonthText(d *draft, c *cursor) bool {
	day := c.num(2)
	c.daySuffix()
	return d.set(d.y, c.month(), day)
}

func monthYearText(d *draft, c *cursor) bool {
	m, y := c.month(), c.year(4)
	return d.set(y, m, 1)
}

func yearMonthText(d *draft, c *cursor) bool {
	y, m := c.year(4), c.month()
	return d.set(y, m, 1)
}

// monthDayYearText reads "April 5, 2031"; the year may be missing.
func monthDayYearText(d *draft, c *cursor) bool {
	m, day, y := c.month(), c.num(2), c.year(4)
	return d.set(y, m, day)
}

func dateDigits(d *draft, c *cursor) bool { return d.set(c.num(4), c.num(2), c.num(2)) }
