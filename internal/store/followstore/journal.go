package followstore

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/schema"
)

// Journal reads and writes the tables of a site's journal: see schema.InstallJournal. Its transactions are separate
// from those of the site: they lock nothing that others write, and no answer depends on what they commit.
type Journal struct {
	prints  *fingerprints
	options *store.Options
	own     *schema.JournalDB
}

// Errors of a Journal.
var (
	ErrNoJournal  = errors.New("the site has no journal: 'agenda journal install' makes one")
	ErrOthersTurn = errors.New("another process compares")

	ErrOlderJournal = unreadable("the journal was made by an older program: 'agenda journal install' creates it again")
	ErrNewerJournal = unreadable("the journal is that of a newer program: use a newer program")
)

// unreadable is the error of a journal of another release. It is also ErrNoJournal, because the site has none that this
// program can read.
type unreadable string

func (e unreadable) Error() string { return string(e) }

func (e unreadable) Is(target error) bool { return target == ErrNoJournal }

// OpenJournal opens the journal of a store's site. The Journal must be closed.
func OpenJournal(ctx context.Context, s *store.Store) (*Journal, error) {
	own, err := schema.OpenJournal(ctx, s.Config.DB, s.DB.Prefix(), false)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return nil, ErrNoJournal
	}
	form, _ := s.Languages.Form()
	j := &Journal{prints: &fingerprints{db: s.DB, form: store.Form(form)}, options: s.Options, own: own}
	if _, err = j.Head(ctx); err == nil {
		j.prints.columns, err = s.Events.DateColumns(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, own.Close())
	}
	return j, nil
}

// Close closes what OpenJournal opened.
func (j *Journal) Close() error { return j.own.Close() }

// LanguageForm returns the form in which the site stores languages, as far as the store reads them.
func (j *Journal) LanguageForm() store.Form { return j.prints.form }

// Head returns the row of the journal itself.
func (j *Journal) Head(ctx context.Context) (*schema.JournalRow, error) {
	rows, err := j.rows(ctx, j.own.DB, schema.JournalHead)
	if err != nil {
		if dberr.IsNoTable(err) {
			err = ErrNoJournal
		}
		return nil, err
	}
	head := rows[schema.JournalHead]
	switch {
	case head == nil:
		return nil, ErrNoJournal
	case head.Release > schema.JournalRelease:
		return nil, ErrNewerJournal
	case head.Release < schema.JournalRelease:
		return nil, ErrOlderJournal
	}
	return head, nil
}

// rows returns rows of the journal by name.
func (j *Journal) rows(ctx context.Context, conn bun.IDB, names ...string) (map[string]*schema.JournalRow, error) {
	return rowsOf(ctx, conn.NewSelect(), names)
}

// lockedRows is rows for a transaction, which locks them.
func (j *Journal) lockedRows(ctx context.Context, tx bun.Tx, names ...string) (map[string]*schema.JournalRow, error) {
	q := tx.NewSelect()
	if j.prints.db.IsMySQL() { // on SQLite the transaction has begun with the lock
		q = q.For("UPDATE")
	}
	return rowsOf(ctx, q, names)
}

func rowsOf(ctx context.Context, q *bun.SelectQuery, names []string) (map[string]*schema.JournalRow, error) {
	var list []*schema.JournalRow
	if err := q.Model(&list).Where("name IN (?)", bun.List(names)).Scan(ctx); err != nil {
		return nil, err
	}
	named := make(map[string]*schema.JournalRow, len(list))
	for _, row := range list {
		named[row.Name] = row
	}
	return named, nil
}

// now returns the expression for the time of the database, in milliseconds since 1970.
func (j *Journal) now() string {
	if j.prints.db.IsMySQL() {
		return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000"
	}
	return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
}

// clock returns the time of the database, in milliseconds since 1970.
func (j *Journal) clock(ctx context.Context, conn bun.IDB) (now int64, err error) {
	err = conn.NewSelect().ColumnExpr(j.now()).Scan(ctx, &now)
	return now, err
}

