package strtotime

// compoundRules returns the rules for dates with a time in one piece, dates by week or day of the year, formats of
// databases and logs, and a bare year.
func compoundRules() []rule {
	digits6 := hour24LZ + minuteLZ + secondLZ
	clock := hour24LZ + `:` + minuteLZ + `:` + secondLZ
	return []rule{
		{[]string{
			year4 + monthLZ + dayLZ + `T` + hour24 + `:` + minuteLZ + `:` + secondLZ,               // XML-RPC
			year4 + monthLZ + dayLZ + `[tT]` + hour24 + minuteLZ + secondLZ,                        // without colons
			year4 + `-` + monthLZ + `-` + dayLZ + `T` + clock + fracPart + `(?:` + zoneDiff + `)?`, // SOAP
			year4 + `-` + monthNum + `-` + day + `T` + hour24 + `:` + minute + `:` + second,        // WDDX
			year4 + monthLZ + dayLZ + digits6,                                                      // MySQL
			year4 + `:` + monthLZ + `:` + dayLZ + ` ` + clock}, "9", dateTime},                     // EXIF
		{[]string{year4 + `[.-]?` + yearDay}, "9", dated("yn")},
		{[]string{year4 + `-?W` + week + `-?[0-7]`}, "9", weekDay},
		{[]string{year4 + `-?W` + week}, "9", weekDay},
		{[]string{monthAbbr + `-` + dayLZ + `-` + year}, "a", dated("Mdy")},
		{[]string{year + `-` + monthAbbr + `-` + dayLZ}, "9", dated("yMd")},
		{[]string{day + `/` + monthAbbr + `/` + year4 + `:` + clock + blanks + zoneDiff}, "9", logTime},
		{[]string{year4}, "9", func(d *components, c *cursor) bool { d.y = c.num(4); return true }},
	}
}

func dateTime(d *components, c *cursor) bool {
	if !d.takeTime() || !d.set(c.num(4), c.num(2), c.num(2)) {
		return false
	}
	d.h, d.i, d.s = c.num(2), c.num(2), c.num(2)
	if c.peek() != '.' {
		return true
	}
	d.us = c.fraction()
	return c.done() || d.readZone(c)
}

// weekDay reads an ISO week date. Without a day it is Monday.
func weekDay(d *components, c *cursor) bool {
	y, w, day := c.num(4), c.num(2), c.num(1)
	if day == unset {
		day = 1
	}
	if !d.set(y, 1, 1) {
		return false
	}
	first := weekday(y, 1, 1)
	if first > 4 {
		first -= 7 // the first days of the year belong to the last week of the previous one
	}
	d.rel.d = (w-1)*7 + day - first
	return true
}

// logTime reads the time format of web server logs.
func logTime(d *components, c *cursor) bool {
	if !d.takeTime() || !dated("dMy")(d, c) {
		return false
	}
	d.h, d.i, d.s = c.num(2), c.num(2), c.num(2)
	return d.readZone(c)
}
