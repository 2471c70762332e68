package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agendahq/agenda/schema"
	"github.com/uptrace/bun"
)

// Copy copies the site with prefixFrom in from to prefixTo in to: all rows of its tables, ids included. The source may
// be written at the same time: the copy is a snapshot. The target must have no row of a site with prefixTo except those
// of schema.Install. Its tables are created, with the columns and the table for recurring events if the source has
// them. After an error the target is as before, except for such columns in tables that existed. If the process was
// killed, Copy can be called again.
//
// If the two prefixes differ, names that contain the prefix are changed: the option of the roles, and user metas such
// as wp_capabilities.
//
// progress, which may be nil, is called when a table begins and after every batch of rows.
func Copy(ctx context.Context, from, to *bun.DB, prefixFrom, prefixTo string, progress func(table string, done, total int64)) (err error) {
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	source, err := readSession(ctx, from, prefixFrom)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	defer source.close()
	c := &copier{source: source, tables: tablesOf(from), found: map[string]found{}, progress: progress}
	if err := c.inspectSource(ctx); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	before, err := emptyTables(ctx, to, prefixTo)
	if err != nil {
		return inTarget(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, undoInstall(ctx, to, prefixTo, before), dropMarker(ctx, to, prefixTo))
			return
		}
		_ = dropMarker(ctx, to, prefixTo) // the copy is complete, and a marker without its row has no meaning
	}()
	if err := setMarker(ctx, to, prefixTo); err != nil {
		return inTarget(err)
	}
	if err := schema.InstallCopy(ctx, to, prefixTo); err != nil {
		return inTarget(err)
	}
	if c.found[tableTranslations].exists {
		if err := schema.InstallTranslations(ctx, to, prefixTo); err != nil {
			return inTarget(err)
		}
	}
	if c.found[tableSeries].exists || c.found["tec_events"].dates || c.found["tec_occurrences"].dates {
		if err := schema.InstallDates(ctx, to, prefixTo); err != nil {
			return inTarget(err)
		}
	}
	return c.fill(ctx, to, prefixTo)
}

// TargetError is an error of the database that a copy writes; others belong to the one that it reads.
type TargetError struct{ error }

// Unwrap returns the wrapped error.
func (e TargetError) Unwrap() error { return e.error }

func inTarget(err error) error { return TargetError{fmt.Errorf("target: %w", err)} }

// copier is one run of Copy.
type copier struct {
	source   *session
	target   *session
	tables   []table
	found    map[string]found
	progress func(table string, done, total int64)
}

// inspectSource determines the tables and columns to copy. A site may lack the tables of The Events Calendar and the
// meta of terms.
func (c *copier) inspectSource(ctx context.Context) error {
	for _, t := range c.tables {
		f, err := c.source.inspect(ctx, t)
		if err != nil {
			return err
		}
		optional := strings.HasPrefix(t.name, "tec_") || t.name == "termmeta" || t.name == tableTranslations
		if !f.exists && !optional {
			return UnusableError{fmt.Errorf("there is no table %s%s, so there is no site with the prefix %q: check database and prefix",
				c.source.prefix, t.name, c.source.prefix)}
		}
		c.found[t.name] = f
	}
	return c.uniqueHashes(ctx)
}

// uniqueHashes returns an error if two occurrences of the source have the same hash: every target requires unique
// hashes, and some sites do not.
func (c *copier) uniqueHashes(ctx context.Context) error {
	at := slices.IndexFunc(c.tables, func(t table) bool { return t.name == "tec_occurrences" })
	t := c.tables[at]
	if !c.found[t.name].exists {
		return nil
	}
	hash, id := c.source.ident("hash"), c.source.ident("occurrence_id")
	query := "SELECT MIN(" + id + "), MAX(" + id + ") FROM " + c.source.quoted(t) + " GROUP BY " + hash + " HAVING COUNT(*) > 1 LIMIT 1"
	var first, second int64
	err := c.source.conn.QueryRowContext(ctx, query).Scan(&first, &second)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return c.source.failed(t, err)
	}
	return c.source.failed(t, fmt.Errorf("occurrence_id %d and %d have the same hash, so one date is stored twice, and a copy has "+
		"each once: remove one of them", first, second))
}

// fill copies the rows in one transaction of the target.
func (c *copier) fill(ctx context.Context, to *bun.DB, prefix string) (err error) {
	if c.target, err = writeSession(ctx, to, prefix); err != nil {
		return inTarget(err)
	}
	defer c.target.close()
	for _, t := range c.tables {
		if t.some() && !c.found[t.name].exists {
			continue
		}
		if _, err := c.target.mustBeNew(ctx, t); err != nil {
			return inTarget(err)
		}
		if t.name == "options" { // the site's own options replace the defaults
			if _, err := c.target.conn.ExecContext(ctx, "DELETE FROM "+c.target.quoted(t)); err != nil {
				return inTarget(c.target.failed(t, err))
			}
		}
		if err := c.table(ctx, t); err != nil {
			return err
		}
	}
	if err := c.target.unmark(ctx); err != nil {
		return inTarget(err)
	}
	if err := c.target.commit(ctx); err != nil {
		return inTarget(err)
	}
	return nil
}

// table copies one table.
func (c *copier) table(ctx context.Context, t table) error {
	total, err := c.source.count(ctx, t)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	full := c.target.prefix + t.name
	c.progress(full, 0, total)
	in, done, last := c.target.inserter(t, c.found[t.name]), int64(0), ""
	rename := renaming(t, c.source.prefix, c.target.prefix)
	err = c.source.each(ctx, t, c.found[t.name], func(values []sql.NullString) error {
		rename(values)
		written, err := in.addRow(ctx, values)
		if err != nil {
			return err
		}
		done, last = done+1, keyOf(t, values)
		if written {
			c.progress(full, done, total)
		}
		return nil
	})
	if err == nil && in.rows > 0 {
		if err = in.flush(ctx, last); err == nil {
			c.progress(full, done, total)
		}
	}
	if err == nil && done != total {
		err = c.source.failed(t, fmt.Errorf("it changed while it was copied (%d rows, then %d): "+
			"its engine has no transactions; repeat while nobody writes", total, done))
	}
	return err
}
