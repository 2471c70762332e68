package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"runtime"
	"strings"
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

// workbench returns a store on an empty site whose statements are counted.
func workbench(t *testing.T, opts ...testdb.Option) (*Store, *bun.DB, *testdb.Counter) {
	t.Helper()
	db, counter := testdb.Counted(t, testdb.New, opts...)
	bound, err := schema.Bind(db, "wp_")
	if err == nil {
		err = schema.Install(t.Context(), db, "wp_")
	}
	must.Succeed(t, err)
	counter.Reset()
	return newStore(t, bound), bound, counter
}

func row(title string) *schema.Post {
	return &schema.Post{Title: title, Status: schema.StatusDraft, Type: "tribe_events", Name: title,
		Date: "2031-01-01 00:00:00", DateGMT: "0000-00-00 00:00:00", Modified: "2031-01-01 00:00:00", ModifiedGMT: "0000-00-00 00:00:00"}
}

// titled counts the posts with a title.
func titled(t *testing.T, db *bun.DB, title string) int {
	t.Helper()
	n := must.Get(db.NewSelect().Model((*schema.Post)(nil)).Where("post_title = ?", title).Count(t.Context()))(t)
	return int(n)
}

// TestWriteIsWholeOrNothing checks that a write that fails, at whichever statement, changes nothing and leaves the
// session's mode as it was. Zero dates are stored in any mode.
func TestWriteIsWholeOrNothing(t *testing.T) {
	const strict = "STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION"
	s, db, counter := workbench(t, testdb.WithSQLMode(strict))
	db.SetMaxOpenConns(1)
	broken := errors.New("broken")
	put := func(title string, fail error) error {
		return s.Transactions.Write(t.Context(), func(ctx context.Context) error {
			if err := s.Posts.Insert(ctx, row(title)); err != nil {
				return err
			}
			return fail
		})
	}
	if err := put("whole", nil); err != nil || titled(t, db, "whole") != 1 {
		t.Fatal(err)
	}
	counter.Reset()
	must.Succeed(t, put("again", nil))
	statements := len(counter.Statements())
	for n := 1; n <= statements; n++ {
		counter.Reset()
		counter.FailAt(n, broken)
		if err := put("half", nil); !errors.Is(err, broken) || titled(t, db, "half") != 0 {
			t.Errorf("statement %d of %d: %v", n, statements, err)
		}
	}
	counter.Reset()
	if err := put("refused", broken); !errors.Is(err, broken) || titled(t, db, "refused") != 0 {
		t.Errorf("an error of its own: %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = s.Transactions.Write(t.Context(), func(ctx context.Context) error {
			_ = s.Posts.Insert(ctx, row("panicked"))
			panic("boom")
		})
	}()
	if titled(t, db, "panicked") != 0 {
		t.Error("a panic left rows behind")
	}
	var mode string
	if err := db.NewSelect().ColumnExpr("@@SESSION.sql_mode").Scan(t.Context(),
		&mode); err != nil || len(mode) < len(strict)/2 || mode == "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION" {
		t.Errorf("the session's mode is %q, %v", mode, err)
	}
}

