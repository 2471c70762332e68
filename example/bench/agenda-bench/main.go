// Agenda-bench measures the calendar of Agenda: it fills a dedicated database with events, measures
// the service on it and compares it with its floor, and draws how the time of answers grows with
// the calendar.
package main

import (
	"github.com/agendahq/agenda/example/internal/cli"
)

var commands = cli.Program{Name: "agenda-bench", Commands: []cli.Command{
	{Name: "fill", Summary: "fill a database of one's own with events", Run: fillDatabase},
	{Name: "run", Summary: "measure the service on such a database", Run: measureService},
	{Name: "chart", Summary: "draw runs on databases of different sizes", Run: drawChart},
	{Name: "version", Summary: "print version and commit", Run: cli.PrintVersion("agenda-bench")},
}}

func main() { commands.Main() }
