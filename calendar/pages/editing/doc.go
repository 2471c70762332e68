// Package editing serves the pages on which the users of a site sign in and edit its calendar. They are plain forms,
// rendered on the server, that work without scripts. Package pages mounts them below "/edit/" of each language.
//
// The pages read and write through package calendar, with the Principal of the user who signed in: rights, validation
// and filtering are those of the API. They are never cached and cannot be framed. A form is only accepted if it was
// sent from these pages.
package editing
