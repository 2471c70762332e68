// Agenda-bench measures the calendar of Agenda: it fills a dedicated database with events, measures
// the service on it and compares it with its floor, and draws how the time of answers grows with
// the calendar.
package main

import (
	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
)

var commands cli.Program = func() *cobra.Command {
	root := &cobra.Command{
		Use: "agenda-bench", Short: "measure the calendar of Agenda",
		Long: "Agenda-bench fills a database of its own with events, and measures the calendar of Agenda on it.",
	}
	root.AddCommand(fillCommand(), runCommand(), bareCommand(), chartCommand(), tenantsCommand())
	return root
}

func main() { commands.Main() }
