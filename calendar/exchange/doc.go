// Package exchange imports events into a calendar and exports them, as iCalendar, CSV and JSON lines; it also imports
// from the REST API of another calendar (The Events Calendar or this program).
//
// A Source reads one of these formats and returns Records one by one, whose values have the form of the API's write
// parameters. Thus each format is validated, filtered and written as requests are, with the rights of a user, and
// rejected with the same messages.
package exchange
