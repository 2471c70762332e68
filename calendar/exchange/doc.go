// Package exchange brings events into a calendar and takes them out again: as
// iCalendar, CSV, JSON lines, and from the REST API of another calendar of this kind.
//
// A Source reads one of these forms and returns Records, one after the other, in the
// parameters of the API's own writes. So all forms are validated, filtered and written
// as requests are, with the rights of a user, and refused with the same words.
package exchange
