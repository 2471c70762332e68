package schema

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// someExamples is the number of examples in a finding.
const someExamples = 5

// found returns a finding with the number of rows of a query and the first of their ids, or none if there are no rows.
func (p *examinedDB) found(ctx context.Context, id string, level Level, text, advice string, query func() *bun.SelectQuery) ([]Finding,
	error) {
	var n int64
	if err := query().ColumnExpr("COUNT(*)").Scan(ctx, &n); err != nil || n == 0 {
		return nil, err
	}
	f := finding(level, "", advice, "%s: %d", text, n)
	err := query().ColumnExpr("DISTINCT ? AS id", bun.Ident(id)).OrderExpr("1").Limit(someExamples).Scan(ctx, &f.Examples)
	if err != nil {
		return nil, err
	}
	return []Finding{f}, nil
}

// events selects the site's events without auto-drafts.
func (p *examinedDB) events() *bun.SelectQuery {
	return p.NewSelect().TableExpr("?(prefix)posts AS p").Where("p.post_type = ?", p.names.Event).
		Where("p.post_status <> ?", StatusAutoDraft)
}

// newestEvents is the number of events that slow checks examine.
const newestEvents = 20_000

// newest selects the events that slow checks examine.
func (p *examinedDB) newest() *bun.SelectQuery { return p.events().Where("p.ID >= ?", p.since) }