// TestWriteIsRunAgain checks that a transaction that conflicts with others is retried a few times. If the connection is
// lost at the commit, the outcome is unknown.
func TestWriteIsRunAgain(t *testing.T) {
	t.Parallel()
	s, db, counter := workbench(t)
	if err := s.Transactions.Write(t.Context(), func(ctx context.Context) error { return s.Posts.Insert(ctx, row("first")) }); err != nil {
		t.Fatal(err) // it adds the row that writers lock
	}
	for _, number := range []uint16{1213, 1205, 1020, 1047, 1180, 3101, 1062} { // those of dberr.Retryable
		counter.Reset()
		failures, runs := 2, 0
		counter.Before(func(_ context.Context, _ int, query string) error {
			if failures > 0 && len(query) > 6 && query[:6] == "INSERT" {
				failures--
				return &mysql.MySQLError{Number: number, Message: "conflict"}
			}
			return nil
		})
		title := "post " + time.Duration(number).String()
		err := s.Transactions.Write(t.Context(), func(ctx context.Context) error { runs++; return s.Posts.Insert(ctx, row(title)) })
		if err != nil || runs != 3 || titled(t, db, title) != 1 {
			t.Errorf("%d: %v after %d runs", number, err, runs)
		}
	}
	counter.Reset()
	runs, deadlock := 0, &mysql.MySQLError{Number: 1213}
	err := s.Transactions.Write(t.Context(), func(context.Context) error {
		if runs++; runs <= 3*attempts {
			return deadlock
		}
		return nil
	})
	if err != nil || runs != 3*attempts+1 {
		t.Errorf("others end it often: %v after %d runs", err, runs)
	}
	runs, s.Transactions.longestConflict = 0, 0
	err = s.Transactions.Write(t.Context(), func(context.Context) error { runs++; return deadlock })
	if !errors.Is(err, deadlock) || runs != attempts {
		t.Errorf("%v after %d runs", err, runs)
	}
	runs = 0
	var answer *mysql.MySQLError
	err = s.Transactions.Write(t.Context(), func(context.Context) error { runs++; return &mysql.MySQLError{Number: 1047} })
	if !errors.As(err, &answer) || runs != attemptsCutOff {
		t.Errorf("a node without its cluster: %v after %d runs", err, runs)
	}
	for _, lost := range []error{driver.ErrBadConn, mysql.ErrInvalidConn,
		&mysql.MySQLError{Number: 2013}, // sent by a proxy
		&mysql.MySQLError{Number: 3100}, // sent by a member of a group
	} {
		counter.Reset()
		counter.FailCommit(lost)
		if err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
			return s.Posts.Insert(ctx,
				row("lost"))
		}); !errors.Is(err,
			ErrOutcomeUnknown) {
			t.Errorf("%v", err)
		}
	}
	for number, title := range map[uint16]string{1213: "of a cluster", 3101: "of a group"} {
		counter.Reset()
		counter.FailCommit(&mysql.MySQLError{Number: number})
		err := s.Transactions.Write(t.Context(), func(ctx context.Context) error { return s.Posts.Insert(ctx, row(title)) })
		if err != nil || titled(t, db, title) != 1 {
			t.Errorf("the refusal %s at commit: %v", title, err)
		}
	}
	testWriteOfALeavingMember(t, s, db, counter)
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.Transactions.Write(ctx, func(inner context.Context) error {
		cancel()
		return s.Posts.Insert(inner,
			row("canceled"))
	}); err == nil || titled(t, db, "canceled") != 0 {
		t.Errorf("a canceled request: %v", err)
	}
}

// testWriteOfALeavingMember checks that a transaction that a group rolls back at the commit is retried on the same
// connection, that the outcome of the commit is unknown if the server rejects that because it left the group, and that
// an error of the change itself is returned unchanged.
func testWriteOfALeavingMember(t *testing.T, s *Store, db *bun.DB, counter *testdb.Counter) {
	t.Helper()
	db.SetMaxIdleConns(0) // the pool closes returned connections
	defer db.SetMaxIdleConns(2)
	own := errors.New("of its own")
	for _, then := range []error{nil, own, &mysql.MySQLError{Number: 1290}, driver.ErrBadConn, context.Canceled} {
		counter.Reset()
		counter.FailCommit(&mysql.MySQLError{Number: 3101})
		ctx, cancel := context.WithCancel(t.Context())
		var on []int64
		err := s.Transactions.Write(ctx, func(ctx context.Context) error {
			var id int64
			if err := s.DB.writing(ctx).tx.NewSelect().ColumnExpr("CONNECTION_ID()").Scan(ctx, &id); err != nil {
				return err
			}
			if on = append(on, id); len(on) == 1 {
				return s.Posts.Insert(ctx, row("left"))
			}
			if errors.Is(then, context.Canceled) {
				cancel()
			}
			return then
		})
		cancel()
		switch unknown := errors.Is(err, ErrOutcomeUnknown); {
		case len(on) != 2 || on[0] != on[1]:
			t.Errorf("then %v: on the connections %v", then, on)
		case then == nil && err != nil, then == own && (err != own || unknown), then != nil && then != own && !unknown:
			t.Errorf("then %v: %v", then, err)
		}
	}
	if n := db.Stats().InUse; n != 0 {
		t.Errorf("%d connections are still in use", n)
	}
}

