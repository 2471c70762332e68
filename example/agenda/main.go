// Agenda is a standalone server for an events calendar: a JSON REST API in
// several languages and pages that show it, on an embedded database of its own
// or on the MySQL or MariaDB database of an existing site.
package main

import (
	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
)

// commands is the program. Without the word for a command it serves.
var commands cli.Program = func() *cobra.Command {
	root := serveCommand("agenda", serve)
	root.Short = "serve an events calendar"
	root.Long = "Agenda serves an events calendar: a JSON REST API and pages, on a database of its own or that of a site.\n" +
		"Without a command it serves, with the flags below."
	root.AddCommand(serveCommand("serve", serve), initCommand(), userCommand(), copyCommand(), importCommand(), exportCommand(),
		doctorCommand(), idempotencyCommand(), journalCommand(), webhookCommand(), companionCommand())
	return root
}

func main() { commands.Main() }
