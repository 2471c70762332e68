package schema

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"
)

// This file distinguishes recurring events from others. A recurring event has a value in tec_events.rset, more than one
// occurrence, or one whose has_recurrence is 1. Without these columns and rows, the rules in MetaRecurrence decide. The
// main occurrence of an event is the one with the dates of its meta rows and of its row in tec_events: it has the same
// start_date and start_date_utc. It is not necessarily the one with the lowest id.

// DateColumns says which of the tables and columns of occurrences a site has. Events Calendar Pro may add the columns
// for recurring events at any time, so they are looked up whenever they are needed.
type DateColumns struct {
	Events        bool // tec_events exists and the account may read it
	Occurrences   bool // tec_occurrences exists and the account may read it
	Rset          bool // tec_events.rset: all dates of an event as iCalendar properties, one per line
	HasRecurrence bool // tec_occurrences.has_recurrence
	Sequence      bool // tec_occurrences.sequence
	IsRdate       bool // tec_occurrences.is_rdate
}

// Keep reports whether the tables have all columns that recurring events need: see InstallDates.
func (c DateColumns) Keep() bool { return c.Rset && c.HasRecurrence && c.Sequence && c.IsRdate }

// ReadDateColumns finds out which of the tables and columns of occurrences a site has. db is bound to its prefix.
func ReadDateColumns(ctx context.Context, db bun.IDB) (DateColumns, error) {
	return ReadDateColumnsBy(ctx, db.NewSelect)
}

// ReadDateColumnsBy is like ReadDateColumns, except that query returns each new query.
func ReadDateColumnsBy(ctx context.Context, query func() *bun.SelectQuery) (DateColumns, error) {
	events, errEvents := columnsOf(ctx, query(), eventsTable)
	occurrences, errOccurrences := columnsOf(ctx, query(), occurrencesTable)
	return DateColumns{
		Events: events != nil, Occurrences: occurrences != nil, Rset: events["rset"], HasRecurrence: occurrences["has_recurrence"],
		Sequence: occurrences["sequence"], IsRdate: occurrences["is_rdate"],
	}, errors.Join(errEvents, errOccurrences)
}

// columnsOf returns the names of a table's columns in lower case, nil if the table does not exist or the account may
// not read it.
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

// Several returns the SQL condition that an event is recurring according to its rows in the tables of occurrences. post
// is the column with its post id: "p.ID" selects among wp_posts AS p.
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

// Recurs reports whether a value of MetaRecurrence contains rules, so that the event is recurring or becomes so when
// Events Calendar Pro creates its occurrences. It returns true for a value that cannot be parsed, so that the event's
// dates are left alone.
func Recurs(value string) bool { return someRules.MatchString(value) || !noRules.MatchString(value) }

var (
	ruledSet  = regexp.MustCompile(`(?m)^(RRULE|EXRULE|EXDATE)[;:]`)
	typesOf   = regexp.MustCompile(`s:4:"type";s:\d+:"([^"]*)"`)
	exclusion = regexp.MustCompile(`s:10:"exclusions";a:0*[1-9]`)
)

// FollowsRules reports whether any of an event's dates follow from a rule or are excluded, rather than all being
// explicit (D66), given its rset and its value of MetaRecurrence.
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
