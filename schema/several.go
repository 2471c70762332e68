package schema

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"
)

// This file tells events with several dates from others. Such an event has a text in rset, more than one occurrence, or
// one whose has_recurrence is 1; where there are no such columns and rows, the rules in MetaRecurrence say so. Its own
// dates are those of its meta rows and of its row in tec_events: the occurrence with the same start_date and
// start_date_utc, which need not be the one with the lowest ID.

// DateColumns says what a site has of the tables of dates. The site's own software adds the columns for several dates,
// so they are looked for in the tables themselves, each time they are needed.
type DateColumns struct {
	Events        bool // there is tec_events, and the account may read it
	Occurrences   bool // likewise tec_occurrences
	Rset          bool // tec_events.rset: all dates of an event, as iCalendar properties, one a line
	HasRecurrence bool // tec_occurrences.has_recurrence
	Sequence      bool // tec_occurrences.sequence
	IsRdate       bool // tec_occurrences.is_rdate
}

// Keep reports whether the tables have all that events with several dates need: see InstallDates.
func (c DateColumns) Keep() bool { return c.Rset && c.HasRecurrence && c.Sequence && c.IsRdate }

// ReadDateColumns finds out what a site has of the tables of dates, on a connection with its prefix.
func ReadDateColumns(ctx context.Context, db bun.IDB) (DateColumns, error) {
	return ReadDateColumnsBy(ctx, db.NewSelect)
}

// ReadDateColumnsBy is ReadDateColumns by queries that begin as those of query.
func ReadDateColumnsBy(ctx context.Context, query func() *bun.SelectQuery) (DateColumns, error) {
	events, errEvents := columnsOf(ctx, query(), eventsTable)
	occurrences, errOccurrences := columnsOf(ctx, query(), occurrencesTable)
	return DateColumns{
		Events: events != nil, Occurrences: occurrences != nil, Rset: events["rset"], HasRecurrence: occurrences["has_recurrence"],
		Sequence: occurrences["sequence"], IsRdate: occurrences["is_rdate"],
	}, errors.Join(errEvents, errOccurrences)
}

// columnsOf returns the names of a table's columns in lower case, nil if it does not exist or may not be read.
func columnsOf(ctx context.Context, q *bun.SelectQuery, table string) (map[string]bool, error) {
	rows, err := q.TableExpr("?(prefix)?", bun.Safe(table)).ColumnExpr("*").Where("1 = 0").Rows(ctx)
	if err != nil {
		if absent, denied := tableError(err); absent || denied {
			err = nil
		}
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	columns := make(map[string]bool, len(names))
	for _, name := range names {
		columns[strings.ToLower(name)] = true
	}
	return columns, errors.Join(err, rows.Err())
}

// Several is the condition that the tables of dates have several dates of the event whose post ID is in a column. With
// "p.ID" it selects events among posts AS p.
func (c DateColumns) Several(post bun.Ident) bunschema.QueryWithArgs {
	const occurrences = "FROM ?(prefix)tec_occurrences AS s WHERE s.post_id = ?0"
	const events = "FROM ?(prefix)tec_events AS s WHERE s.post_id = ?0"
	conditions := []string{"1 = 0"}
	if c.Occurrences {
		conditions = append(conditions, "(SELECT COUNT(*) "+occurrences+") > 1")
	}
	if c.HasRecurrence {
		conditions = append(conditions, "EXISTS (SELECT 1 "+occurrences+" AND s.has_recurrence = 1)")
	}
	if c.Rset {
		conditions = append(conditions, "EXISTS (SELECT 1 "+events+" AND s.rset <> '')")
	}
	if len(conditions) == 1 {
		return bun.SafeQuery("(" + conditions[0] + ")")
	}
	return bun.SafeQuery("("+strings.Join(conditions, " OR ")+")", post)
}

var (
	someRules = regexp.MustCompile(`s:5:"rules";a:0*[1-9]`)
	noRules   = regexp.MustCompile(`^\s*(|0|a:0:\{\}|b:0;|i:0;|N;|s:0:"";|s:1:"0";)\s*$|s:5:"rules";|s:4:"type";s:4:"None";`)
)

// Recurs reports whether a value of MetaRecurrence has rules: then the event has several dates, or will have when its
// site's own software makes its rows. A value that cannot be understood has, since its event's dates are not to be touched.
func Recurs(value string) bool { return someRules.MatchString(value) || !noRules.MatchString(value) }

var (
	ruledSet  = regexp.MustCompile(`(?m)^(RRULE|EXRULE|EXDATE)[;:]`)
	typesOf   = regexp.MustCompile(`s:4:"type";s:\d+:"([^"]*)"`)
	exclusion = regexp.MustCompile(`s:10:"exclusions";a:0*[1-9]`)
)

// FollowsRules reports whether dates of an event follow from a rule or leave one out, by its rset and its value of
// MetaRecurrence, and are not all explicit (D66).
func FollowsRules(rset, recurrence string) bool {
	if ruledSet.MatchString(rset) || exclusion.MatchString(recurrence) {
		return true
	}
	if !Recurs(recurrence) {
		return false
	}
	types := typesOf.FindAllStringSubmatch(recurrence, -1)
	for _, t := range types {
		if t[1] != "Custom" && t[1] != "Date" && t[1] != "None" {
			return true
		}
	}
	return len(types) == 0
}