// TestWriteLeavesAReadOnlyServer checks that a write that is rejected by a server that became read-only closes the
// connections of the pool, and that the next write opens another one.
func TestWriteLeavesAReadOnlyServer(t *testing.T) {
	for _, number := range []uint16{1290, 1836} {
		s, db, counter := workbench(t)
		db.SetMaxIdleConns(8)
		var open []bun.Conn
		for range 4 {
			conn := must.Get(db.Conn(t.Context()))(t)
			open = append(open, conn)
		}
		for _, conn := range open {
			_ = conn.Close()
		}
		if n := db.Stats().Idle; n != 4 {
			t.Fatalf("%d idle connections", n)
		}
		counter.Before(func(_ context.Context, _ int, query string) error {
			if strings.HasPrefix(query, "INSERT") {
				return &mysql.MySQLError{Number: number, Message: "read-only"}
			}
			return nil
		})
		put := func(ctx context.Context) error { return s.Posts.Insert(ctx, row("new primary")) }
		if err := s.Transactions.Write(t.Context(), put); dberr.FaultOf(err) != dberr.Passing || db.Stats().OpenConnections != 0 {
			t.Errorf("%d: %v, %d connections stay open", number, err, db.Stats().OpenConnections)
		}
		counter.Reset()
		if err := s.Transactions.Write(t.Context(), put); err != nil || titled(t, db, "new primary") != 1 {
			t.Errorf("%d: afterwards %v", number, err)
		}
	}
}

// TestWriteOfASilentServer checks that a commit that the server does not answer is waited for no longer than its
// request lasts, does not keep other writers waiting for that long, and that its connection is closed afterwards.
func TestWriteOfASilentServer(t *testing.T) {
	s, db, counter := workbench(t)
	put := func(ctx context.Context, title string) error {
		return s.Transactions.Write(ctx, func(ctx context.Context) error { return s.Posts.Insert(ctx, row(title)) })
	}
	answers := make(chan struct{})
	counter.HoldCommit(answers)
	ctx, cancel := context.WithTimeout(t.Context(), longestTurn+time.Second)
	defer cancel()
	silent := make(chan error)
	go func() { silent <- put(ctx, "silent") }()
	for counter.Transactions().Begun == 0 {
		runtime.Gosched()
	}
	turn, err := s.Transactions.queue.Enter(ctx)
	if err != nil {
		t.Fatal("another writer waits for the commit: ", err)
	}
	turn.Leave()
	if err := <-silent; !errors.Is(err, ErrOutcomeUnknown) {
		t.Errorf("a commit without an answer: %v", err)
	}
	close(answers)
	if err := put(t.Context(), "later"); err != nil || titled(t, db, "later") != 1 || titled(t, db, "silent") != 1 {
		t.Errorf("afterwards: %v", err)
	}
	for db.Stats().InUse > 0 {
		runtime.Gosched()
	}
	ctx, cancel = context.WithTimeout(t.Context(), longestTurn+time.Minute)
	defer cancel()
	begins, reached := make(chan struct{}), make(chan struct{})
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "SET @agenda_sql_mode") {
			close(reached)
			<-begins
		}
		return nil
	})
	go func() { silent <- put(ctx, "slow") }()
	<-reached
	if turn, err = s.Transactions.queue.Enter(ctx); err != nil {
		t.Fatal("another writer waits for the connection: ", err)
	}
	turn.Leave()
	close(begins)
	if err := <-silent; err != nil || titled(t, db, "slow") != 1 {
		t.Errorf("a connection that takes long: %v", err)
	}
}

