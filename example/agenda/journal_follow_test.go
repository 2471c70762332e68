package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// opened returns the journal as followers open it.
func (j *journaled) opened() *followstore.Journal {
	j.Helper()
	bound := must.Get(schema.Bind(j.db, "wp_"))(j)
	st := must.Get(store.New(j.Context(), store.Config{DB: bound, Names: schema.DefaultNames(), Translations: store.TableForm}))(j)
	opened := must.Get(followstore.OpenJournal(j.Context(), st))(j)
	j.Cleanup(func() { _ = opened.Close(); st.Close() })
	return opened
}

// own runs a statement on the database that contains the journal.
func (j *journaled) own(statement string) {
	j.Helper()
	own, err := schema.OpenJournal(j.Context(), j.db, "wp_", false)
	if err == nil {
		_, err = own.DB.DB.ExecContext(j.Context(), statement)
	}
	if err = errors.Join(err, own.Close()); err != nil {
		j.Fatalf("%s: %v", statement, err)
	}
}

// following is a follower of the journal in a test.
type following struct {
	*journaled
	*followstore.JournalFollower
}

// next reads at most two changes, and fails the test unless they are those of the ids.
func (f *following) next(want ...int64) (last int64) {
	f.Helper()
	changes := must.Get(f.Next(f.Context(), 2))(f)
	var got []int64
	for _, c := range changes {
		got, last = append(got, c.ID), c.Sequence
	}
	if !slices.Equal(got, want) {
		f.Errorf("%d, want %d", got, want)
	}
	return last
}

// TestJournalFollow checks that a follower reads each change once and in order, in one process at a time, also after
// restarts.
func TestJournalFollow(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		ctx, opened := t.Context(), j.opened()
		follow := func() *following {
			t.Helper()
			f := must.Get(opened.Follow(ctx, "test", time.Minute))(t)
			return &following{j, f}
		}
		change := func(ids ...int) {
			for _, id := range ids {
				j.run(fmt.Sprintf("UPDATE wp_posts SET menu_order = menu_order + 1 WHERE ID = %d", id))
				j.changes()
			}
		}
		change(9004)
		f := follow()
		f.next() // there is nothing before the first call of Follow
		change(9002, 9003, 9004)
		f.next(9002, 9003)
		last := f.next(9002, 9003) // the same changes, until Done is called
		if err := errors.Join(f.Done(ctx, last-1), f.Done(ctx, last-1)); err != nil {
			t.Error(err)
		}
		f.next(9003, 9004)
		if _, err := opened.Follow(ctx, "test", time.Minute); !errors.Is(err, followstore.ErrOthersTurn) {
			t.Errorf("a second one: %v", err)
		}
		if err := f.End(ctx); err != nil {
			t.Error(err)
		}
		f = follow()
		last = f.next(9003, 9004)
		if err := f.Done(ctx, last); err != nil || f.Jumped() || f.Position() != last {
			t.Errorf("%v at %d", err, f.Position())
		}
		f.next()

		// When a lease has ended and another process has the follower, the first one gets ErrOthersTurn.
		j.own("UPDATE wp_agenda_journal SET held_until = 1 WHERE name = 'test'")
		other := follow()
		if _, err := f.Next(ctx, 2); !errors.Is(err, followstore.ErrOthersTurn) {
			t.Errorf("after the lease: %v", err)
		}
		if err := f.Done(ctx, last); err != nil {
			t.Error(err)
		}
		change(9002)
		other.next(9002)
		f = other

		// A follower is notified of changes that were pruned before it read them, and of a journal that began again.
		change(9003)
		j.own(fmt.Sprintf("DELETE FROM wp_agenda_changes WHERE sequence <= %d", last+1))
		f.next(9003)
		if !f.Jumped() || f.Jumped() {
			t.Error("pruned changes were not told")
		}
		for name, statement := range map[string]string{
			"another incarnation": "UPDATE wp_agenda_journal SET incarnation = 'other' WHERE name = 'journal'",
			"an older copy":       "UPDATE wp_agenda_journal SET sequence = 1 WHERE name = 'journal'",
		} {
			j.own(statement)
			f.next()
			if !f.Jumped() || f.Jumped() {
				t.Errorf("%s was not told", name)
			}
		}
	})
}

// TestLongJournalFollowCopy restores a dump of the journal. Items that are stored differently from the dump's states are
// recorded, with new marks, and a follower of the previous journal does not continue in it.
func TestLongJournalFollowCopy(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		change := func() {
			j.run("UPDATE wp_posts SET menu_order = menu_order + 1 WHERE ID = 9004")
			j.changes()
		}
		opened, ctx := j.opened(), context.Background()
		f := must.Get(opened.Follow(ctx, "test", time.Minute))(t)
		seen := j.seen
		tables := []string{"objects", "links", "changes", "journal"}
		for _, table := range tables {
			j.own("CREATE TABLE dump_" + table + " AS SELECT * FROM wp_agenda_" + table)
		}
		change()
		j.seen = seen // the sequence in the dump
		changes, err := f.Next(ctx, 1)
		if err != nil || len(changes) != 1 || f.Done(ctx, changes[0].Sequence) != nil {
			t.Fatal(len(changes), err)
		}
		was := changes[0]
		for _, table := range tables {
			j.own("DELETE FROM wp_agenda_" + table)
			j.own("INSERT INTO wp_agenda_" + table + " SELECT * FROM dump_" + table)
		}
		j.run("UPDATE wp_posts SET menu_order = 7 WHERE ID = 9003")
		if got := j.changes(); !slices.Equal(got, []string{"changed events 9004", "changed organizers 9003"}) {
			t.Errorf("after the dump: %q", got) // including changes that had been recorded before the restore
		}
		if now, err := opened.Changes(ctx, was.Sequence-1, 1); err != nil || len(now) != 1 || now[0].Sequence != was.Sequence ||
			now[0].Mark == was.Mark {
			t.Errorf("%+v is noted in place of %+v: %v", now, was, err)
		}
		changes, err = f.Next(ctx, 1)
		if err != nil || len(changes) != 0 || !f.Jumped() {
			t.Errorf("%d changes, %v", len(changes), err)
		}
	})
}
