package doctor

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var sick = schema.Diagnosis{
	Server: "MariaDB 1\x1b[2J", Posts: []schema.PostCount{},
	Tables: []schema.Table{{Name: "wp_posts", Engine: "MyISAM", Collation: "latin1_swedish_ci", Rows: 3, Bytes: 1 << 20}},
	Findings: []schema.Finding{
		{Section: "Server", Check: "version", Level: schema.OK, Text: "MariaDB 1\x1b[2J"},
		{Section: "Tables", Check: "rows", Level: schema.OK, Text: "3 events"},
		{Section: "Tables", Check: "engine", Level: schema.Problem, Subject: "wp_posts", Text: "is kept\x1b[1m by\nMyISAM",
			Advice:   "change it",
			Examples: []int64{1, 2}, DDL: []string{"ALTER TABLE `wp_posts` ENGINE=InnoDB"}},
	},
	Plans: []schema.Plan{
		{Query: "by slug", Rows: 900, Then: 1, Sorted: true, Steps: []schema.Step{{Table: "p", Access: "ALL", Rows: 900},
			{Table: "o", Key: "x", Access: "ref"}}},
	},
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	must.Succeed(t, Text(&b, sick))
	const want = "Server\n  ok       version: MariaDB 1?[2J\n\n" +
		"Tables\n  ok       rows: 3 events\n           wp_posts  ~3 rows  1.0 MiB  MyISAM  latin1_swedish_ci\n" +
		"  problem  wp_posts: is kept?[1m by\nMyISAM (such as 1 2)\n           → change it\n\n" +
		"How the database finds a page of 10 (from EXPLAIN; nothing was measured)\n" +
		"  by slug  sorts  reads ~900 rows, ~1 with the missing indexes  p by no index (ALL), o by x (ref)\n\n" +
		"Found: 1 problem.\n\n"
	text, statements, _ := strings.Cut(b.String(), "-- ")
	if text != want {
		t.Errorf("%s", text)
	}
	if !strings.HasSuffix(statements, "\nSET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION';\n"+
		"-- problem: wp_posts: is kept?[1m by MyISAM (change it)\nALTER TABLE `wp_posts` ENGINE=InnoDB;\n") {
		t.Errorf("%q", statements)
	}
}

// Nothing that a comment quotes may become a statement.
func TestStatementsHoldNothingElse(t *testing.T) {
	d := sick
	d.Findings = []schema.Finding{{Level: schema.Note, Text: "a\r\nDROP TABLE x;\u2028DROP TABLE y; \v", DDL: []string{"ALTER TABLE a"}}}
	var b bytes.Buffer
	must.Succeed(t, Statements(&b, d))
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "-- ") && line != "ALTER TABLE a;\n" && !strings.HasPrefix(line, "SET SESSION sql_mode") {
			t.Errorf("%q", line)
		}
	}
	if strings.ContainsAny(b.String(), "\r\v\u2028") {
		t.Errorf("%q", b.String())
	}
}

func TestJSON(t *testing.T) {
	for _, d := range []schema.Diagnosis{sick, {}} {
		var b bytes.Buffer
		must.Succeed(t, JSON(&b, d))
		var got struct {
			Worst schema.Level
			DDL   []string
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.Worst != d.Worst() || got.DDL == nil || len(got.DDL) != len(d.DDL()) {
			t.Errorf("%s: %v", b.String(), err)
		}
		if bytes.ContainsRune(b.Bytes(), '\x1b') || bytes.Contains(b.Bytes(), []byte("null")) {
			t.Errorf("%s", b.String())
		}
	}
}
