// Package pages shows a calendar to people: plain pages, rendered on the server, that need no script and load nothing from other sites.
//
// They read the calendar as a host does, by package calendar alone, without a Principal. So a visitor sees exactly what a program may read
// without logging in.
package pages
