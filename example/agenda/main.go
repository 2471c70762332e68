// Agenda is a standalone server for an events calendar: a JSON REST API in several languages, with pages that show it.
// It uses an embedded database, or the MySQL or MariaDB database of an existing site.
package main

import (
	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
)

// commands returns the root command of the program. Without a subcommand it serves.
var commands cli.Program = func() *cobra.Command {
	root := serveCommand("agenda", serve)
	root.Short = "Serve an events calendar"
	root.Long = "Agenda serves an events calendar: a JSON REST API and pages, on its own database or that of a site.\n" +
		"Without a command it serves, with the flags below."
	root.AddCommand(serveCommand("serve", serve), initCommand(), userCommand(), copyCommand(), importCommand(), exportCommand(),
		doctorCommand(), idempotencyCommand(), journalCommand(), webhookCommand(), companionCommand())
	return root
}

func main() { commands.Main() }
