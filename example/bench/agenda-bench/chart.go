package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/agendahq/agenda/example/bench/internal/chart"
	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/example/internal/cli"
)

// drawChart draws runs on databases of different sizes in one chart.
func drawChart(_ context.Context, args []string, out, _ io.Writer) error {
	var svg string
	var clients int
	f := cli.NewFlags("agenda-bench chart")
	f.StringVar(&svg, "svg", "", "file for the chart; files with the figures of runs follow the flags")
	f.IntVar(&clients, "clients", 0, "number of clients (default 8, or one that all runs have)")
	// Parse accepts no arguments besides flags: it gets those before the files.
	files := []string(nil)
	if err := f.Parse(args); err == nil {
		files = f.Args()
	}
	if err := cli.Parse(f, args[:len(args)-len(files)], out); err != nil {
		return err
	}
	if svg == "" || len(files) == 0 {
		return cli.Usagef("chart: use \"agenda-bench chart -svg out.svg run1k.json run10k.json\"")
	}
	var reports []*measure.Report
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return cli.Usage(err)
		}
		r := &measure.Report{}
		if err := json.Unmarshal(text, r); err != nil {
			return cli.Usagef("%s holds no run: %w", name, err)
		}
		reports = append(reports, r)
	}
	return writeChart(svg, reports, clients)
}

// writeChart writes a chart into a file, which is not made if the chart cannot
// be drawn.
func writeChart(file string, reports []*measure.Report, clients int) error {
	var b bytes.Buffer
	if err := chart.Write(&b, reports, clients); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
