package store

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/test/atonce"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// preparing returns a store on the recorded site whose queries are prepared on MariaDB, its database with one
// connection, and its counter.
func preparing(t *testing.T) (*Store, *bun.DB, *testdb.Counter) {
	t.Helper()
	pool, counter := testdb.Counted(t, testdb.SiteA)
	pool.SetMaxOpenConns(1)
	db := must.Get(schema.Bind(pool, "wp_"))(t)
	s := newStore(t, db, limited)
	t.Cleanup(s.Close)
	return s, db, counter
}

// sentPrepared returns how many statements the only connection of a pool has prepared.
func sentPrepared(t *testing.T, db *bun.DB) (n int) {
	t.Helper()
	var name string
	must.Succeed(t, db.DB.QueryRowContext(t.Context(), "SHOW SESSION STATUS LIKE 'Com_stmt_prepare'").Scan(&name, &n))
	return n
}

// ofPosts returns the query of everything that is stored about posts.
func ofPosts(ids []int64) ContentQuery {
	return ContentQuery{
		IDs: ids, Attached: ids, Keys: []string{"_EventStartDate", "_EventVenueID", "_thumbnail_id", "it's"},
		Taxonomies: []string{"tribe_events_cat", "post_tag"}, Embeds: []string{"none"},
	}
}

// TestPreparedQueriesFindTheSame checks that the content of posts is the same whether its statement is prepared or
// sent as text, for pages of all lengths, and that few statements are prepared for them.
func TestPreparedQueriesFindTheSame(t *testing.T) {
	s, db, _ := preparing(t)
	ids, err := IDs(t.Context(), s.DB.Select().From(TablePosts, "p").Column("p.ID").Order("p.ID"))
	if err != nil || len(ids) < 20 {
		t.Fatal(len(ids), err)
	}
	text := newStore(t, db)
	want := map[string]*Content{}
	pages := map[string][]int64{}
	for n := 1; n <= len(ids); n += 1 + n/4 {
		for _, from := range []int{0, (len(ids) - n) / 2, len(ids) - n} {
			page := ids[from : from+n]
			name := fmt.Sprint(page)
			pages[name] = page
			if want[name], err = text.Posts.Content(t.Context(), ofPosts(page)); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := sentPrepared(t, db)
	for range 3 {
		for name, page := range pages {
			got, err := s.Posts.Content(t.Context(), ofPosts(page))
			if err != nil || !reflect.DeepEqual(got, want[name]) {
				t.Fatalf("%s: %v\n got  %+v\n want %+v", name, err, got, want[name])
			}
		}
	}
	n := sentPrepared(t, db) - before
	if testdb.IsMySQL(t, db) {
		if n != 0 {
			t.Errorf("%d statements were prepared on MySQL", n)
		}
	} else if n < 1 || n > 16 {
		t.Errorf("%d statements were prepared for pages of %d lengths", n, len(pages)/3)
	}
}

// TestPreparedQueriesAfterChangesOfTables checks that a prepared query reads the same after columns got other types: their
// values have another length then, and the server describes the columns of a prepared query only when they change.
func TestPreparedQueriesAfterChangesOfTables(t *testing.T) {
	s, db, _ := preparing(t)
	if testdb.IsMySQL(t, db) {
		return // nothing is prepared there
	}
	ids := must.Get(IDs(t.Context(), s.DB.Select().From(TablePosts, "p").Column("p.ID").Order("p.ID").Limit(8)))(t)
	var want *Content
	for range 3 {
		want = must.Get(s.Posts.Content(t.Context(), ContentQuery{IDs: ids}))(t)
	}
	if sentPrepared(t, db) == 0 {
		t.Fatal("nothing was prepared")
	}
	others := testdb.OfOthers(t, db)
	for _, form := range []string{"BIGINT", "SMALLINT", "VARCHAR(20)"} {
		execute(t, others, "ALTER TABLE wp_posts MODIFY menu_order "+form+" NOT NULL DEFAULT '0'")
		for range 2 {
			if got := must.Get(s.Posts.Content(t.Context(), ContentQuery{IDs: ids}))(t); !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n got  %+v\n want %+v", form, got, want)
			}
		}
	}
}

// TestPreparedQueriesOfAWrite checks that a query in a transaction is not prepared, and sees its changes.
func TestPreparedQueriesOfAWrite(t *testing.T) {
	s, db, _ := preparing(t)
	before := sentPrepared(t, db)
	err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
		for range 3 {
			p := row("stored")
			if err := s.Posts.Insert(ctx, p); err != nil {
				return err
			}
			if c, err := s.Posts.Content(ctx, ofPosts([]int64{p.ID})); err != nil || c.Posts[p.ID] == nil {
				t.Errorf("post %d is not found: %v", p.ID, err)
			}
		}
		return nil
	})
	if n := sentPrepared(t, db) - before; err != nil || n != 0 {
		t.Errorf("%d statements were prepared: %v", n, err)
	}
}

