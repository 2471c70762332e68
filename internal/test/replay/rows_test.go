package replay

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

const start, end = "2033-04-05 19:30:00", "2033-04-05 22:00:00"

// metas returns the meta rows of an event.
func metas(cost, organizer, other string, website any) [][]any {
	return [][]any{
		{"_EventCost", cost}, {"_EventOrganizerID", organizer}, {"_EventOrganizerID", other}, {"_EventURL", website},
		{"_tribe_modified_fields", "x"},
	}
}

func siteTables() fakeDB {
	post := strings.Split("1|2027-06-06 00:30:00|2027-06-05 22:30:00|Text|Plain||publish|closed|closed||plain|"+
		"2027-06-06 00:31:00|2027-06-05 22:31:00|0|http://site.test/event/plain/|0|tribe_events||0", "|")
	row := []any{}
	for _, v := range post {
		row = append(row, v)
	}
	return fakeDB{
		"wp_posts": {row},
		"wp_postmeta": {
			{"_EventCost", "5"}, {"_EventOrganizerID", "17"}, {"_EventOrganizerID", "18"}, {"_EventURL", nil},
			{"_edit_lock", "1:1"}, {"_Venuepost_x", "y"}, {"_tribe_modified_fields", "a:0:{}"},
		},
		"wp_term_relationships": {{"post_tag", "blues"}, {"tribe_events_cat", "concert"}},
		"wp_tec_events":         {{"Europe/Brussels", start, end, start, end, "9000"}},
		"wp_tec_occurrences":    {{start, end, start, end, "9000"}},
		"wp_terms":              {{"Blues", "blues", "0", "post_tag", "", "0", "3"}},
	}
}

const (
	wantOccurrence = `"start_date":"` + start + `","end_date":"` + end + `","start_date_utc":"` + start + `","end_date_utc":"` + end +
		`","duration":9000`
	wantRows = `{"post":{"post_title":"Plain","post_author":1,"post_date":"{{now}}","post_date_gmt":"{{now_utc}}",` +
		`"post_content":"Text","post_excerpt":"",` +
		`"post_status":"publish",` +
		`"comment_status":"closed","ping_status":"closed","post_password":"","post_name":"plain",` +
		`"post_modified":"{{now}}","post_modified_gmt":"{{now_utc}}",` +
		`"post_parent":0,` +
		`"guid":"{site}/event/plain/","menu_order":0,"post_type":"tribe_events","post_mime_type":"","comment_count":0},` +
		`"meta":[["_tribe_modified_fields","a:1:{i:0;i:1;}"],["_EventURL",null],["_EventCost","5"],` +
		`["_EventOrganizerID","17"],["_EventOrganizerID","18"],` +
		`["_edit_last","1"]],` +
		`"terms":[["post_tag","blues"],["tribe_events_cat","concert"]],` +
		`"tec_events":[{"timezone":"Europe/Brussels",` + wantOccurrence + `}],"tec_occurrences":[{` + wantOccurrence + `}]}`
	wantTerm = `[{"name":"Blues","slug":"blues","term_group":0,"taxonomy":"post_tag","description":"","parent":0,"count":3}]`
)

// rowDiffs compares the stored rows for the label e1 with the wanted ones.
func rowDiffs(t *testing.T, tables fakeDB, want string, term bool) ([]Difference, error) {
	t.Helper()
	db := tables.open()
	defer db.Close()
	p := &player{c: testComparer(t), db: db, prefix: "wp_"}
	l := &line{Rows: json.RawMessage(`"e1"`)}
	if term {
		l = &line{RowsTerm: json.RawMessage(`"e1"`)}
	}
	l.Answer.Rows = json.RawMessage(want)
	return p.rows(context.Background(), l)
}

func TestRows(t *testing.T) {
	for name, c := range map[string]struct {
		table string
		rows  [][]any
		at    []string
	}{
		"same":       {"", nil, []string{}},
		"meta value": {"wp_postmeta", metas("6", "17", "18", nil), []string{"rows.meta._EventCost[0]"}},
		"meta order": {"wp_postmeta", metas("5", "18", "17", nil),
			[]string{"rows.meta._EventOrganizerID[0]", "rows.meta._EventOrganizerID[1]"}},
		"meta missing":    {"wp_postmeta", metas("5", "17", "18", nil)[:4], []string{"rows.meta._tribe_modified_fields"}},
		"meta empty text": {"wp_postmeta", metas("5", "17", "18", ""), []string{"rows.meta._EventURL[0]"}},
		"no post":         {"wp_posts", nil, []string{"rows.post"}},
		"no occurrence":   {"wp_tec_occurrences", nil, []string{"rows.tec_occurrences"}},
		"another occurrence": {"wp_tec_occurrences", [][]any{{start, end, start, end, "9001"}},
			[]string{"rows.tec_occurrences[0].duration"}},
		"one term": {"wp_term_relationships", [][]any{{"post_tag", "blues"}}, []string{"rows.terms"}},
	} {
		t.Run(name, func(t *testing.T) {
			tables := siteTables()
			if c.table != "" {
				tables[c.table] = c.rows
			}
			diffs := must.Get(rowDiffs(t, tables, wantRows, false))(t)
			if p := places(diffs); !slices.Equal(p, c.at) {
				t.Errorf("differences at %q, expected at %q", p, c.at)
			}
		})
	}
}

func TestRowsOfTerm(t *testing.T) {
	diffs, err := rowDiffs(t, siteTables(), wantTerm, true)
	if err != nil || len(diffs) != 0 {
		t.Errorf("%+v, %v", diffs, err)
	}
	diffs, err = rowDiffs(t, siteTables(), strings.Replace(wantTerm, `"count":3`, `"count":"3"`, 1), true)
	if err != nil || !slices.Equal(places(diffs), []string{"rows[0].count"}) {
		t.Errorf("%+v, %v", diffs, err)
	}
}
