// Package hosts has programs that mount the calendar and make it their own: with fields, hooks and routes of theirs, their own logins,
// other routers, and many calendars in one program. They are its tests, so that all of them are known to run.
package hosts
