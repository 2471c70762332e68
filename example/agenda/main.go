// Agenda is a standalone server for an events calendar: a JSON REST API in
// several languages and pages that show it, on an embedded database of its own
// or on the MySQL or MariaDB database of an existing site.
package main

import (
	"github.com/agendahq/agenda/example/internal/cli"
)

var commands = cli.Program{Name: "agenda", Default: "serve", Commands: []cli.Command{
	{Name: "serve", Summary: "serve the calendar (the default)", Run: serve},
	{Name: "copy", Summary: "copy a whole site to another database or file", Run: copySite},
	{Name: "doctor", Summary: "report what would make a database faster or right", Run: doctor},
	{Name: "user", Summary: "add, give passwords to and list the users of a site", Run: manageUsers.Do},
	{Name: "version", Summary: "print version and commit", Run: cli.PrintVersion("agenda")},
}}

func main() { commands.Main() }
