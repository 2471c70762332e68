// Package pages shows a calendar to people: plain pages, rendered on the server, that need no script and load nothing from other sites.
//
// The pages read the calendar only through its JSON interface, which they call in the same process. So a visitor sees exactly what a
// program may read without logging in.
package pages