// inTx runs fn in a transaction of the journal's database. It is retried after conflicts.
func (j *Journal) inTx(ctx context.Context, fn func(context.Context, bun.Tx) error) error {
	return store.Again(ctx, func() error { return j.own.DB.RunInTx(ctx, nil, fn) })
}

// locked is inTx for a transaction that has locked the rows of the journal and of its comparison.
func (j *Journal) locked(ctx context.Context, fn func(context.Context, bun.Tx, map[string]*schema.JournalRow) error) error {
	return j.inTx(ctx, func(ctx context.Context, tx bun.Tx) error {
		rows, err := j.lockedRows(ctx, tx, schema.JournalHead, schema.JournalComparison)
		if err != nil {
			return err
		}
		if rows[schema.JournalHead] == nil || rows[schema.JournalComparison] == nil {
			return ErrNoJournal
		}
		return fn(ctx, tx, rows)
	})
}

// Slice is a range of items of a kind, by their ids.
type Slice struct {
	Kind  Stored
	After int64 // the ids are above it
	Upto  int64 // the last id; the highest number in the last slice
	Same  bool  // it was compared and nothing differs
	ids   []int64
}

// Last reports whether this is the last slice.
func (s *Slice) Last() bool { return s.Upto == math.MaxInt64 }

// Compare fingerprints about limit items of a kind with ids above after, and finds out whether they differ from their
// last known states, or no longer exist. It reads what the given tables contain about them.
func (j *Journal) Compare(ctx context.Context, k Stored, after, limit int64, tables change.Tables) (*Slice, error) {
	s := &Slice{Kind: k, After: after, Upto: math.MaxInt64, Same: true}
	of := j.prints.within(k, tables)
	if of == 0 {
		return s, nil
	}
	var ids []int64
	var err error
	if of.has(partRow) || k.Shown { // otherwise there cannot be new items
		if ids, err = j.ids(ctx, k, after, limit); err != nil {
			return nil, err
		}
	}
	known, err := j.known(ctx, j.own.DB, k.Kind, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Column("object_id", "fingerprint").Where("object_id > ?", after).Order("object_id").Limit(limit)
	})
	if err != nil {
		return nil, err
	}
	if int64(len(ids)) == limit {
		s.Upto = ids[limit-1]
	}
	if int64(len(known)) == limit {
		s.Upto = min(s.Upto, slices.Max(slices.Collect(maps.Keys(known))))
	}
	beyond := func(id int64) bool { return id > s.Upto }
	ids = slices.DeleteFunc(ids, beyond)
	maps.DeleteFunc(known, func(id int64, _ *schema.JournalObject) bool { return beyond(id) })
	var hidden []int64 // images that no item shows any more
	for id := range known {
		if k.Shown && !slices.Contains(ids, id) {
			hidden = append(hidden, id)
		}
	}
	if !k.Shown {
		ids = slices.AppendSeq(ids, maps.Keys(known))
		slices.Sort(ids)
	}
	s.ids, err = j.prints.differing(ctx, j, k, slices.Compact(ids), known, of)
	s.ids = append(s.ids, hidden...)
	s.Same = len(s.ids) == 0
	return s, err
}

