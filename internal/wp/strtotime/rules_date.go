package strtotime

// dateRules returns the rules for dates with digits or names of months.
func dateRules() []rule {
	return []rule{
		{[]string{monthNum + `/` + day, monthNum + `/` + day + `/` + year}, "9", american},
		{[]string{`[+-]?` + year4 + `-` + monthLZ + `-` + dayLZ, year4 + `/` + monthLZ + `/` + dayLZ + `/?`,
			year4 + `/` + monthNum + `/` + day}, "9+-", isoDate(4)},
		{[]string{year2 + `-` + monthLZ + `-` + dayLZ}, "9", dated("ymd")},
		{[]string{`[+-][0-9]{5,19}-` + monthLZ + `-` + dayLZ}, "+-", isoDate(19)},
		{[]string{year4 + `-` + monthNum}, "9", dated("ym")},
		{[]string{year + `-` + monthNum + `-` + day}, "9", dated("ymd")},
		{[]string{day + separators + monthText + separators + year}, "9", dated("dMy")},
		{[]string{day + `[.\t-]` + monthNum + `[.-]` + year4}, "9", dated("dmy")},
		{[]string{day + `[.\t]` + monthNum + `\.` + year2}, "9", dated("dmy")},
		{[]string{monthText + separators + year4}, "a", dated("My")},
		{[]string{year4 + separators + monthText}, "9", dated("yM")},
		{[]string{monthText + separators + day + `[,.stndrh\t ]+` + year, dayNoYear}, "a", dated("Mdy")},
		{[]string{day + separators + monthText}, "9", dated("dM")},
		{[]string{year4 + monthLZ + dayLZ}, "9", dated("ymd")},
	}
}

// set sets the date. It returns false if the text already has one.
func (d *components) set(y, m, day int64) bool {
	if d.hasDate {
		return false
	}
	d.hasDate, d.y, d.m, d.d = true, y, m, day
	return true
}

// dated returns a function that reads a date in the order of layout: y is a year, m a month in digits, M its name, d
// the day of the month, n the day of the year. Without a year, one that was set earlier in the text is kept; without a
// day, it is the first.
func dated(layout string) func(*components, *cursor) bool {
	return func(d *components, c *cursor) bool {
		y, m, day := d.y, int64(1), int64(1)
		for _, field := range layout {
			switch field {
			case 'y':
				y = c.year(4)
			case 'm':
				m = c.num(2)
			case 'M':
				m = c.month()
			case 'd':
				day = c.num(2)
				c.daySuffix()
			case 'n':
				day = c.num(3)
			}
		}
		return d.set(y, m, day)
	}
}

func american(d *components, c *cursor) bool {
	m, day, y := c.num(2), c.num(2), int64(unset)
	if c.peek() == '/' {
		y = c.year(4)
	}
	if y == unset {
		y = d.y // a year that was set earlier is kept
	}
	return d.set(y, m, day)
}

func isoDate(yearDigits int) func(*components, *cursor) bool {
	return func(d *components, c *cursor) bool {
		y, ok := c.signed(yearDigits)
		return ok && d.set(y, c.num(2), c.num(2))
	}
}
