package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Errors of sync and of other operations that use the journal.
var (
	ErrNoJournal   = apierror.New(http.StatusNotImplemented, "rest_no_journal", "error_no_journal")
	errSyncBegins  = apierror.New(http.StatusServiceUnavailable, "rest_sync_not_ready", "error_sync_not_ready").After(10)
	errSyncBusy    = apierror.New(http.StatusServiceUnavailable, rest.ErrUnavailable.Code, rest.ErrUnavailable.Message.ID).After(1)
	errSyncExpired = apierror.New(http.StatusGone, "rest_sync_token_expired", "error_sync_token_expired").
			Documented("SyncTokenExpired", "doc_error_sync_token_expired", []jsonschema.Member{
			jsonschema.Has("sync_url", jsonschema.Text().Example("https://example.org/wp-json/vendor/events/v1/events/?sync=1")).
				Doc("doc_field_sync_url")})
	syncErrors = []*apierror.Error{ErrNoJournal, errSyncBegins, errSyncExpired}
)

const (
	longestFilters = 2000 // in bytes, because tokens contain the filters and are part of URLs

	syncMost     = 10_000 // maximum number of items that changes may affect
	syncAttempts = 8      // attempts to read a page while the items on it do not change
)

// synced is a resource whose list serves sync.
type synced struct {
	adapter *Adapter
	kind    *item.Kind
	params  []*param.Param
	// operation serves sync at a separate path.
	operation *rest.Operation
	among     func(context.Context, *call.Call, []int64) (*item.Synced, error)
	write     func(*phpjson.Writer, *item.Item)
	// told reports which of the ids that are not in the list the caller may know of.
	told func(ctx context.Context, ids []int64, changes map[int64][]*schema.JournalChange) (map[int64]bool, error)
}

// sync declares that a list serves sync. Its responses have another form than the pages of a list, so the OpenAPI
// document describes them at a separate path, where sync is also served without sync=1.
func (a *Adapter) sync(list *rest.Operation, k *synced) *synced {
	k.adapter, k.params = a, list.Params
	list.Unshown = append(list.Unshown, string(item.Sync), string(item.SyncToken))
	k.operation = &rest.Operation{
		ID: "sync" + k.kind.Plural, Summary: "summary_sync", Tag: list.Tag, About: list.About, Sync: true,
		Handle: k.answer, Answer: syncShape(list.Answer, k.kind), Errors: syncErrors,
		Params: slices.DeleteFunc(slices.Clone(list.Params), func(p *param.Param) bool {
			return p.Name == string(item.Sync) || p.Name == "_format"
		}),
		Unshown: item.NotSynced,
	}
	return k
}

// syncShape returns the schema of a page of sync. It contains the items of a page of the list, and the ids of deleted
// items.
func syncShape(page *jsonschema.Schema, k *item.Kind) *jsonschema.Schema {
	deleted := jsonschema.Object("Deleted", jsonschema.Has("id", jsonschema.Int().Example(123)),
		jsonschema.Has("deleted", jsonschema.Only(true))).Doc("doc_deleted").Undescribed()
	token := jsonschema.Text().Example("eyJrIjoiZXZlbnRzIn0.c2lnbmF0dXJl")
	return jsonschema.Object(k.Plural+"Sync",
		jsonschema.Member{
			Name: k.Collection, Shape: jsonschema.List(jsonschema.OneOf(page.Members[0].Shape.Items, deleted)), About: "doc_field_items",
		},
		jsonschema.Optional("next_rest_url", page.Members[1].Shape),
		jsonschema.Optional("next_sync_token", token),
		jsonschema.Optional("complete_until", jsonschema.Text().Example("2031-05-01T10:00:00.000Z")),
	).Doc("doc_sync_page")
}

// syncPosts declares that the list of a resource of posts serves sync.
func (a *Adapter) syncPosts(list *rest.Operation, p *item.Posts) *synced {
	return a.sync(list, &synced{
		kind: p.Kind, among: p.Among, write: p.Fields.Write,
		told: func(ctx context.Context, ids []int64, changes map[int64][]*schema.JournalChange) (map[int64]bool, error) {
			told, err := p.Readable(ctx, ids)
			for _, id := range ids {
				for _, c := range changes[id] {
					told[id] = told[id] || p.CouldRead(ctx, c.WasStatus, c.WasAuthor) || p.CouldRead(ctx, c.Status, c.Author)
				}
			}
			return told, err
		},
	})
}

