package api

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// readPage reads the page within one snapshot of the database: first the position of the journal, and then everything else.
func (p *syncPage) readPage(ctx context.Context) error {
	p.items, p.tried, p.deleted, p.more, p.last = nil, nil, nil, false, 0
	p.release()
	st := p.k.adapter.Service.Content.Store
	return p.journal.Journal.Snapshot(ctx, st, func(ctx context.Context, head *schema.JournalRow) (err error) {
		p.head = head
		if err := p.journal.Ready(head); err != nil {
			return err
		}
		if err := p.begin(ctx); err != nil {
			return err
		}
		if err := p.readItems(ctx); err != nil {
			return err
		}
		p.states, err = p.journal.Shown(ctx, p.shown())
		return err
	})
}

// begin checks the token and reads the filters.
func (p *syncPage) begin(ctx context.Context) (err error) {
	if given := item.SyncToken.Given(p.asked); given != nil {
		if p.token, err = p.known(ctx, *given); err != nil {
			return err
		}
		p.query = p.token.Query
	}
	form, err := param.ParseForm(p.query)
	if err != nil {
		return err
	}
	values, err := param.Read(ctx, p.k.params, param.Sources{Query: form, UTF8MB3: p.r.Engine().UTF8MB3})
	if err != nil {
		return p.unread(err)
	}
	p.r.Values = values
	found, err := p.k.cases.Among(ctx, &p.r.Call, nil)
	if err != nil {
		return p.unread(err)
	}
	settings := site.From(ctx)
	shown, err := settings.Shown()
	if err != nil {
		return err
	}
	who, rights := whoIs(p.head.Secret, p.r.Principal)
	p.own = syncToken{
		Kind: p.k.kind.Collection, Root: p.r.Root.Tag, Language: p.r.Language, Items: p.r.Items, Query: p.query,
		Site: hashed(settings.Home), Incarnation: p.head.Incarnation, Caller: who, Rights: rights,
		Shown: hashed(p.r.Engine().Version, p.head.Declarations, string(shown), settings.Cutoff, found.Named),
	}
	t := p.token
	if t != nil && (t.Incarnation != p.own.Incarnation || t.Rights != p.own.Rights || t.Shown != p.own.Shown) {
		return p.expired(t)
	}
	return nil
}

// unread returns the error for invalid filters. If they come from a token, they were valid when it was issued, so the
// token has expired.
func (p *syncPage) unread(err error) error {
	var refused *param.Failure
	if p.token != nil && errors.As(err, &refused) {
		return p.expired(p.token)
	}
	return err
}

// readItems reads the items of the page.
func (p *syncPage) readItems(ctx context.Context) error {
	_, size := p.k.adapter.Service.PageOf(&p.r.Call)
	if p.token == nil || p.token.Full {
		return p.all(ctx, int(size))
	}
	return p.changed(ctx, int(size))
}

// Maximum number of items that are tried at a time, and for one page. A page may therefore contain few items or none,
// although it is not the last one.
const (
	largestWindow = 2000
	mostTried     = 4000
)

// all reads the next items of the list, whether they have changed or not.
func (p *syncPage) all(ctx context.Context, size int) error {
	now := p.k.adapter.Service.Content.Now().Unix()
	next := syncToken{Full: true, Issued: now, Complete: p.head.Complete,
		positions: positions{Sequence: p.head.Sequence, Mark: p.head.Mark}}
	if p.token != nil {
		next = *p.token
	}
	p.own.Full, p.own.Sequence, p.own.Mark, p.own.Issued, p.own.Complete = true, next.Sequence, next.Mark, next.Issued, next.Complete
	stored, ok := p.journal.Stored(p.k.kind.Collection)
	if !ok {
		return followstore.ErrNoJournal
	}
	at, window := next.After, int64(max(2*size, 100))
	for p.more = true; p.more && len(p.items) < size && len(p.tried) < mostTried; window *= 2 {
		window = min(window, largestWindow, int64(mostTried-len(p.tried)))
		ids, err := p.journal.Journal.IDs(ctx, stored, at, window)
		if err != nil {
			return err
		}
		found, n, err := p.among(ctx, ids)
		if err != nil {
			return err
		}
		p.items, p.tried = append(p.items, found.Items...), append(p.tried, ids[:n]...)
		if p.more = int64(len(ids)) == window || n < len(ids); p.more {
			at = ids[n-1]
		}
		if n < len(ids) && len(p.items) > 0 {
			break // the memory budget is exhausted
		}
	}
	if len(p.items) > size {
		p.items, p.more = p.items[:size], true
		at = idOf(p.items[size-1])
	}
	if p.last = at; !p.more {
		at = math.MaxInt64
	}
	p.tried = slices.DeleteFunc(p.tried, func(id int64) bool { return id > at })
	known, err := p.journal.Journal.KnownIDs(ctx, p.k.kind.Collection, next.After, at)
	p.tried = append(p.tried, known...)
	return err
}