// findNewest determines the first event that slow checks examine.
func (p *examinedDB) findNewest(ctx context.Context) error {
	err := p.events().Column("p.ID").OrderExpr("p.ID DESC").Limit(1).Offset(newestEvents-1).Scan(ctx, &p.since)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// valued selects non-empty values of the event p under any of the keys.
func (p *examinedDB) valued(keys ...string) *bun.SelectQuery {
	return p.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("1").
		Where("m.post_id = p.ID").Where("m.meta_key IN (?)", bun.List(keys)).Where("m.meta_value > '0'")
}

func (p *examinedDB) rowOf(table string) *bun.SelectQuery {
	return p.NewSelect().TableExpr("?(prefix)? AS o", bun.Safe(table)).ColumnExpr("1").Where("o.post_id = p.ID")
}

const saveAgain = "save them in the site's editor, or call schema.Backfill"

func askOccurrences(ctx context.Context, p *examinedDB) ([]Finding, error) {
	return p.withoutRow(ctx, occurrencesTable, Warning, "without an occurrence, so they are in no list")
}

func askEventRows(ctx context.Context, p *examinedDB) ([]Finding, error) {
	return p.withoutRow(ctx, eventsTable, Note, "without a row in tec_events, which The Events Calendar needs")
}

// withoutRow finds events that have dates but no row in a table: first published events, then the others.
func (p *examinedDB) withoutRow(ctx context.Context, table string, level Level, lack string) ([]Finding, error) {
	query := func(state string) func() *bun.SelectQuery {
		return func() *bun.SelectQuery {
			return p.events().Where("p.post_status "+state+" ?", StatusPublish).
				Where("EXISTS (?)", p.valued(MetaStartDate)).Where("NOT EXISTS (?)", p.rowOf(table))
		}
	}
	public, err := p.found(ctx, "p.ID", level, "published events with dates and "+lack, saveAgain, query("="))
	if err != nil {
		return nil, err
	}
	hidden, err := p.found(ctx, "p.ID", Note, "events that are not published, with dates and "+lack, saveAgain, query("<>"))
	return append(public, hidden...), err
}

func askDateless(ctx context.Context, p *examinedDB) ([]Finding, error) {
	return p.found(ctx, "p.ID", Warning, "published events without start or end, so they are in no list",
		"give them dates in the site's editor", func() *bun.SelectQuery {
			return p.events().Where("p.post_status = ?", StatusPublish).
				Where("(NOT EXISTS (?) OR NOT EXISTS (?))", p.valued(MetaStartDate), p.valued(MetaEndDate))
		})
}

// askDates finds events that have no occurrence with the dates in their meta. Recurring events are left out, since
// their rules may exclude those dates.
func askDates(ctx context.Context, p *examinedDB) ([]Finding, error) {
	dates := []string{MetaStartDate, MetaEndDate, MetaStartDateUTC, MetaEndDateUTC}
	number := func() *bun.SelectQuery {
		return p.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("COUNT(DISTINCT m.meta_key)").
			Where("m.post_id = p.ID").Where("m.meta_key IN (?)", bun.List(dates)).Where("m.meta_value > '0'")
	}
	agreeing := number().Where("m.meta_value = CASE m.meta_key WHEN ? THEN o.start_date WHEN ? THEN o.end_date "+
		"WHEN ? THEN o.start_date_utc ELSE o.end_date_utc END", MetaStartDate, MetaEndDate, MetaStartDateUTC)
	return p.found(ctx, "p.ID", Warning, "events whose dates differ from their occurrences, so lists and single reads disagree",
		"save them in the site's editor", func() *bun.SelectQuery {
			return p.newest().Where("EXISTS (?)", p.rowOf(occurrencesTable)).Where("NOT ?", p.Report.Dates.Several("p.ID")).
				Where("NOT EXISTS (?)", p.rowOf(occurrencesTable).Where("(?) = (?)", number(), agreeing))
		})
}

// askSeveral counts recurring events. They are not a problem.
func askSeveral(ctx context.Context, p *examinedDB) ([]Finding, error) {
	var events []struct {
		ID               int64
		Several          bool
		Rset, Recurrence string
	}
	recurrence := p.NewSelect().TableExpr("?(prefix)postmeta AS m").Where("m.post_id = p.ID").Where("m.meta_key = ?", MetaRecurrence)
	several := p.Report.Dates.Several("p.ID")
	q := p.events().ColumnExpr("p.ID AS id").ColumnExpr("? AS several", several).
		ColumnExpr("COALESCE((?), '') AS recurrence", recurrence.ColumnExpr("MAX(m.meta_value)")).
		Where("(? OR EXISTS (?))", several, recurrence).OrderExpr("p.ID")
	if p.Report.Dates.Rset {
		q = q.ColumnExpr("COALESCE((?), '') AS rset", p.NewSelect().TableExpr("?(prefix)tec_events AS r").Column("r.rset").
			Where("r.post_id = p.ID"))
	} else {
		q = q.ColumnExpr("'' AS rset")
	}
	if err := q.Scan(ctx, &events); err != nil {
		return nil, err
	}
	ruled, examples := 0, []int64(nil)
	for _, e := range events {
		if !e.Several && !Recurs(e.Recurrence) {
			continue
		}
		if examples = append(examples, e.ID); FollowsRules(e.Rset, e.Recurrence) {
			ruled++
		}
	}
	var inSeries int
	err := p.NewSelect().TableExpr("?(prefix)posts AS p").ColumnExpr("COUNT(*)").Where("p.post_type = ?", TypeSeries).
		Where("p.post_status <> ?", StatusAutoDraft).Scan(ctx, &inSeries)
	if err != nil || len(examples)+inSeries == 0 {
		return nil, err
	}
	f := finding(OK, "", "", "recurring events: %d, of which with explicit dates %d, with rules %d; series: %d", len(examples),
		len(examples)-ruled, ruled, inSeries)
	f.Examples = examples[:min(len(examples), someExamples)]
	return []Finding{f}, nil
}

func askStray(ctx context.Context, p *examinedDB) ([]Finding, error) {
	return p.found(ctx, "o.post_id", Note, "occurrences without an event, which cost time and show nothing",
		"delete them, after checking that --prefix and post types are right", func() *bun.SelectQuery {
			return p.NewSelect().TableExpr("?(prefix)tec_occurrences AS o").
				Join("LEFT JOIN ?(prefix)posts AS p ON p.ID = o.post_id AND p.post_type = ?", p.names.Event).Where("p.ID IS NULL")
		})
}