// Differing returns the ids of items that differ from their known states, sorted. An item that does not exist is missing
// in found, or nil. Comparing fingerprints is sufficient, because the other fields follow from what fingerprints cover.
func Differing(known, found map[int64]*schema.JournalObject) (ids []int64) {
	for id, is := range found {
		if was := known[id]; is != nil && (was == nil || was.Fingerprint != is.Fingerprint) {
			ids = append(ids, id)
		}
	}
	for id := range known {
		if found[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// ids returns the ids above after of items of a kind. For images these are the ones that items show according to their
// last known states.
func (j *Journal) ids(ctx context.Context, k Stored, after, limit int64) ([]int64, error) {
	if !k.Shown {
		return j.prints.ids(ctx, k, after, limit)
	}
	return j.images(ctx, j.own.DB, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("image > ?", after).Order("image").Limit(limit)
	})
}

func (j *Journal) images(ctx context.Context, conn bun.IDB, which func(*bun.SelectQuery) *bun.SelectQuery) (ids []int64, err error) {
	err = conn.NewSelect().Model((*schema.JournalObject)(nil)).ColumnExpr("DISTINCT image").Apply(which).Scan(ctx, &ids)
	return ids, err
}

func (j *Journal) known(
	ctx context.Context, conn bun.IDB, kind string, which func(*bun.SelectQuery) *bun.SelectQuery,
) (map[int64]*schema.JournalObject, error) {
	var rows []*schema.JournalObject
	if err := conn.NewSelect().Model(&rows).Where("kind = ?", kind).Apply(which).Scan(ctx); err != nil {
		return nil, err
	}
	found := make(map[int64]*schema.JournalObject, len(rows))
	for _, o := range rows {
		found[o.ID] = o
	}
	return found, nil
}

// RecordDifferences records the changes of a slice: items that seemed to differ are read again while the journal's row is locked, so
// that every difference is written once. In a first comparison only the states and its progress are written. It returns
// the number of changes.
func (t *JournalTurn) RecordDifferences(ctx context.Context, s *Slice, progress string) (n int, err error) {
	err = t.writeLocked(ctx, func(ctx context.Context, tx bun.Tx, head *schema.JournalRow) error {
		known, found, err := t.journal.stored(ctx, tx, s.Kind, s.ids)
		if err != nil {
			return err
		}
		n, err = t.journal.writeChanges(ctx, tx, head, known, found, noting{progress: progress})
		return err
	})
	return n, err
}

// stored reads the last known and the present states of items within a transaction that has locked the journal's row.
func (j *Journal) stored(ctx context.Context, tx bun.Tx, k Stored, ids []int64) (known, found map[int64]*schema.JournalObject, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	in := func(column string) func(*bun.SelectQuery) *bun.SelectQuery {
		return func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("? IN (?)", bun.Ident(column), bun.List(ids))
		}
	}
	if known, err = j.known(ctx, tx, k.Kind, in("object_id")); err != nil {
		return nil, nil, err
	}
	if k.Shown {
		if ids, err = j.images(ctx, tx, in("image")); err != nil {
			return nil, nil, err
		}
	}
	found, err = j.prints.states(ctx, j.siteConn(tx), k, ids)
	return known, found, err
}

// siteConn returns conn, a connection to the journal's database, for reads of the site, which must not come from a replica
// or are part of a transaction of the journal. It returns nil, for the connections of the store, if the site has another
// database.
func (j *Journal) siteConn(conn bun.IConn) bun.IConn {
	if j.own.Separate() {
		return nil
	}
	return conn
}

// ReadOptions returns the stored values of the named options that exist.
type ReadOptions = func(ctx context.Context, names []string) (map[string]string, error)

// NoteObject is RecordDifferences for an object that is not a row of a table: read returns its state, from options that
// it reads with the function that it is given.
func (t *JournalTurn) NoteObject(
	ctx context.Context, read func(context.Context, ReadOptions) (*schema.JournalObject, error), progress string,
) (n int, err error) {
	j := t.journal
	state, err := read(ctx, j.options.Values)
	if err != nil {
		return 0, err
	}
	one := func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("object_id = ?", state.ID) }
	known, err := j.known(ctx, j.own.DB, state.Kind, one)
	if err != nil || progress == "" && known[state.ID] != nil && known[state.ID].Fingerprint == state.Fingerprint {
		return 0, err
	}
	err = t.writeLocked(ctx, func(ctx context.Context, tx bun.Tx, head *schema.JournalRow) error {
		query := func() *store.Query { return j.prints.db.Select().Conn(j.siteConn(tx)) }
		if state, err = read(ctx, func(ctx context.Context, names []string) (map[string]string, error) {
			return j.options.ValuesBy(ctx, query, names)
		}); err != nil {
			return err
		}
		if known, err = j.known(ctx, tx, state.Kind, one); err != nil {
			return err
		}
		n, err = j.writeChanges(ctx, tx, head, known, map[int64]*schema.JournalObject{state.ID: state}, noting{progress: progress})
		return err
	})
	return n, err
}

