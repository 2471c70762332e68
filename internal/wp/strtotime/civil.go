package strtotime

// daysFromCivil returns the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar. The day may
// be outside its month.
func daysFromCivil(y, m, d int64) int64 {
	if m <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yearOfEra := y - era*400
	dayOfYear := (153*((m+9)%12)+2)/5 + d - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

// civilFromDays is the inverse of daysFromCivil.
func civilFromDays(days int64) (y, m, d int64) {
	days += 719468
	era := floorDiv(days, 146097)
	dayOfEra := days - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*dayOfYear + 2) / 153 // months since March
	d = dayOfYear - (153*shifted+2)/5 + 1
	m = (shifted+2)%12 + 1
	y = yearOfEra + era*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

// weekday returns the day of the week, 0 for Sunday.
func weekday(y, m, d int64) int64 {
	days := daysFromCivil(y, m, d) + 4 // 1970-01-01 was a Thursday
	return days - floorDiv(days, 7)*7
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// carry reduces a field to the range from 0 to size-1 and adds the rest to the next larger field.
func carry(field, larger *int64, size int64) {
	q := floorDiv(*field, size)
	*field -= q * size
	*larger += q
}
