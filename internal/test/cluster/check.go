//go:build cluster

package cluster

import (
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Found is the result of a load as found in a database.
type Found struct {
	Acknowledged int // acknowledged writes
	Lost         int // acknowledged writes that are lost
	Twice        int // events beyond the first with the same title
	Half         int // events that lack rows, or that show only one field of an update
	Refused      int // writes that were executed although the response says that they were not, and which clients did not repeat
}

// created counts the rows of each event of a load.
const created = `SELECT p.post_title,
	(SELECT COUNT(*) FROM wp_postmeta m WHERE m.post_id = p.ID
		AND m.meta_key = '_EventStartDate' AND m.meta_value = '2031-05-01 10:00:00'),
	(SELECT COUNT(*) FROM wp_postmeta m WHERE m.post_id = p.ID AND m.meta_key = '_EventEndDate' AND m.meta_value = '2031-05-01 12:00:00'),
	(SELECT COUNT(*) FROM wp_tec_occurrences o WHERE o.post_id = p.ID),
	(SELECT COUNT(*) FROM wp_term_relationships r WHERE r.object_id = p.ID),
	(SELECT COUNT(*) FROM wp_postmeta m WHERE m.post_id = p.ID AND m.meta_key = '_EventURL'
		AND m.meta_value = CONCAT('https://example.org/', p.post_title))
	FROM wp_posts p WHERE p.post_type = 'tribe_events' AND p.post_title LIKE ?`

// miscounted counts the terms whose stored count differs from the number of events, over all loads.
const miscounted = `SELECT COUNT(*) FROM wp_term_taxonomy t WHERE t.taxonomy IN ('post_tag', 'tribe_events_cat') AND t.count <>
	(SELECT COUNT(*) FROM wp_term_relationships r WHERE r.term_taxonomy_id = t.term_taxonomy_id)`

// Check compares the acknowledged writes with the rows on a server.
func (l *Load) Check(s *Server) (f Found) {
	l.t.Helper()
	return l.CheckDatabase(s, database)
}

// CheckDatabase is Check for a database of another name.
func (l *Load) CheckDatabase(s *Server, name string) (f Found) {
	l.t.Helper()
	db := s.open(name)
	defer db.Close()
	f.Half = int(l.half.Load())
	times := map[string]int{}
	rows, err := db.Query(created, l.run+"-%")
	must(l.t, err)
	defer rows.Close()
	for rows.Next() {
		var title string
		var start, end, occurrences, terms, website int
		must(l.t, rows.Scan(&title, &start, &end, &occurrences, &terms, &website))
		times[title]++
		if start != 1 || end != 1 || occurrences != 1 || terms != 2 || website != 1 {
			f.Half++
		}
	}
	must(l.t, rows.Err())
	var wrong int
	must(l.t, db.QueryRow(miscounted).Scan(&wrong))
	f.Half += wrong
	for _, a := range l.answers(create) {
		if a.good() {
			f.Acknowledged++
			if times[a.token] == 0 {
				f.Lost++
			}
		}
		if l.refused(a) {
			f.Refused += times[a.token]
		}
		f.Twice += max(0, times[a.token]-1)
	}
	for _, a := range l.answers(update) {
		_, title, _ := strings.Cut(a.token, " ")
		if _, shown := l.shown.Load(title); shown && l.refused(a) {
			f.Refused++
		}
	}
	for _, id := range l.shared {
		acknowledged, lost := l.updates(db, id)
		f.Acknowledged += acknowledged
		f.Lost += lost
	}
	return f
}

// whole logs the row of a fault, as the first server has it, and checks that each server has everything that was
// acknowledged, once and completely.
func (l *Load) whole(fault string, servers ...*Server) {
	l.t.Helper()
	for i, s := range servers {
		f := l.Check(s)
		if i == 0 {
			l.t.Log(l.Row(fault, f))
		}
		if f != (Found{Acknowledged: f.Acknowledged}) || f.Acknowledged == 0 {
			l.t.Errorf("%s: %s: %+v", fault, s.name, f)
		}
	}
}

// unavailable reports whether the response says when to try again, or that the outcome is unknown.
func (l *Load) unavailable(a answer) bool {
	return a.status == http.StatusServiceUnavailable && (a.retry != "" || a.code == "rest_outcome_unknown" && !l.keys)
}

// onlyUnavailable reports responses that are neither successful nor say when to try again, nor have one of the other
// codes.
func (l *Load) onlyUnavailable(fault string, others ...string) {
	l.t.Helper()
	for _, a := range l.answers("") {
		if a.status != 0 && !a.good() && !slices.Contains(others, a.code) && !l.unavailable(a) {
			l.t.Errorf("%s: a %s was answered %d %s, Retry-After %q", fault, a.kind, a.status, a.code, a.retry)
		}
	}
}

// refused reports whether the response said that a write was not executed.
func (l *Load) refused(a answer) bool {
	return a.status == http.StatusServiceUnavailable && a.code != "rest_outcome_unknown" && !l.keys
}

// updates counts the acknowledged updates of an event, and the lost ones among them: those that began after the update
// which the event shows had ended. All updates write the same fields, so only one of them is visible.
func (l *Load) updates(db *sql.DB, id string) (acknowledged, lost int) {
	var title string
	must(l.t, db.QueryRow("SELECT post_title FROM wp_posts WHERE ID = ?", id).Scan(&title))
	ended := l.began // when the event was created
	for _, a := range l.answers(update) {
		if a.token == id+" "+title {
			ended = a.end
			if !a.good() {
				ended = time.Now() // it may have been executed until now
			}
		}
	}
	for _, a := range l.answers(update) {
		if len(a.token) > len(id) && a.token[:len(id)+1] == id+" " && a.good() {
			acknowledged++
			if a.began.After(ended) {
				lost++
			}
		}
	}
	return acknowledged, lost
}

// Row returns a line of the table of faults.
func (l *Load) Row(fault string, f Found) string {
	if still := stoodStill(l.began, l.ended); still > 0 {
		fault += fmt.Sprintf(" (and the machine stood still for %.0f s)", still.Seconds())
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %.1f s, %.1f s | %s |", fault, f.Acknowledged, f.Lost, f.Twice, f.Half,
		l.silence(false).Seconds(), l.silence(true).Seconds(), l.statuses())
}
