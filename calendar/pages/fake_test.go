package pages

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// fakeAPI answers with fixed JSON in the form of the API and records the requests.
type fakeAPI struct {
	asked []*url.URL
	// failing contains the status and code of the answer to every request whose path contains the key.
	failing map[string]answer
	// lists contains the lists of events, by page.
	lists map[string]string
	// past contains the lists of past events, by page.
	past map[string]string
	// dates contains the lists of all occurrences of an event, by page.
	dates map[string]string
	// items contains other answers, by path.
	items map[string]string
}

type answer struct {
	status int
	code   string
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.asked = append(f.asked, r.URL)
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	for part, a := range f.failing {
		if strings.Contains(r.URL.Path, part) {
			refuse(w, a.status, a.code)
			return
		}
	}
	if item, ok := f.items[r.URL.Path]; ok {
		fmt.Fprint(w, item)
		return
	}
	_, route, ok := strings.Cut(r.URL.Path, "/wp-json/vendor/events/v1")
	if !ok {
		refuse(w, 404, "rest_no_route")
		return
	}
	query := r.URL.Query()
	switch {
	case route == "/events":
		lists := f.lists
		if end := query.Get("end_date"); f.past != nil && end != "" && !strings.HasPrefix(end, "9999") {
			lists = f.past
		}
		if query.Has("include") {
			lists = f.dates
		}
		if list, ok := lists[cmp.Or(query.Get("page"), "1")]; ok {
			fmt.Fprint(w, list)
			return
		}
		refuse(w, 404, "event-archive-page-not-found")
	case route == "/events/by-slug/fete-au-parc":
		fmt.Fprint(w, partyEvent)
	case route == "/events/by-slug/besloten" && query.Get("password") == "geheim":
		fmt.Fprint(w, strings.Replace(partyEvent, "f&#234;te", "besloten", 1))
	case route == "/events/by-slug/besloten":
		refuse(w, 403, "event-password-protected")
	case route == "/events/by-slug/prive":
		refuse(w, 403, "event-not-accessible")
	case route == "/venues/by-slug/molenpark":
		fmt.Fprint(w, parkVenue)
	case route == "/organizers/by-slug/beekdal":
		fmt.Fprint(w, valleyOrganizer)
	case route == "/categories" && query.Get("slug") != "":
		fmt.Fprintf(w, `{"rest_url":"x","total":1,"total_pages":1,"categories":[%s]}`, termNamed(categoryTerms, query.Get("slug")))
	case route == "/categories":
		fmt.Fprintf(w, `{"rest_url":"x","total":3,"total_pages":1,"categories":[%s]}`, strings.Join(categoryTerms, ","))
	case route == "/venues":
		fmt.Fprintf(w, `{"rest_url":"x","total":1,"total_pages":1,"venues":[%s]}`, parkVenue)
	case route == "/tags" && query.Get("slug") == "":
		fmt.Fprintf(w, `{"rest_url":"x","total":1,"total_pages":1,"tags":[%s]}`, strings.Join(tagTerms, ","))
	case route == "/tags":
		fmt.Fprintf(w, `{"rest_url":"x","total":1,"total_pages":1,"tags":[%s]}`, termNamed(tagTerms, query.Get("slug")))
	default:
		refuse(w, 400, "rest_invalid_param")
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%q,"message":"…","data":{"status":%d}}`, code, status)
}

func termNamed(terms []string, slug string) string {
	for _, t := range terms {
		if strings.Contains(t, fmt.Sprintf(`"slug":%q`, slug)) {
			return t
		}
	}
	return ""
}

//go:embed testdata/answers.json
var answersFile []byte

// answered returns an answer in testdata/answers.json as compact JSON.
func answered(name string) string {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(answersFile, &all); err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, all[name]); err != nil {
		panic(err)
	}
	return b.String()
}

var (
	categoryTerms = []string{answered("film"), answered("music"), answered("rock")}
	tagTerms      = []string{answered("food")}

	parkVenue       = answered("venue")
	valleyOrganizer = answered("organizer")
	linked          = strings.NewReplacer(`"<venue>"`, parkVenue, `"<organizer>"`, valleyOrganizer)

	partyEvent    = linked.Replace(answered("party"))
	runningEvent  = answered("running")
	longText      = strings.TrimSpace(strings.Repeat("A long text. ", 14))
	todayEvent    = strings.Replace(linked.Replace(answered("today")), "A long text.", longText, 1)
	abroadEvent   = answered("abroad")
	datelessEvent = answered("dateless")

	firstList = listOf(1, runningEvent, todayEvent, abroadEvent, partyEvent)
	longList  = listOf(62, runningEvent, todayEvent, abroadEvent, partyEvent)
)

// listOf returns the last page of a list with the given number of pages of 20 events.
func listOf(pages int, events ...string) string {
	return fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":%d,"total_pages":%d}`, strings.Join(events, ","),
		20*(pages-1)+len(events), pages)
}

const emptyList = `{"events":[],"rest_url":"x","total":0,"total_pages":0}`

// visit requests a page of a site in three languages.
func visit(t *testing.T, api *fakeAPI, target string) *httptest.ResponseRecorder {
	t.Helper()
	return send(t, api, httptest.NewRequest(http.MethodGet, target, nil))
}

