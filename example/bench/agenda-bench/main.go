// Agenda-bench measures the performance of Agenda: it fills a dedicated database with events, measures the service on
// it, compares it with a minimal server (its floor), and draws how response times grow with the calendar.
package main

import (
	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/internal/cli"
)

var commands cli.Program = func() *cobra.Command {
	root := &cobra.Command{
		Use: "agenda-bench", Short: "Measure the calendar of Agenda",
		Long: "Agenda-bench fills a database of its own with events, and measures the calendar of Agenda on it.",
	}
	root.AddCommand(fillCommand(), runCommand(), bareCommand(), chartCommand(), tenantsCommand())
	return root
}

func main() { commands.Main() }
