package api

import (
	"context"
	"errors"
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
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/followstore"
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
	cases   item.UseCases
	kind    *item.Resource
	params  []*param.Param
	// operation serves sync at a separate path.
	operation *rest.Operation
}

// sync declares that a list serves sync. Its responses have another form than the pages of a list, so the OpenAPI
// document describes them at a separate path, where sync is also served without sync=1.
func (a *Adapter) sync(list *rest.Operation, cases item.UseCases) *synced {
	k := &synced{adapter: a, cases: cases, kind: cases.Declaration(), params: list.Params}
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
func syncShape(page *jsonschema.Schema, k *item.Resource) *jsonschema.Schema {
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
	for _, k := range append([]*item.Resource{p.k.kind}, p.k.kind.Links...) {
		if k.Collection == kind {
			return p.k.adapter.Service.VersionsOf(ctx, &p.r.Call, k, ids)
		}
	}
	return nil, nil
}

// explainJournal converts an error of the journal to the error of the response.
func explainJournal(err error) error {
	switch {
	case errors.Is(err, followstore.ErrNoJournal), errors.Is(err, followstore.ErrDeclarations):
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
	kept := age <= syncFor && t.Incarnation == p.head.Incarnation
	var err error
	if kept {
		kept, err = p.has(ctx, t.Sequence, t.Mark)
	}
	if kept && t.Upto > 0 {
		kept, err = p.has(ctx, t.Upto, t.UptoMark)
	}
	if err == nil && !kept {
		err = p.expired(t)
	}
	if err != nil {
		return nil, err
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
func (p *syncPage) has(ctx context.Context, sequence int64, mark string) (bool, error) {
	if sequence == p.head.Sequence {
		return mark == p.head.Mark, nil
	}
	if sequence > p.head.Sequence {
		return false, nil
	}
	marks, err := p.journal.Journal.Positions(ctx, sequence, sequence+1)
	if err != nil {
		return false, err
	}
	if kept, ok := marks[sequence]; ok {
		return kept == mark, nil
	}
	_, next := marks[sequence+1]
	return next, nil
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
