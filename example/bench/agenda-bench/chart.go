package main

import (
	"bytes"
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"github.com/agendahq/agenda/example/bench/internal/chart"
	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/example/internal/cli"
)

// chartCommand draws runs on databases of different sizes in one chart.
func chartCommand() *cobra.Command {
	var svg string
	var clients int
	cmd := &cobra.Command{
		Use: "chart FILE…", Short: "Draw runs on databases of different sizes",
		Long:    "Draw the figures of runs on databases of different sizes, which agenda-bench run wrote, in one chart.",
		Example: "  agenda-bench chart --svg chart.svg 1k.json 10k.json",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(_ *cobra.Command, files []string) error { return drawChart(svg, clients, files) },
	}
	f := cmd.Flags()
	f.StringVar(&svg, "svg", "", "File for a chart")
	f.IntVar(&clients, "drawn-clients", 0, "Number of clients (default 8, or one that all runs have)")
	cli.Formerly(f, "clients", "drawn-clients")
	return cmd
}

func drawChart(svg string, clients int, files []string) error {
	if svg == "" || len(files) == 0 {
		return cli.Usagef("chart: use \"agenda-bench chart --svg out.svg run1k.json run10k.json\"")
	}
	var reports []*measure.Report
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return cli.Usage(err)
		}
		r := &measure.Report{}
		if err := json.Unmarshal(text, r); err != nil {
			return cli.Usagef("%s does not contain a run: %w", name, err)
		}
		reports = append(reports, r)
	}
	return writeChart(svg, reports, clients)
}

// writeChart writes a chart to a file, which is not created if the chart cannot be drawn.
func writeChart(file string, reports []*measure.Report, clients int) error {
	var b bytes.Buffer
	if err := chart.Write(&b, reports, clients); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