// changed reads the items that may have changed, and separates those in the list from those that are not.
func (p *syncPage) changed(ctx context.Context, size int) error {
	t, now := p.token, p.k.adapter.Service.Content.Now().Unix()
	p.own.Sequence, p.own.Mark, p.own.Issued = t.Sequence, t.Mark, t.Issued
	p.own.Upto, p.own.UptoMark, p.own.UptoTime, p.own.Complete = p.head.Sequence, p.head.Mark, now, p.head.Complete
	if t.UptoTime > 0 {
		p.own.Upto, p.own.UptoMark, p.own.UptoTime, p.own.Complete = t.Upto, t.UptoMark, t.UptoTime, t.Complete
	}
	affected, err := p.journal.Affected(ctx, p.k.kind.Collection, t.Sequence, p.own.Upto, syncMost)
	if errors.Is(err, follow.ErrTooMany) || errors.Is(err, follow.ErrPruned) {
		return p.expired(t)
	}
	if err != nil {
		return err
	}
	from, _ := slices.BinarySearch(affected.IDs, t.After+1)
	left := affected.IDs[from:]
	// Items that the caller may not know of do not cause empty pages, which would reveal their number.
	for window := size; len(left) > 0 && len(p.items)+len(p.deleted) < size && len(p.tried) < mostTried; window *= 2 {
		ids := left[:min(len(left), window, largestWindow, mostTried-len(p.tried))]
		n, err := p.tryChanged(ctx, ids, affected.Changes)
		if err != nil {
			return err
		}
		left = left[n:]
		if n < len(ids) && len(p.items) > 0 {
			break // the memory budget is exhausted
		}
	}
	if p.more = len(left) > 0; p.more {
		p.last = p.tried[len(p.tried)-1]
	}
	p.cut(size)
	return nil
}

// cut limits the number of items on the page, including the deleted ones.
func (p *syncPage) cut(size int) {
	ids := slices.Clone(p.deleted)
	for _, it := range p.items {
		ids = append(ids, idOf(it))
	}
	if len(ids) <= size {
		return
	}
	slices.Sort(ids)
	p.more, p.last = true, ids[size-1]
	after := func(id int64) bool { return id > p.last }
	p.items = slices.DeleteFunc(p.items, func(it *item.Item) bool { return after(idOf(it)) })
	p.deleted, p.tried = slices.DeleteFunc(p.deleted, after), slices.DeleteFunc(p.tried, after)
}

// tryChanged adds to the page those of the first n items that the list contains, and as deleted those that it does not
// contain, as far as the caller may know of them. n depends on the memory budget.
func (p *syncPage) tryChanged(ctx context.Context, ids []int64, changes map[int64][]*schema.JournalChange) (n int, err error) {
	found, n, err := p.among(ctx, ids)
	if err != nil {
		return 0, err
	}
	ids = ids[:n]
	p.items, p.tried = append(p.items, found.Items...), append(p.tried, ids...)
	absent := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
		return slices.ContainsFunc(found.Items, func(it *item.Item) bool { return idOf(it) == id })
	})
	if len(absent) == 0 {
		return n, nil
	}
	told, err := p.k.cases.Known(ctx, absent, changes)
	p.deleted = append(p.deleted, slices.DeleteFunc(absent, func(id int64) bool { return !told[id] })...)
	return n, err
}

