// Package pages serves a calendar as web pages. They are rendered on the server, work without scripts, and load nothing
// from other sites.
//
// The pages read the calendar through package calendar, without a Principal. So visitors see exactly what the API
// returns to anonymous callers.
package pages
