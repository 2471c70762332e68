package measure

import (
	"fmt"
	"io"
	"strings"

	"github.com/agendahq/agenda/example/internal/progress"
)

var headings = []string{
	"case", "clients", "req/s", "p50 ms", "p99 ms", "stmts", "bytes", "allocs", "alloc kB", "cpu ms", "RSS MB", "peak MB",
	"floor/s", "p50 ms", "p99 ms", "cpu ms", "ratio", "cached/s", "p50 ms", "p99 ms", "stmts",
}

// WriteTable writes a report as aligned columns.
func (r *Report) WriteTable(w io.Writer) error {
	rows := [][]string{headings}
	for _, x := range r.Results {
		rows = append(rows, x.cells())
	}
	var b strings.Builder
	s := r.Site
	fmt.Fprintf(&b, "%s, %s events, %s venues, %s organizers, %d categories, %d tags; %d processors, %s\n",
		s.Engine, progress.Grouped(s.Events), progress.Grouped(s.Venues), progress.Grouped(s.Organizers),
		s.Categories, s.Tags, r.CPUs, r.Go)
	fmt.Fprintf(&b, "%g s for each server in each case. The service makes each answer, with totals and settings that are cached;\n"+
		"the floor fetches the same rows and renders nothing; cached are answers of a server that had each one already.\n\n", r.Seconds)
	align(&b, rows, 1)
	if len(r.Changes) > 0 {
		fmt.Fprintf(&b, "\nfirst answer after a change, of the server that caches and of one that caches nothing:\n")
		changes := [][]string{{"case", "rounds", "ms", "uncached ms", "ratio"}}
		for _, c := range r.Changes {
			changes = append(changes, []string{c.Case, fmt.Sprint(c.Rounds), Decimals(c.Cached), Decimals(c.Uncached),
				fmt.Sprintf("%.2f", c.Ratio)})
		}
		align(&b, changes, 1)
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range r.Notes {
		b.WriteString(n + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (x Result) cells() []string {
	row := []string{x.Case, fmt.Sprint(x.Clients)}
	if f := x.Service; f != nil {
		row = append(row, Decimals(f.PerSecond), Decimals(f.P50), Decimals(f.P99), fmt.Sprintf("%.2f", f.Statements),
			progress.Grouped(int64(f.Bytes)),
			progress.Grouped(int64(f.Allocs)), Decimals(f.AllocBytes/1000), knownText(f.CPU), knownText(float64(f.RSS)/1e6),
			knownText(float64(f.Peak)/1e6))
	}
	for len(row) < 12 {
		row = append(row, "-")
	}
	if f := x.Floor; f != nil {
		row = append(row, Decimals(f.PerSecond), Decimals(f.P50), Decimals(f.P99), knownText(f.CPU))
	}
	for len(row) < 16 {
		row = append(row, "-")
	}
	switch {
	case x.Error != "":
		row = append(row, "failed")
	case x.Ratio == 0:
		row = append(row, "-")
	default:
		row = append(row, fmt.Sprintf("%.2f", x.Ratio))
	}
	if f := x.Cached; f != nil {
		return append(row, Decimals(f.PerSecond), Decimals(f.P50), Decimals(f.P99), fmt.Sprintf("%.2f", f.Statements))
	}
	return append(row, "-", "-", "-", "-")
}

// knownText returns a figure as a string, or "-" if it is unknown.
func knownText(f float64) string {
	if f == 0 {
		return "-"
	}
	return Decimals(f)
}

// Decimals returns a number as a string, with fewer decimals the larger it is.
func Decimals(f float64) string {
	switch {
	case f >= 1000:
		return progress.Grouped(int64(f + 0.5))
	case f >= 100:
		return fmt.Sprintf("%.0f", f)
	case f >= 10:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

// align writes rows as columns: the first ones left-aligned, numbers right-aligned.
func align(b *strings.Builder, rows [][]string, left int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			if i < left {
				fmt.Fprintf(b, "%-*s", widths[i], cell)
			} else {
				fmt.Fprintf(b, "%*s", widths[i], cell)
			}
		}
		b.WriteString("\n")
	}
}
