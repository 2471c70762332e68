// Package pages shows a calendar to people: plain pages, made on the server, that need no script and load nothing from elsewhere.
//
// The pages know the calendar only through its JSON interface, which they call in the same process. Whatever a visitor sees is
// therefore exactly what a program may read without logging in.
package pages