func send(t *testing.T, api http.Handler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	handler := fakeSite(api, []Language{
		{Tag: "en", Mount: "/wp-json"}, {Tag: "nl-BE", Prefix: "/nl", Mount: "/nl/wp-json"},
		{Tag: "fr", Prefix: "/fr/", Mount: "/fr/wp-json/"},
	}, Options{
		Now:    func() time.Time { return time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC) },
		Origin: "http://demo.example",
	})
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r)
	return answer
}

func newFake() *fakeAPI { return &fakeAPI{lists: map[string]string{"1": firstList}} }

// withOrganizers gives an API a list of one organizer in each language, which a sitemap needs.
func withOrganizers(api *fakeAPI) *fakeAPI {
	api.items = map[string]string{}
	for _, prefix := range []string{"", "/nl", "/fr"} {
		api.items[prefix+root+"/organizers"] = `{"total":1,"total_pages":1,"organizers":[` + valleyOrganizer + `]}`
	}
	return api
}

// newLongFake returns an API whose lists have 62 pages.
func newLongFake() *fakeAPI {
	return &fakeAPI{lists: map[string]string{"1": longList, "2": longList, "62": longList}}
}

// expect checks the status, and that the page contains each of the texts.
func expect(t *testing.T, a *httptest.ResponseRecorder, status int, texts ...string) {
	t.Helper()
	if a.Code != status {
		t.Errorf("status %d, want %d", a.Code, status)
	}
	for _, text := range texts {
		if !strings.Contains(a.Body.String(), text) {
			t.Errorf("the page lacks %q", text)
		}
	}
	if t.Failed() {
		t.Log(a.Body.String())
	}
}

func lacks(t *testing.T, a *httptest.ResponseRecorder, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(a.Body.String(), text) {
			t.Errorf("the page contains %q", text)
		}
	}
}

// questions returns the queries of the last n requests for lists of events, in reverse order.
func (f *fakeAPI) questions(t *testing.T, n int) (asked []string) {
	t.Helper()
	for i := len(f.asked) - 1; i >= 0 && len(asked) < n; i-- {
		if strings.HasSuffix(f.asked[i].Path, "/events") {
			asked = append(asked, f.asked[i].Query().Encode())
		}
	}
	if len(asked) < n {
		t.Fatalf("%d lists of events were requested", len(asked))
	}
	return asked
}

// fakeSite returns the pages of an API.
func fakeSite(api http.Handler, langs []Language, opts Options) http.Handler {
	if opts.Languages = langs; len(langs) == 0 {
		opts.Languages = []Language{{Tag: "en", Mount: "/wp-json"}}
	}
	return newSite(fakeClient(api, opts.Languages, "vendor/events/v1"), inBrussels(opts))
}

// inBrussels sets the time zone to Brussels if none is set.
func inBrussels(o Options) Options {
	if loc, err := time.LoadLocation("Europe/Brussels"); err == nil && o.Zone == nil {
		o.Zone = loc
	}
	return o
}

func fakeClient(api http.Handler, langs []Language, namespace string) *client {
	c := &client{api: api, namespace: namespace}
	c.in = func(ctx context.Context, tag string) context.Context {
		i := slices.IndexFunc(langs, func(l Language) bool { return l.Tag == tag })
		return context.WithValue(ctx, mountKey{}, c.address(Language{Mount: strings.TrimSuffix(langs[i].Mount, "/")}, ""))
	}
	c.events, c.venues = fakeKind[calendar.Event]{api, "events"}, fakeKind[calendar.Venue]{api, "venues"}
	c.organizers = fakeKind[calendar.Organizer]{api, "organizers"}
	c.categories, c.tags = fakeKind[calendar.Term]{api, "categories"}, fakeKind[calendar.Term]{api, "tags"}
	c.brief, c.cards = c.kinds, c.events
	return c
}

// mountKey is the context key of the path of a language's API.
type mountKey struct{}

// fakeKind reads a resource from an API.
type fakeKind[T any] struct {
	api        http.Handler
	collection string
}

func (k fakeKind[T]) Refresh(ctx context.Context, query url.Values, _ *calendar.Page[T]) (*calendar.Page[T], error) {
	var list map[string]json.RawMessage
	if err := k.decodeAnswer(ctx, "", query, &list); err != nil {
		return nil, err
	}
	page := &calendar.Page[T]{}
	for name, into := range map[string]any{k.collection: &page.Items, "total": &page.Total, "total_pages": &page.TotalPages} {
		if err := json.Unmarshal(list[name], into); err != nil {
			return nil, err
		}
	}
	return page, nil
}

func (k fakeKind[T]) Get(ctx context.Context, id int64, query url.Values) (*T, error) {
	one := new(T)
	return one, k.decodeAnswer(ctx, "/"+strconv.FormatInt(id, 10), query, one)
}

func (k fakeKind[T]) BySlug(ctx context.Context, slug string, query url.Values) (*T, error) {
	one := new(T)
	return one, k.decodeAnswer(ctx, "/by-slug/"+slug, query, one)
}

// decodeAnswer reads an answer like calendar.Do.
func (k fakeKind[T]) decodeAnswer(ctx context.Context, path string, query url.Values, into any) error {
	target := ctx.Value(mountKey{}).(string) + "/" + k.collection + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	w := httptest.NewRecorder()
	k.api.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, target, nil))
	if w.Code != http.StatusOK {
		refused := &calendar.Error{}
		_ = json.Unmarshal(w.Body.Bytes(), refused) // the status alone determines the page
		seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
		refused.Status, refused.RetryAfter = w.Code, time.Duration(seconds)*time.Second
		return refused
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", target, err)
	}
	return nil
}
