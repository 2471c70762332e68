package store

import (
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// addDates adds the queries of Content's statement that read the tables of dates, if the tables of the site can store
// several dates of an event.
func (s *Posts) addDates(parts []*Query, a ContentQuery, c schema.DateColumns) []*Query {
	if !c.HasRecurrence {
		return parts
	}
	rule, dated := bun.Safe("NULL"), bun.Safe("0")
	if c.Rset {
		rule, dated = s.db.rule("te.rset"), "CASE WHEN te.rset <> '' THEN 1 ELSE 0 END"
	}
	if len(a.Several) > 0 {
		parts = append(parts, s.contentSeveral(a, c))
	}
	if len(a.Dates) > 0 {
		q := s.db.Select().From(TableOccurrences, "o").Where("o.occurrence_id IN (?)", bun.List(occurrencesOf(a.DateBase, a.Dates))).
			JoinQuery("JOIN", s.db.totals(a.IDs), "d", "d.post_id = o.post_id")
		if c.Rset {
			q = q.Join("LEFT JOIN", TableEvents, "te", "te.post_id = o.post_id")
		}
		parts = append(parts, q.ColumnExpr(namedColumns(map[int]bun.Safe{
			cellKind: "4", cellPost: "o.post_id", cellID: "o.occurrence_id", cellParent: "d.total", cellOrder: "o.duration",
			cellCount: "o.has_recurrence", cellGroup: dated, cellDate: "CAST(o.start_date AS CHAR)",
			cellDateUTC: "CAST(o.start_date_utc AS CHAR)", cellModified: "CAST(o.end_date AS CHAR)",
			cellModifiedUTC: "CAST(o.end_date_utc AS CHAR)", cellText: rule,
		})))
	}
	return parts
}

// contentSeveral selects the events with several dates. It reads an event's rows from their indexes and groups them in
// that order: joining the numbers of occurrences of setsOf takes a server twice as long.
func (s *Posts) contentSeveral(a ContentQuery, c schema.DateColumns) *Query {
	const total = "COUNT(DISTINCT n.occurrence_id)"
	q := s.db.Select().From(TableOccurrences, "n").Where("n.post_id IN (?)", bun.List(a.Several)).Group("n.post_id")
	rule, several := bun.Safe("NULL"), total+" > 1 OR MAX(CASE WHEN n.has_recurrence = 1 THEN 1 ELSE 0 END) = 1"
	if c.Rset {
		q = q.Join("LEFT JOIN", TableEvents, "te", "te.post_id = n.post_id")
		rule, several = s.db.rule("MAX(te.rset)"), several+" OR MAX(te.rset) <> ''"
	}
	return q.Having(several).ColumnExpr(namedColumns(map[int]bun.Safe{
		cellKind: "3", cellPost: "n.post_id", cellParent: total, cellText: rule,
	}))
}

// rule returns an expression for the dates of an event as text, which is rset, if they contain a rule, and otherwise NULL.
func (db *DB) rule(rset string) bun.Safe {
	return bun.Safe("CASE WHEN "+rset+" LIKE '%RRULE%' THEN ") + WithoutCollation(db.IsMySQL(), rset) + " END"
}

// occurrencesOf converts ids of occurrences in answers to occurrence_ids.
func occurrencesOf(base int64, dates []int64) []int64 {
	rows := make([]int64, len(dates))
	for i, id := range dates {
		rows[i] = id - base
	}
	return rows
}

// set processes the row of a recurring event.
func (cr *contentReader) set() {
	post := cr.number(cellPost)
	cr.c.Several[post] = &Several{Set: Set{Post: post, Total: cr.number(cellParent), Text: cr.cell(cellText)}}
}

// date processes the row of an occurrence of a recurring event.
func (cr *contentReader) date() {
	d := &Date{
		ID: cr.base + cr.number(cellID), Post: cr.number(cellPost), Start: cr.cell(cellDate), End: cr.cell(cellModified),
		StartUTC: cr.cell(cellDateUTC), EndUTC: cr.cell(cellModifiedUTC), Duration: cr.number(cellOrder),
		Several: cr.number(cellCount) == 1, Dated: cr.number(cellGroup) == 1,
	}
	cr.c.Dates[d.ID] = d
	if cr.c.Several[d.Post] == nil {
		cr.set()
	}
}