// TestWritersAreSerialized checks that concurrent writers each see what the others wrote.
func TestWritersAreSerialized(t *testing.T) {
	s, db, counter := workbench(t)
	atonce.Run(32, func(int) {
		err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
			taken, err := s.Posts.SlugsLike(ctx, "tribe_events", "turn", "turn-", 0)
			if err != nil {
				return err
			}
			p := row("turn")
			p.Name = "turn-" + time.Duration(len(taken)).String()
			return s.Posts.Insert(ctx, p)
		})
		if err != nil {
			t.Error(err)
		}
	})
	var names []string
	if err := db.NewSelect().Model((*schema.Post)(nil)).ColumnExpr("DISTINCT post_name").Scan(t.Context(),
		&names); err != nil || len(names) != 32 {
		t.Errorf("%d different slugs, %v", len(names), err)
	}
	counter.Reset()
	if err := s.Transactions.Write(t.Context(), func(context.Context) error { return nil }); err != nil ||
		len(counter.Matching("UPDATE `")) != 0 {
		t.Errorf("nothing to write: %v, %q", err, counter.Statements())
	}
}

// TestWriteAsOne checks that nested units set no savepoints within AsOne, and that an error in one rolls back the whole
// write with that error, however the error is handled.
func TestWriteAsOne(t *testing.T) {
	counter := new(testdb.Counter)
	s, db := recorded(t, testdb.WithCounter(counter))
	failed := errors.New("failed")
	write := func(of error) error {
		return s.Transactions.Write(t.Context(), func(ctx context.Context) error {
			ctx = s.Transactions.AsOne(ctx)
			for _, err := range []error{nil, of, nil} {
				_ = s.Transactions.Write(ctx, func(ctx context.Context) error {
					return errors.Join(s.Posts.ChangeMeta(ctx, MetaChange{Insert: []*schema.PostMeta{{PostID: 23, Key: "as_one"}}}), err)
				})
			}
			return nil
		})
	}
	stored := func() (n int) {
		must.Succeed(t, db.NewRaw("SELECT COUNT(*) FROM wp_postmeta WHERE meta_key = 'as_one'").Scan(t.Context(), &n))
		return n
	}
	if err := write(failed); !errors.Is(err, failed) || stored() != 0 {
		t.Errorf("a part failed: %v, %d rows", err, stored())
	}
	if err := write(nil); err != nil || stored() != 3 {
		t.Errorf("no part failed: %v, %d rows", err, stored())
	}
	if sent := counter.Matching("savepoint"); len(sent) > 0 {
		t.Errorf("sent %q", sent)
	}
}

// TestAccessWithinAWrite checks that within a write the access to a post is read once, and again when posts have
// changed or changes of them were rolled back.
func TestAccessWithinAWrite(t *testing.T) {
	s, _, counter := workbench(t)
	failed := errors.New("failed")
	statusIs := func(ctx context.Context, id int64, want string, sent int) {
		t.Helper()
		counter.Reset()
		found, err := s.Posts.Access(ctx, []int64{id})
		if n := len(counter.Matching("AS protected")); err != nil || found[id].Status != want || n != sent {
			t.Errorf("got %+v, %v, by %d statements; want %q by %d", found, err, n, want, sent)
		}
	}
	err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
		one, other, undone := row("one"), row("other"), row("undone")
		if err := errors.Join(s.Posts.Insert(ctx, one), s.Posts.Insert(ctx, other)); err != nil || one.ID == 0 || other.ID <= one.ID {
			t.Errorf("inserted %d and %d, %v", one.ID, other.ID, err)
		}
		statusIs(ctx, one.ID, schema.StatusDraft, 1)
		statusIs(ctx, one.ID, schema.StatusDraft, 0)
		part := s.Transactions.Write(ctx, func(ctx context.Context) error {
			one.Status = schema.StatusTrash
			if err := errors.Join(s.Posts.Insert(ctx, undone), s.Posts.Update(ctx, one, "post_status")); err != nil {
				t.Error(err)
			}
			statusIs(ctx, one.ID, schema.StatusTrash, 1)
			statusIs(ctx, undone.ID, schema.StatusDraft, 1)
			return failed
		})
		if !errors.Is(part, failed) {
			t.Error(part)
		}
		statusIs(ctx, one.ID, schema.StatusDraft, 1)
		statusIs(ctx, undone.ID, "", 1)
		return s.Posts.Insert(ctx, row("more"))
	})
	if err != nil {
		t.Error(err)
	}
}
