package schema

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// Exported for the external tests of this package.
var (
	ReadOnly  = readOnly
	TimeLimit = timeLimit
)

func TestEveryOwnIndexHasItsPurpose(t *testing.T) {
	declaredKeys, own := map[string]bool{}, 0
	for _, table := range tables {
		for _, k := range table.keys {
			name := table.name + "." + k.name
			declaredKeys[name] = true
			if !strings.HasPrefix(k.name, ownKeys) {
				continue
			}
			own++
			if purposes[name].why == "" {
				t.Errorf("%s: say in purposes which queries it serves and why", name)
			}
		}
	}
	if own == 0 {
		t.Error("no index of our own was found")
	}
	for name := range purposes {
		if !declaredKeys[name] {
			t.Errorf("%s has a purpose and is declared no more", name)
		}
	}
}

func TestCovers(t *testing.T) {
	golden.Each(t, "covers.txt", func(unique bool, kind, columns, wanted string, wantedUnique, want bool) {
		there := existingIndex{name: "x", unique: unique, kind: kind}
		for c := range strings.FieldsSeq(columns) {
			there.columns = append(there.columns, declared(c))
		}
		k := key{columns: strings.Fields(wanted), unique: wantedUnique}
		if got := there.covers(k); got != want {
			t.Errorf("%+v covers %+v: %t", there, k, got)
		}
	})
}

func TestFreeName(t *testing.T) {
	table := indexedTable{indexes: []existingIndex{{name: "Slug"}, {name: "slug_2"}, {name: "name"}}}
	for name, want := range map[string]string{"slug": "slug_3", "name": "name_2", "other": "other"} {
		golden.Equal(t, name, table.freeName(name), want)
	}
}

func TestAddIndexOfEachEngine(t *testing.T) {
	k := key{name: "slug", columns: []string{"slug(191)", "term_id"}, unique: true}
	for want, got := range map[string]string{
		"CREATE UNIQUE INDEX \"wp_terms_slug_2\" ON \"wp_terms\" (\"slug\", \"term_id\")": addIndex(true, "wp_terms",
			"slug_2", k, ""),
		"ALTER TABLE `wp_terms` ADD UNIQUE INDEX `slug_2` (`slug`(191),`term_id`), ALGORITHM=INPLACE, LOCK=NONE": addIndex(false,
			"wp_terms", "slug_2", k, "InnoDB"),
		"ALTER TABLE `wp_terms` ADD UNIQUE INDEX `slug_2` (`slug`(191),`term_id`)": addIndex(false,
			"wp_terms", "slug_2", k, "MyISAM"),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestServerLimits(t *testing.T) {
	fine := limits{Packet: 16 * mebibyte, Pool: 128 * mebibyte, Used: mebibyte, BigSelects: true}
	if found := fine.findings(); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	for want, change := range map[string]func(*limits){
		"warning max_allowed_packet":   func(l *limits) { l.Packet = 2 * mebibyte },
		"problem max_allowed_packet":   func(l *limits) { l.Packet = mebibyte / 2 },
		"warning sql_big_selects":      func(l *limits) { l.BigSelects = false },
		"note read_only":               func(l *limits) { l.ReadOnly = true },
		"note innodb_buffer_pool_size": func(l *limits) { l.Used = 129 * mebibyte },
	} {
		l := fine
		change(&l)
		found := l.findings()
		if len(found) != 1 || string(found[0].Level)+" "+found[0].Subject != want || found[0].Advice == "" {
			t.Errorf("%s: %+v", want, found)
		}
	}
}

func TestWeigh(t *testing.T) {
	for name, c := range map[string]struct {
		steps  []Step
		rows   int64
		sorted bool
	}{
		"in order": {[]Step{{Select: "PRIMARY", Access: "range", Rows: 5000}, {Select: "PRIMARY", Access: "eq_ref", Rows: 1}}, 20,
			false},
		"sorted": {[]Step{{Select: "SIMPLE", Access: "ALL", Rows: 5000, Extra: "Using where; Using filesort"},
			{Select: "SIMPLE", Rows: 1}}, 10000, true},
		"aside":        {[]Step{{Select: "SIMPLE", Access: "range", Rows: 50, Extra: "Using temporary"}}, 50, true},
		"dependent":    {[]Step{{Select: "PRIMARY", Access: "ref", Rows: 100}, {Select: "DEPENDENT SUBQUERY", Rows: 3}}, 400, false},
		"once":         {[]Step{{Select: "PRIMARY", Access: "ref", Rows: 100}, {Select: "MATERIALIZED", Rows: 30}}, 130, false},
		"nothing":      {[]Step{{Select: "SIMPLE", Extra: "Impossible WHERE"}}, 0, false},
		"huge":         {[]Step{{Select: "SIMPLE", Rows: 1 << 40}, {Select: "SIMPLE", Rows: 1 << 40}}, 1_000_000_000, false},
		"file, sorted": {[]Step{{Extra: "SCAN o"}, {Extra: "USE TEMP B-TREE FOR ORDER BY"}}, 0, true},
	} {
		plan := Plan{Steps: c.steps}
		plan.weigh()
		if plan.Rows != c.rows || plan.Sorted != c.sorted {
			t.Errorf("%s: %d rows, sorted %t", name, plan.Rows, plan.Sorted)
		}
	}
}

// TestLevelOfMissingIndexes checks that a missing index is a warning only where it makes reads slow.
func TestLevelOfMissingIndexes(t *testing.T) {
	for _, c := range []struct {
		table string
		own   bool
		rows  int64
		want  Level
	}{
		{"postmeta", true, manyRows, Warning},
		{"postmeta", true, manyRows - 1, Note},
		{"postmeta", false, 1, Warning},
		{"posts", true, 100 * manyRows, Note},
		{"posts", false, 1, Warning},
	} {
		golden.Equal(t, c, levelOf(MissingIndex{Own: c.own}, c.table, c.rows), c.want)
	}
}
