package calendar_test

import (
	_ "embed"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// everyonesEditor is an Authenticator for which every caller is an editor of all events, venues and organizers.
type everyonesEditor struct{}

// Authenticate returns the editor for any request.
func (everyonesEditor) Authenticate(*http.Request) (calendar.Principal, error) {
	p := calendar.Principal{UserID: 2, Login: "editor", Capabilities: map[string]bool{"read": true}}
	for _, family := range []string{"tribe_events", "tribe_venues", "tribe_organizers"} {
		for _, right := range []string{"edit_", "edit_others_", "edit_published_", "edit_private_", "read_private_", "publish_"} {
			p.Capabilities[right+family] = true
		}
	}
	return p, nil
}

// Modes of a server and parameters of a DSN with which statements could return something else.
const (
	oracle    = "PIPES_AS_CONCAT,IGNORE_SPACE,NO_ZERO_DATE,NO_ZERO_IN_DATE,PAD_CHAR_TO_FULL_LENGTH"
	shortSort = "max_length_for_sort_data=8&group_concat_max_len=4"
)

// sampled are requests with dates, numbers, texts and orders of all kinds, whose answers could depend on the
// connection.
//
//go:embed testdata/sampled.txt
var sampledFile string

var sampled = strings.Fields(sampledFile)

// sampleAnswers returns the answers to the sampled requests, by path: status text and body.
func sampleAnswers(t *testing.T, db *bun.DB, opts calendar.Options) map[string]string {
	t.Helper()
	return answersTo(t, sampled, db, opts)
}

// everySecond returns the sampled requests with even numbers if n is even, otherwise those with odd numbers.
func everySecond(n int) (paths []string) {
	for i := n % 2; i < len(sampled); i += 2 {
		paths = append(paths, sampled[i])
	}
	return paths
}

func answersTo(t *testing.T, paths []string, db *bun.DB, opts calendar.Options) map[string]string {
	t.Helper()
	opts.DB, opts.Now, opts.Authenticator = db, frozen, everyonesEditor{}
	h := contract.Handler(t, opts)
	found := make(map[string]string, len(paths))
	for _, path := range paths {
		w := get(h, path)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		found[path] = http.StatusText(w.Code) + " " + w.Body.String()
	}
	return found
}

// sameAnswers compares answers with those over an ordinary connection, and reports where they begin to differ.
func sameAnswers(t *testing.T, got, want map[string]string) {
	t.Helper()
	for path := range got {
		if got[path] != want[path] {
			t.Errorf("%s\n%s", path, difference(got[path], want[path]))
		}
	}
}

// difference shows where two texts begin to differ.
func difference(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	near := func(s string) string { return s[max(0, at-100):min(len(s), at+100)] }
	return fmt.Sprintf(" got  …%s…\n want …%s…", near(got), near(want))
}

// environments returns ways in which hosts connect, by name. Each mode of a server and each parameter of a DSN that
// could change an answer occurs in one of them.
func environments(t *testing.T, db *bun.DB) map[string][]testdb.Option {
	t.Helper()
	isolation := "tx_isolation" // MariaDB knows MySQL's name of the variable only from 11.1 on
	if testdb.IsMySQL(t, db) {
		isolation = "transaction_isolation"
	}
	of := func(mode, params string) []testdb.Option {
		return []testdb.Option{testdb.WithSQLMode(mode), testdb.WithDSNParams(params)}
	}
	return map[string][]testdb.Option{
		"MySQL 8, in New York": of(testdb.MySQL8, "parseTime=true&loc=America%2FNew_York&clientFoundRows=true"),
		"MariaDB, another collation": of("STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
			"parseTime=true&loc=Local&collation=utf8mb4_general_ci"),
		"no mode, in Tokyo": of("",
			"parseTime=false&loc=Asia%2FTokyo&interpolateParams=true&charset=utf8mb4&collation=utf8mb4_unicode_520_ci"),
		"the standard, binary": of("ANSI", "parseTime=true&loc=Asia%2FTokyo&collation=utf8mb4_bin&"+isolation+"=%27SERIALIZABLE%27"),
		"Oracle": of(oracle,
			"multiStatements=true&optimizer_switch=%27semijoin%3Doff%2Cmaterialization%3Doff%27"),
		"everything strict": of("TRADITIONAL,ONLY_FULL_GROUP_BY,HIGH_NOT_PRECEDENCE",
			"time_zone=%27%2B09%3A00%27&interpolateParams=true&parseTime=true&"+isolation+"=%27READ-COMMITTED%27"),
		"no auto value, compressed": of("NO_AUTO_VALUE_ON_ZERO,NO_UNSIGNED_SUBTRACTION",
			"compress=true&"+shortSort+"&sql_select_limit=18446744073709551615"),
	}
}

// TestEnvironments checks that answers do not depend on how a host connects and where it runs. Each way is tried with
// half of the sampled requests.
func TestEnvironments(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	want := sampleAnswers(t, db, calendar.Options{})
	if list := want["/events?start_date=2018-01-01&end_date=2036-01-01&per_page=50"]; strings.Count(list, `"global_id":`) < 40 ||
		!strings.HasPrefix(list, "OK ") {
		t.Fatalf("little to compare: %.300s", list)
	}
	n := 0
	for name, options := range environments(t, db) {
		n++
		t.Run(name, func(t *testing.T) {
			sameAnswers(t, answersTo(t, everySecond(n), testdb.Reopen(t, db, options...), calendar.Options{}), want)
		})
	}
}

func TestProcessZones(t *testing.T) {
	db := testdb.SiteA(t, testdb.WithDSNParams("parseTime=true&loc=Local"))
	want := sampleAnswers(t, db, calendar.Options{})
	local := time.Local
	t.Cleanup(func() { time.Local = local })
	for n, name := range []string{"America/New_York", "Pacific/Kiritimati"} {
		zone := must.Get(time.LoadLocation(name))(t)
		time.Local = zone
		t.Run(name, func(t *testing.T) {
			sameAnswers(t, answersTo(t, everySecond(n), db, calendar.Options{}), want)
			reopened := testdb.Reopen(t, db, testdb.WithDSNParams("parseTime=true&loc=Local"))
			sameAnswers(t, answersTo(t, everySecond(n+1), reopened, calendar.Options{}), want)
		})
	}
}

// TestZeroDatesAreShown checks that stored zero dates are shown, whether or not the server's modes permit them.
func TestZeroDatesAreShown(t *testing.T) {
	const zero = `0000-00-00 00:00:00`
	db := testdb.SiteA(t)
	exec(t, testdb.OfOthers(t, db), "UPDATE wp_posts SET post_date = ?, post_modified = ?, post_modified_gmt = ? WHERE ID = 116",
		zero, zero, zero)
	for name, option := range map[string]testdb.Option{
		"plain": testdb.WithDSNParams(""), "parseTime": testdb.WithDSNParams("parseTime=true&loc=Asia%2FTokyo"),
		"MySQL 8": testdb.WithSQLMode(testdb.MySQL8),
	} {
		t.Run(name, func(t *testing.T) {
			h := contract.Handler(t, calendar.Options{DB: testdb.Reopen(t, db, option), Now: frozen, Authenticator: everyonesEditor{}})
			for path, members := range map[string]string{
				"/events/58": "date_utc modified_utc", "/events/43": "date_utc", "/events/116": "date date_utc modified modified_utc",
				"/venues/13": "date_utc modified_utc", "/organizers/21": "date_utc modified_utc",
				"/events?include=58&status=draft": "date_utc modified_utc", "/events?include=116": "date date_utc modified modified_utc",
				"/venues?status=draft": "date_utc modified_utc", "/organizers?status=draft": "date_utc modified_utc",
			} {
				body := get(h, path).Body.String()
				for member := range strings.FieldsSeq(members) {
					if !strings.Contains(body, `"`+member+`":"`+zero+`"`) {
						t.Errorf("%s: %s is not shown: %.400s", path, member, body)
					}
				}
			}
		})
	}
}