// syncTerms declares that the list of a taxonomy serves sync. Everybody may know of all terms.
func (a *Adapter) syncTerms(list *rest.Operation, k *term.UseCases) *synced {
	return a.sync(list, &synced{
		kind: k.Kind, among: k.Among, write: k.Write,
		told: func(_ context.Context, ids []int64, _ map[int64][]*schema.JournalChange) (map[int64]bool, error) {
			told := map[int64]bool{}
			for _, id := range ids {
				told[id] = true
			}
			return told, nil
		},
	})
}

// syncPage is a page of sync that is being built.
type syncPage struct {
	k       *synced
	r       *rest.Request
	asked   *param.Values // the parameters of the request itself
	journal *follow.Sync
	head    *schema.JournalRow
	query   string
	token   *syncToken // the token in the request; nil for the very first page
	own     syncToken  // the values that all tokens of the page have in common

	items   []*item.Item
	tried   []int64 // ids that the page covers, whether the list contains them or not
	deleted []int64
	more    bool  // another page follows
	last    int64 // the last id on this page
	states  follow.States
	claims  []*budget.Claim // memory reserved for the items that were read
}

// answer answers a request for sync. It reads the page again if items on it changed while it was being read.
func (k *synced) answer(ctx context.Context, r *rest.Request) (resp *rest.Response, err error) {
	r.Unkept = true
	p := &syncPage{k: k, r: r, asked: r.Values}
	if p.query, err = k.filters(r); err != nil {
		return nil, err
	}
	opened, err := followstore.OpenJournal(ctx, k.adapter.Service.Content.Store)
	if err != nil {
		return nil, explainJournal(err)
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	comparison, err := k.adapter.Comparison(ctx)
	if err != nil {
		return nil, err
	}
	p.journal = &follow.Sync{Comparison: comparison, Journal: opened, Versions: p.versions}
	ctx = change.With(ctx, nil) // the known state of the tables is from another time than the page
	defer p.release()
	for range syncAttempts {
		if err := p.readPage(ctx); err != nil {
			return nil, explainJournal(err)
		}
		agree, err := p.journal.Agree(ctx, p.states)
		if err != nil {
			return nil, explainJournal(err)
		}
		if agree {
			return nil, p.writePage(ctx)
		}
	}
	return nil, errSyncBusy
}

// versions returns the ids of the translations of items of a resource.
func (p *syncPage) versions(ctx context.Context, kind string, ids []int64) ([]int64, error) {
	for _, k := range append([]*item.Kind{p.k.kind}, p.k.kind.Links...) {
		if k.Collection == kind {
			return p.k.adapter.Service.VersionsOf(ctx, &p.r.Call, k, ids)
		}
	}
	return nil, nil
}

// explainJournal converts an error of the journal to the error of the response.
func explainJournal(err error) error {
	switch {
	case errors.Is(err, followstore.ErrNoJournal), errors.Is(err, follow.ErrDeclarations):
		return ErrNoJournal
	case errors.Is(err, follow.ErrBegins):
		return errSyncBegins
	}
	return err
}

// filters returns the query string of the filters in a request. They must be in the URL rather than in a body, because
// the URLs of further pages and the tokens repeat them.
func (k *synced) filters(r *rest.Request) (string, error) {
	given, pairs := param.NewForm(), []string(nil)
	for pair := range strings.SplitSeq(r.HTTP.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		form := param.NewForm()
		if form.Add(param.Unescape(name), param.Unescape(value)) != nil || form.Len() != 1 {
			continue
		}
		key := form.Keys()[0]
		given.Set(key, true)
		if k.filter(key) {
			pairs = append(pairs, pair)
		}
	}
	refused, token := &param.Failure{}, item.SyncToken.IsGiven(r.Values)
	for _, p := range k.params {
		_, inQuery := given.Get(p.Name)
		fault := ""
		switch {
		case !r.Values.Given(p.Name):
		case !inQuery:
			fault = "fault_sync_query"
		case token && k.filter(p.Name) && p.Name != r.Engine().LanguageParam && p.Name != r.Engine().ItemParam:
			fault = "fault_sync_filter_of_token"
		}
		if fault != "" {
			f := param.Invalid(fault)
			f.Param = p.Name
			refused.Faults = append(refused.Faults, f)
		}
	}
	query := strings.Join(pairs, "&")
	if refused.Faults != nil {
		return "", refused
	}
	if len(query) > longestFilters {
		return "", param.Refuse(string(item.Sync), param.Invalid("fault_sync_long", "Max", longestFilters))
	}
	return query, item.RefuseUnsynced(r.Values)
}

// filter reports whether a parameter is a filter of the list, or another parameter that applies to all pages.
func (k *synced) filter(name string) bool {
	switch name {
	case string(item.Sync), string(item.SyncToken), string(item.Page), "_format":
		return false
	}
	return slices.ContainsFunc(k.params, func(p *param.Param) bool { return p.Name == name })
}

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
	found, err := p.k.among(ctx, &p.r.Call, nil)
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

// known parses a token and checks that it was issued for this list and this caller, and that the changes since then are
// still stored.
func (p *syncPage) known(ctx context.Context, text string) (*syncToken, error) {
	t, signed := parseSyncToken(p.head.Secret, text)
	refused := param.Refuse(string(item.SyncToken), param.Invalid("fault_sync_token"))
	if t == nil || t.Kind != p.k.kind.Collection {
		return nil, refused
	}
	if !signed {
		if t.Site == hashed(site.From(ctx).Home) && (t.Incarnation != p.head.Incarnation || t.Sealed == nil) {
			// The journal was created anew, together with its key, or an earlier version of the program issued the
			// token.
			return nil, p.expired(t)
		}
		return nil, refused
	}
	who, _ := whoIs(p.head.Secret, p.r.Principal)
	named := p.asked.Given(p.r.Engine().LanguageParam) || p.asked.Given(p.r.Engine().ItemParam)
	other := t.Language != p.r.Language || t.Items != p.r.Items
	if t.Root != p.r.Root.Tag || t.Caller != who || named && other || !inLanguage(p.r, t.Language) {
		return nil, refused
	}
	p.r.Items = t.Items
	age := p.k.adapter.Service.Content.Now().Sub(time.Unix(t.Issued, 0))
	if age > syncFor || t.Incarnation != p.head.Incarnation || !p.has(ctx, t.Sequence, t.Mark) ||
		t.Upto > 0 && !p.has(ctx, t.Upto, t.UptoMark) {
		return nil, p.expired(t)
	}
	return t, nil
}

// inLanguage sets the language of a request by its tag, and reports whether the language is served.
func inLanguage(r *rest.Request, tag string) bool {
	texts := r.Engine().Texts[tag]
	if texts != nil {
		r.Language, r.Text = tag, texts
	}
	return texts != nil
}

// has reports whether the journal contains a position. If the change at the position is no longer stored, the position
// is still valid as long as the next change is.
func (p *syncPage) has(ctx context.Context, sequence int64, mark string) bool {
	if sequence == p.head.Sequence {
		return mark == p.head.Mark
	}
	if sequence > p.head.Sequence {
		return false
	}
	marks, err := p.journal.Journal.Positions(ctx, sequence, sequence+1)
	if err != nil {
		return false
	}
	if kept, ok := marks[sequence]; ok {
		return kept == mark
	}
	_, next := marks[sequence+1]
	return next
}

// escaped returns a query string, which a client may have encoded in any way, in its standard encoding.
func escaped(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		pairs[i] = wp.FormEncode(param.Unescape(name)) + "=" + wp.FormEncode(param.Unescape(value))
	}
	return strings.Join(pairs, "&")
}

// expired returns the error for a token from whose position sync cannot continue. It contains the URL for starting
// again.
func (p *syncPage) expired(t *syncToken) error {
	query := string(item.Sync) + "=1"
	if t.Query != "" {
		query = escaped(t.Query) + "&" + query
	}
	return errSyncExpired.WithData("sync_url", call.WithQuery(p.base(), query))
}

func (p *syncPage) base() string { return p.r.Root.URL + "/" + p.k.kind.Collection + "/" }

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
	told, err := p.k.told(ctx, absent, changes)
	p.deleted = append(p.deleted, slices.DeleteFunc(absent, func(id int64) bool { return !told[id] })...)
	return n, err
}

// among reads those of the first n ids that the list contains. n is as large as the memory budget of a response
// permits, and at least one, however large that item is.
func (p *syncPage) among(ctx context.Context, ids []int64) (found *item.Synced, n int, err error) {
	for n = len(ids); ; n /= 2 {
		claim := budget.From(ctx).Part(n <= 1)
		found, err = p.k.among(budget.With(ctx, claim), &p.r.Call, ids[:n])
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
		p.k.write(&one, it)
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