// among reads those of the first n ids that the list contains. n is as large as the memory budget of a response
// permits, and at least one, however large that item is.
func (p *syncPage) among(ctx context.Context, ids []int64) (found *item.Synced, n int, err error) {
	for n = len(ids); ; n /= 2 {
		claim := budget.From(ctx).Part(n <= 1)
		found, err = p.k.cases.Among(budget.With(ctx, claim), &p.r.Call, ids[:n])
		if n <= 1 || !errors.Is(err, budget.ErrTooLarge) {
			p.claims = append(p.claims, claim)
			return found, n, err
		}
		claim.Release()
	}
}

// release releases the memory reserved for the items.
func (p *syncPage) release() {
	for _, claim := range p.claims {
		claim.Release()
	}
	p.claims = nil
}

// end ends the page before an item that does not fit, after the given number of items.
func (p *syncPage) end(written int) {
	p.more, p.last = true, idOf(p.items[written-1])
	p.items = p.items[:written]
	p.deleted = slices.DeleteFunc(p.deleted, func(id int64) bool { return id > p.last })
}

// idOf returns the id of the post or term.
func idOf(it *item.Item) int64 {
	if it.Term != nil {
		return it.Term.ID
	}
	return it.Post.ID
}

// shown returns the ids of everything that the page shows, by resource. It includes the items that are not in the list,
// because that is only true at one moment, too.
func (p *syncPage) shown() map[string][]int64 {
	shown := map[string][]int64{p.k.kind.Collection: slices.Clone(p.tried)}
	for _, it := range p.items {
		it.Shows(p.k.kind, func(kind string, id int64) { shown[kind] = append(shown[kind], id) })
	}
	return shown
}

// behind is the maximum size of the part of a page after its items, in bytes.
const behind = 16 << 10

// writePage writes the response. It ends the page before an item that does not fit. The first item is written even if it
// does not fit, because it would not fit on the next page either.
func (p *syncPage) writePage(ctx context.Context) error {
	w, claim := p.r.Out, budget.From(ctx)
	most := claim.Max()
	w.Object()
	w.KeyArray(p.k.kind.Collection)
	tombstones := func(before int64) {
		for len(p.deleted) > 0 && p.deleted[0] < before {
			w.Object()
			w.KeyInt("id", p.deleted[0])
			w.KeyBool("deleted", true)
			w.End()
			p.deleted = p.deleted[1:]
		}
	}
	for i, it := range p.items {
		var one phpjson.Writer
		p.k.cases.Write(&one, it)
		if most >= 0 && int64(w.Len()+one.Len()+behind) > most {
			if i > 0 {
				p.end(i)
				break
			}
			claim.Unbound()
		}
		tombstones(idOf(it))
		w.Raw(one.Bytes())
	}
	tombstones(1<<63 - 1)
	w.End()
	err := p.writeNext(w)
	w.End()
	return err
}

// writeNext writes how to continue: the URL of the next page, or the token for the next sync.
func (p *syncPage) writeNext(w *phpjson.Writer) error {
	t := p.own
	if p.more {
		t.After = p.last
		text, err := t.sign(p.head.Secret)
		w.KeyString("next_rest_url", call.WithQuery(p.base(), string(item.SyncToken)+"="+text))
		return err
	}
	complete := time.UnixMilli(t.Complete).UTC()
	if !t.Full {
		t.Sequence, t.Mark, t.Issued = t.Upto, t.UptoMark, t.UptoTime
	}
	t.Full, t.After, t.Upto, t.UptoMark, t.UptoTime, t.Complete = false, 0, 0, "", 0, 0
	text, err := t.sign(p.head.Secret)
	w.KeyString("next_sync_token", text)
	w.KeyString("complete_until", complete.Format("2006-01-02T15:04:05.000Z"))
	return err
}