// noting contains what is written to the journal in addition to the differences.
type noting struct {
	progress string // of a first comparison
	own      bool   // the process that made the changes records them
}

// writeChanges writes the differences, and the head with them.
func (j *Journal) writeChanges(
	ctx context.Context, tx bun.Tx, head *schema.JournalRow, known, found map[int64]*schema.JournalObject, with noting,
) (int, error) {
	ids := Differing(known, found)
	if len(ids) == 0 && with.progress == head.Progress {
		return 0, nil
	}
	var changes []*schema.JournalChange
	if head.Complete != 0 { // otherwise these are the first states
		for _, id := range ids {
			head.Sequence++
			head.Mark = rand.Text()
			change := changeOf(known[id], found[id], head)
			change.Own = with.own
			changes = append(changes, change)
		}
	}
	if err := j.remember(ctx, tx, ids, known, found); err != nil {
		return 0, err
	}
	if len(changes) > 0 {
		if _, err := tx.NewInsert().Model(&changes).Value("moment", j.now()).Exec(ctx); err != nil {
			return 0, err
		}
	}
	head.Progress = with.progress
	return len(changes), j.set(ctx, tx, head)
}

// changeOf returns the change of an item, without its time. One of the states may be nil.
func changeOf(was, is *schema.JournalObject, head *schema.JournalRow) *schema.JournalChange {
	c := &schema.JournalChange{Sequence: head.Sequence, Mark: head.Mark, Operation: schema.JournalChanged}
	if is == nil {
		c.Operation, is = schema.JournalGone, &schema.JournalObject{Kind: was.Kind, ID: was.ID}
	}
	if was == nil {
		c.Operation, was = schema.JournalNew, &schema.JournalObject{}
	}
	c.Kind, c.ID = is.Kind, is.ID
	c.Type, c.Status, c.Author, c.Language, c.Slug = is.Type, is.Status, is.Author, is.Language, is.Slug
	c.WasType, c.WasStatus, c.WasAuthor, c.WasLanguage, c.WasSlug = was.Type, was.Status, was.Author, was.Language, was.Slug
	return c
}

// remember replaces the known states of items.
func (j *Journal) remember(ctx context.Context, tx bun.Tx, ids []int64, known, found map[int64]*schema.JournalObject) error {
	var kind string
	var old []int64
	var states []*schema.JournalObject
	for _, id := range ids {
		if o := known[id]; o != nil {
			kind, old = o.Kind, append(old, id)
		}
		if o := found[id]; o != nil {
			states = append(states, o)
		}
	}
	if len(old) > 0 {
		for _, model := range []any{(*schema.JournalObject)(nil), (*schema.JournalLink)(nil)} {
			_, err := tx.NewDelete().Model(model).Where("kind = ?", kind).Where("object_id IN (?)", bun.List(old)).Exec(ctx)
			if err != nil {
				return err
			}
		}
	}
	if len(states) == 0 {
		return nil
	}
	if _, err := tx.NewInsert().Model(&states).Exec(ctx); err != nil {
		return err
	}
	return insertLinks(ctx, tx, states)
}

func (j *Journal) set(ctx context.Context, tx bun.Tx, head *schema.JournalRow) error {
	_, err := tx.NewUpdate().Model(head).WherePK().Exec(ctx)
	return err
}
