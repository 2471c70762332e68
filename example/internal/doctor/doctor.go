// Package doctor writes the result of schema.Diagnose as a report for people or for programs.
package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/agendahq/agenda/schema"
)

// JSON writes the whole diagnosis, with the statements in the order in which they must be run.
func JSON(out io.Writer, d schema.Diagnosis) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	statements := nonNil(d.DDL())
	d.Tables, d.Posts, d.Findings, d.Plans = nonNil(d.Tables), nonNil(d.Posts), nonNil(d.Findings), nonNil(d.Plans)
	d.Advice.Missing = nonNil(d.Advice.Missing)
	return e.Encode(struct {
		Worst schema.Level `json:"worst"`
		schema.Diagnosis
		DDL []string `json:"ddl"`
	}{d.Worst(), d, statements})
}

// nonNil returns l, or an empty list instead of nil, so that it is never null in JSON.
func nonNil[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// Text writes the report for people, which ends with the statements.
func Text(out io.Writer, d schema.Diagnosis) error {
	var b strings.Builder
	section := ""
	for _, f := range d.Findings {
		if f.Section != section {
			section = f.Section
			fmt.Fprintf(&b, "\n%s\n", section)
		}
		writeFinding(&b, f)
		if f.Check == "rows" {
			writeTables(&b, d.Tables)
		}
	}
	writePlans(&b, d)
	fmt.Fprintf(&b, "\n%s\n", summary(d))
	_, err := io.WriteString(out, printableText(strings.TrimPrefix(b.String(), "\n")))
	if err != nil || len(d.DDL()) == 0 {
		return err
	}
	if _, err := io.WriteString(out, "\n"); err != nil {
		return err
	}
	return Statements(out, d)
}

// Statements writes the statements as a script, each after a comment with its purpose.
func Statements(out io.Writer, d schema.Diagnosis) error {
	all := d.DDL()
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "-- Nothing to run.")
		return err
	}
	why := map[string]string{}
	for _, f := range d.Findings {
		for _, statement := range f.DDL {
			why[statement] = fmt.Sprintf("%s: %s: %s", f.Level, f.Subject, f.Text)
			if f.Advice != "" {
				why[statement] += " (" + f.Advice + ")"
			}
		}
	}
	var b strings.Builder
	b.WriteString("-- Statements for the owner of the database. Nothing was run. Take a backup, read them, run those you want.\n")
	for _, statement := range all {
		if text := why[statement]; text != "" {
			fmt.Fprintf(&b, "-- %s\n", strings.ReplaceAll(printableText(text), "\n", " "))
		}
		fmt.Fprintf(&b, "%s;\n", statement)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func writeFinding(b *strings.Builder, f schema.Finding) {
	name := f.Check
	if f.Subject != "" {
		name = f.Subject
	}
	fmt.Fprintf(b, "  %-8s %s: %s", f.Level, name, f.Text)
	if len(f.Examples) > 0 {
		fmt.Fprintf(b, " (such as %s)", strings.Trim(fmt.Sprint(f.Examples), "[]"))
	}
	b.WriteByte('\n')
	if f.Advice != "" {
		fmt.Fprintf(b, "           → %s\n", f.Advice)
	}
}

func writeTables(b *strings.Builder, tables []schema.Table) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, t := range tables {
		if t.Engine == "" {
			fmt.Fprintf(w, "           %s\t%d rows\n", t.Name, t.Rows)
			continue
		}
		fmt.Fprintf(w, "           %s\t~%d rows\t%.1f MiB\t%s\t%s\n", t.Name, t.Rows, float64(t.Bytes)/(1<<20), t.Engine, t.Collation)
	}
	_ = w.Flush()
}

// writePlans writes how the database finds the rows of lists and single items. SQLite has no estimates.
func writePlans(b *strings.Builder, d schema.Diagnosis) {
	if len(d.Plans) == 0 {
		return
	}
	b.WriteString("\nHow the database finds a page of 10 (from EXPLAIN; nothing was measured)\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, p := range d.Plans {
		sorts := "in order"
		if p.Sorted {
			sorts = "sorts"
		}
		fmt.Fprintf(w, "  %s\t%s\t", p.Query, sorts)
		if !d.Embedded {
			fmt.Fprintf(w, "reads ~%d rows", p.Rows)
			if p.Then < p.Rows {
				fmt.Fprintf(w, ", ~%d with the missing indexes", p.Then)
			}
		}
		fmt.Fprintf(w, "\t%s\n", steps(p))
	}
	_ = w.Flush()
}

func steps(p schema.Plan) string {
	var parts []string
	for _, s := range p.Steps {
		if s.Table == "" {
			parts = append(parts, s.Extra)
			continue
		}
		key := s.Key
		if key == "" {
			key = "no index"
		}
		parts = append(parts, fmt.Sprintf("%s by %s (%s)", s.Table, key, s.Access))
	}
	return strings.Join(parts, ", ")
}

func summary(d schema.Diagnosis) string {
	count := map[schema.Level]int{}
	for _, f := range d.Findings {
		count[f.Level]++
	}
	if d.Worst() == schema.OK {
		return "Nothing was found that is slow or wrong."
	}
	var parts []string
	for _, level := range []schema.Level{schema.Problem, schema.Warning, schema.Note} {
		switch n := count[level]; n {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("1 %s", level))
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, level))
		}
	}
	return "Found: " + strings.Join(parts, ", ") + "."
}

// printableText replaces characters of stored text that would control the terminal.
func printableText(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
