// Package editing is the pages on which the users of a site sign in and write its calendar: plain forms, rendered on the server, that need
// no script. Package pages shows them below "/edit/" of each language.
//
// It reads and writes as a host does, by package calendar alone, with the Principal of who signed in: the rights, checks and filters are
// those of the API. Its pages are for no cache and for no frame; a form is accepted from these pages alone.
package editing
