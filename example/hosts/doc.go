// Package hosts contains programs that mount the calendar and extend it: with fields, hooks, routes and logins, on
// other routers, and with many calendars in one program. They are written as tests, so that all of them are known to
// run.
package hosts