// TestPreparedQueriesOrText checks that a query is sent as text if the server rejects it as a prepared statement, also
// from then on, and that other errors are those of the query.
func TestPreparedQueriesOrText(t *testing.T) {
	s, db, counter := preparing(t)
	if testdb.IsMySQL(t, db) {
		return // nothing is prepared there
	}
	post := func() error {
		_, err := s.Posts.Content(t.Context(), ContentQuery{IDs: []int64{1, 2, 3}})
		return err
	}
	sent := func(want int) {
		t.Helper()
		if n := len(counter.Matching("AS kind")); n != want {
			t.Errorf("%d statements were sent, want %d: %q", n, want, counter.Statements())
		}
		counter.Reset()
	}
	for range 3 {
		must.Succeed(t, post())
	}
	if sent(3); sentPrepared(t, db) == 0 {
		t.Fatal("nothing was prepared")
	}
	counter.Reset()
	counter.FailAt(1, &mysql.MySQLError{Number: 1146, Message: "Table 'wp_posts' doesn't exist"})
	if err := post(); !dberr.IsUnknown(err) {
		t.Errorf("%v", err)
	}
	sent(1)
	counter.FailAt(1, &mysql.MySQLError{Number: 1461, Message: "Can't create more than max_prepared_stmt_count statements"})
	must.Succeed(t, post())
	sent(2)
	counter.FailAt(1, &mysql.MySQLError{Number: 1461, Message: "Can't create more than max_prepared_stmt_count statements"})
	if err := post(); err == nil {
		t.Error("a statement was prepared that the server had rejected")
	}
	sent(1)
	before := sentPrepared(t, db)
	for i := range 4 {
		q := s.DB.Prepared(s.DB.Select().ColumnExpr("no_column").From(TablePosts, "p").Where("p.ID = ?", i))
		if n, err := Number(t.Context(), q); !dberr.IsUnknown(err) {
			t.Errorf("%d %v", n, err)
		}
	}
	if n := sentPrepared(t, db) - before; n != 1 {
		t.Errorf("the server was asked %d times to prepare a query of a column that does not exist", n)
	}
}

// TestPreparedQueriesEnd checks that the server ends a prepared statement at its time limit.
func TestPreparedQueriesEnd(t *testing.T) {
	s, db, _ := preparing(t)
	admin := testdb.Reopen(t, db)
	slow := func(id int) error { // the time limit is one second for each, so all have the same text
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := Number(ctx, s.DB.Prepared(s.DB.Select().From(TablePosts, "p").ColumnExpr("COUNT(*)").Where("p.ID = ?", id).
			Where("SLEEP(600) = 0")))
		return err
	}
	before := sentPrepared(t, db)
	for range 3 { // no such post: nothing sleeps
		must.Succeed(t, slow(0))
	}
	if n := sentPrepared(t, db) - before; n != 1 && !testdb.IsMySQL(t, db) {
		t.Errorf("%d statements were prepared", n)
	}
	post := must.Get(Number(t.Context(), s.DB.Select().From(TablePosts, "p").ColumnExpr("MIN(p.ID)")))(t)
	if err := slow(int(post)); err == nil {
		t.Error("a statement of ten minutes came to its end")
	}
	ends(t, admin, "SLEEP(600)")
}

// TestFewQueriesArePrepared checks that no more statements are kept than allowed, also if several goroutines use more
// of them than that at the same time, and none once all stores of the pool are closed.
func TestFewQueriesArePrepared(t *testing.T) {
	s, db, _ := preparing(t)
	db.SetMaxOpenConns(4)
	other := newStore(t, db, limited)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	atonce.Run(4, func(g int) {
		for i := range 12 * mostPrepared {
			n := (i/3*(g+1) + g) % (2 * mostPrepared)
			q := s.DB.Prepared(s.DB.Select().ColumnExpr(fmt.Sprintf("%d AS n%[1]d", n)))
			if got, err := Number(ctx, q); err != nil || got != int64(n) {
				t.Errorf("%d instead of %d: %v", got, n, err)
			}
		}
	})
	p := s.DB.pool.prepared
	if p == nil {
		if !testdb.IsMySQL(t, db) {
			t.Error("nothing is prepared")
		}
		return
	}
	if other.DB.pool.prepared != p {
		t.Error("two stores of a pool do not share their statements")
	}
	s.Close()
	if len(p.texts) != mostPrepared {
		t.Errorf("%d texts are known", len(p.texts))
	}
	if other.Close(); p.texts != nil {
		t.Error("the statements remain")
	}
	if n, err := Number(ctx, s.DB.Prepared(s.DB.Select().ColumnExpr("5"))); n != 5 || err != nil {
		t.Error("closed", n, err)
	}
	preparedOf.Lock()
	defer preparedOf.Unlock()
	if preparedOf.pools[db.DB] != nil {
		t.Error("the pool remains")
	}
}

// TestPreparedTexts checks that the text of a prepared statement contains the time limit and no ids.
func TestPreparedTexts(t *testing.T) {
	s, db, _ := preparing(t)
	if testdb.IsMySQL(t, db) {
		return // nothing is prepared there
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p := s.DB.pool.prepared
	prepared := func() (n int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for key, kept := range p.texts {
			if key.seconds == 0 || !preparedForm.MatchString(key.text) {
				t.Errorf("%d %s", key.seconds, key.text)
			}
			if kept.statement != nil {
				n++
			}
		}
		return n
	}
	for prepared() == 0 { // a second later the limit is another one
		must.Get(s.Posts.Content(ctx, ContentQuery{IDs: []int64{4711, 4712, 4713}}))(t)
	}
}

// preparedForm matches the text of a query of three posts.
var preparedForm = regexp.MustCompile(`^SELECT 0 AS kind, .* WHERE ` +
	`\(p\.ID IN \(\?, \?, \?, \?\)\)$`)
