package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// manyRows is the number of rows from which a missing index matters.
const manyRows = 10_000

// manyEvents is the number of events from which a search without a FULLTEXT index is slow.
const manyEvents = 20_000

// askIndexes reports missing indexes and what they would gain, according to the plans.
func askIndexes(_ context.Context, p *examinedDB) (found []Finding, err error) {
	for _, m := range p.Advice.Missing {
		if m.Primary {
			continue // reported by askKeys
		}
		table := strings.TrimPrefix(m.Table, p.prefix)
		level := levelOf(m, table, p.rows(table))
		text := fmt.Sprintf("the index %s (%s) is missing: it %s", m.Name, strings.Join(m.Columns, ", "), m.Why)
		for _, plan := range p.Plans {
			if slices.Contains(m.Queries, plan.Query) && plan.Then > 0 && plan.Then < plan.Rows {
				text += fmt.Sprintf("; %s reads about %d rows now, %d with it", plan.Query, plan.Rows, plan.Then)
			}
		}
		advice := "add it; the table stays in use meanwhile"
		switch {
		case m.Unique:
			advice = "add it; the database rejects it while two rows have the same value"
		case !strings.Contains(m.DDL, "LOCK=NONE"):
			advice = "add it while nobody writes: this engine locks the table"
		}
		f := finding(level, m.Table, advice, "%s", text)
		f.DDL = []string{m.DDL}
		found = append(found, f)
	}
	return found, nil
}

func askSearch(ctx context.Context, p *examinedDB) ([]Finding, error) {
	name, err := searchIndex(ctx, p, p.prefix)
	if err != nil {
		return nil, err
	}
	if name != "" {
		return []Finding{finding(OK, "search", "", "the FULLTEXT index %q can answer searches for whole words", name)}, nil
	}
	events := p.published(p.names.Event)
	if events < manyEvents {
		return []Finding{finding(OK, "search", "", "there is no FULLTEXT index over %s; at this size none is needed",
			strings.Join(searched, ", "))}, nil
	}
	return []Finding{finding(Note, "search", "where whole words are enough, add one: "+addSearchIndex(p.prefix),
		"there is no FULLTEXT index over %s: a search reads the texts of %d events", strings.Join(searched, ", "), events)}, nil
}

// levelOf returns how much it matters that an index is missing from a table. That of names in posts only makes writes
// faster, and the table of another program's site may be large because of other posts.
func levelOf(m MissingIndex, table string, rows int64) Level {
	if m.Own && (rows < manyRows || table == "posts") {
		return Note
	}
	return Warning
}
