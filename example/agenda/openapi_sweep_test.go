package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// observe passes the responses of every handler of the suite to an observer until the test ends.
func observe(t *testing.T, recorded *bun.DB) *observer {
	t.Helper()
	o := newObserver(readDocument(t, contract.Handler(t, calendar.Options{DB: recorded})))
	contract.Observe(t, o.wrap)
	return o
}

// sweep requests the documented kinds of responses that the rest of the suite does not request for every operation.
func (o *observer) sweep(t *testing.T, recorded *bun.DB) {
	switchedOff := copied(t, recorded, "wp_")
	setOption(t, switchedOff, "tribe_events_calendar_options", `a:1:{s:16:"rest-v1-disabled";b:1;}`)
	basic := func(r *http.Request) { r.SetBasicAuth("admin", "no password of anybody") }
	keys := calendar.SiteKeys{LoggedInKey: "a", LoggedInSalt: "b", NonceKey: "c", NonceSalt: "d"}
	for status, c := range map[int]struct {
		options calendar.Options
		change  func(*http.Request)
	}{
		http.StatusBadRequest: {calendar.Options{Authenticator: byID{}},
			asAdmin(func(r *http.Request) { r.URL.RawQuery = "i18n_language=xx" })},
		http.StatusUnauthorized: {calendar.Options{Login: calendar.Login{PlainHTTP: true, RefuseAfter: calendar.None, MaxPerAddress: 1000,
			MaxPerUserAndAddress: 1000, MaxPerUser: 1000}}, basic},
		http.StatusForbidden: {calendar.Options{Login: calendar.Login{Keys: keys}},
			func(r *http.Request) { r.Header.Set("X-WP-Nonce", "0123456789") }},
		http.StatusNotFound:         {calendar.Options{DB: switchedOff}, nil},
		http.StatusGone:             {calendar.Options{DB: closedSite(t, recorded)}, nil},
		http.StatusMethodNotAllowed: {calendar.Options{}, func(r *http.Request) { r.URL.RawQuery = "_method=DELETE" }},
		http.StatusRequestTimeout:   {calendar.Options{Authenticator: byID{}}, asAdmin(lateBody)},
		http.StatusRequestEntityTooLarge: {calendar.Options{Limits: calendar.Limits{MaxBody: 1}, Authenticator: byID{}},
			asAdmin(func(r *http.Request) {
				size := 1
				if strings.HasSuffix(r.URL.Path, "/batch") { // a batch has its own limit, and MaxBody applies to each request in it
					size = 4 << 20
				}
				setBody(r, `{"x":"`+strings.Repeat("x", size)+`"}`)
			})},
		http.StatusTooManyRequests: {calendar.Options{Login: calendar.Login{PlainHTTP: true, RefuseAfter: calendar.None, MaxPerAddress: 1}},
			basic},
		http.StatusInternalServerError: {calendar.Options{Authenticator: panicking{}}, nil},
		http.StatusServiceUnavailable:  {calendar.Options{Limits: calendar.Limits{RequestTimeout: time.Nanosecond}}, nil},
	} {
		if c.options.DB == nil {
			c.options.DB = recorded
		}
		c.options.Logger = slog.New(slog.DiscardHandler)
		h := contract.Handler(t, c.options)
		for i, op := range o.d.operations {
			if status == http.StatusMethodNotAllowed && op.method != http.MethodGet {
				continue // only a GET is rejected with this override
			}
			r := httptest.NewRequest(op.method, contract.Root+strings.NewReplacer("{id}", "1", "{slug}", "x").Replace(op.path), nil)
			if c.change != nil {
				c.change(r)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if first := status == http.StatusTooManyRequests && i == 0; w.Code != status && !first {
				t.Errorf("%s: %d, not %d: %.200s", op.id, w.Code, status, w.Body)
			}
			if status == http.StatusTooManyRequests && i == 0 { // the first request only reaches the limit
				h.ServeHTTP(httptest.NewRecorder(), r)
			}
		}
	}
	o.tooMuch(t, recorded)
	besideOthers(t, recorded)
	l := newLife(t, copied(t, recorded, "wp_"))
	l.post("events", "title", map[string]any{"start_date": "2031-05-01 10:00", "end_date": "2031-05-01 12:00"})
	for _, k := range contract.Declared().Linked {
		l.post(k.Collection, k.Name, nil)
	}
	for _, kind := range []string{"categories", "tags"} {
		l.term(kind)
	}
	l.synced()
	l.codes()
	for _, path := range []string{"/", "/doc", "/events/ics", "/events/25/ics"} {
		l.send("GET", path, "", nil, http.StatusOK)
		l.unchanged(path)
	}
}

// tooMuch requests responses that exceed a limit on memory, alone or together with another one.
func (o *observer) tooMuch(t *testing.T, recorded *bun.DB) {
	t.Helper()
	get := func(h http.Handler, path string, w http.ResponseWriter) {
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, contract.Root+path, nil))
	}
	want := func(w *httptest.ResponseRecorder, status int) {
		t.Helper()
		if w.Code != status {
			t.Errorf("%d, not %d: %.200s", w.Code, status, w.Body)
		}
	}
	w := httptest.NewRecorder()
	get(contract.Handler(t, calendar.Options{DB: recorded, Limits: calendar.Limits{MaxAnswer: 1}}), "/events", w)
	want(w, http.StatusRequestEntityTooLarge)
	h := contract.Handler(t, calendar.Options{DB: recorded, Logger: slog.New(slog.DiscardHandler),
		Cache:  calendar.Cache{Bytes: calendar.None},
		Limits: calendar.Limits{Answers: calendar.NewMemory(1), RequestTimeout: 18 * time.Second}}) // the second waits for a sixth of it
	const large = "/doc" // the limit applies to responses larger than the buffers of a connection
	first, second := httptest.NewRecorder(), httptest.NewRecorder()
	get(h, large, duringWrite{first, func() { get(h, large, second) }})
	want(first, http.StatusOK)
	want(second, http.StatusServiceUnavailable)
}

// duringWrite calls a function before it writes.
type duringWrite struct {
	http.ResponseWriter
	call func()
}

func (w duringWrite) Write(b []byte) (int, error) {
	w.call()
	return w.ResponseWriter.Write(b)
}

// synced requests the changes of resources that events link, like a client that maintains a copy of them.
func (l *life) synced() {
	l.t.Helper()
	must.Succeed(l.t, schema.InstallJournal(l.t.Context(), l.db, "wp_"))
	c, h := contract.Mount(l.t, calendar.Options{DB: l.db, Authenticator: byID{}, JournalShare: calendar.None})
	l.h = h
	must.Succeed(l.t, c.DeclareJournal(l.t.Context()))
	must.Get(c.ScanJournal(l.t.Context()))(l.t)
	for _, k := range contract.Declared().Linked {
		list := "/" + k.Collection
		made := l.send("POST", list, l.admin, map[string]any{k.Name: "One that is copied"}, http.StatusCreated)
		copied := l.send("GET", list+"/sync?per_page=50", "", nil, http.StatusOK)
		l.send("DELETE", fmt.Sprintf("%s/%.0f?force=true", list, made["id"]), l.admin, nil, http.StatusOK)
		l.send("GET", fmt.Sprintf("%s/sync?sync_token=%s", list, copied["next_sync_token"]), "", nil, http.StatusOK)
	}
}

// codes requests errors that no other request of the test returns.
func (l *life) codes() {
	l.t.Helper()
	for _, k := range contract.Declared().Linked {
		l.send("POST", "/"+k.Collection, l.admin, map[string]any{k.Name: " "}, http.StatusBadRequest)
	}
	l.send("GET", "/?namespace=other", "", nil, http.StatusNotFound)
	l.send("GET", "/tags?_jsonp=x", "", nil, http.StatusBadRequest)
	l.send("GET", "/tags", "999999", nil, http.StatusUnauthorized) // nobody has this number
	l.send("GET", "/tags?a"+strings.Repeat("&x[]=1", 2000), "", nil, http.StatusBadRequest)
	l.send("POST", "/tags", l.admin, map[string]any{"name": "Flat", "parent": 1}, http.StatusBadRequest)
	l.send("POST", "/tags", l.admin, map[string]any{"x": "broken"}, http.StatusBadRequest, "Content-Type",
		"multipart/form-data; boundary=b")
	inside := contract.Handler(l.t, calendar.Options{DB: l.db}) // it accepts passwords over HTTPS only
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/tags", nil)
	r.SetBasicAuth("admin", "secret")
	w := httptest.NewRecorder()
	if inside.ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
		l.t.Errorf("over plain HTTP: %d %s", w.Code, w.Body)
	}
	quiet := slog.New(slog.DiscardHandler)
	l.h = contract.Handler(l.t, calendar.Options{DB: l.db, Authenticator: byID{}, Logger: quiet})
	l.rename("wp_terms", "wp_terms_away")
	l.send("GET", "/tags", "", nil, http.StatusServiceUnavailable)
	l.rename("wp_terms_away", "wp_terms")
	lost := contract.Handler(l.t, calendar.Options{DB: l.db, Authenticator: byID{}, Logger: quiet})
	c, closed := contract.Mount(l.t, calendar.Options{DB: l.db, Authenticator: byID{}})
	must.Succeed(l.t, c.Close(l.t.Context()))
	readOnly := contract.Handler(l.t, calendar.Options{DB: l.db, Authenticator: byID{}, ReadOnly: true})
	for _, x := range []struct {
		user string
		h    http.Handler
	}{{"nobody", lost}, {l.admin, closed}, {l.admin, readOnly}} {
		r := httptest.NewRequest(http.MethodPost, contract.Root+"/tags", strings.NewReader(`{"name":"Late"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-User", x.user)
		w := httptest.NewRecorder()
		if x.h.ServeHTTP(w, r); w.Code != http.StatusServiceUnavailable {
			l.t.Errorf("user %s: %d %s", x.user, w.Code, w.Body)
		}
	}
}

func (l *life) rename(table, name string) {
	l.t.Helper()
	must.Get(l.db.ExecContext(l.t.Context(), "ALTER TABLE ? RENAME TO ?", bun.Ident(table), bun.Ident(name)))(l.t)
}

// asAdmin makes the administrator of the recorded site the caller of a request.
func asAdmin(change func(*http.Request)) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Set("X-User", "1")
		change(r)
	}
}

// lateBody makes the body of a request return the error of a connection whose deadline has passed.
func lateBody(r *http.Request) {
	r.Header.Set("Content-Type", "application/json")
	r.Body = io.NopCloser(iotest.ErrReader(os.ErrDeadlineExceeded))
}

func setBody(r *http.Request, body string) {
	r.Header.Set("Content-Type", "application/json")
	r.Body = io.NopCloser(strings.NewReader(body))
}

func setOption(t *testing.T, db *bun.DB, name, value string) {
	t.Helper()
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	must.Get(bound.NewDelete().Model((*schema.Option)(nil)).Where("option_name = ?", name).Exec(t.Context()))(t)
	must.Get(bound.NewInsert().Model(&schema.Option{Name: name, Value: value, Autoload: "on"}).Exec(t.Context()))(t)
}

type panicking struct{}

func (panicking) Authenticate(*http.Request) (calendar.Principal, error) { panic("on purpose") }

// byID is an Authenticator that trusts the user id in the header X-User.
type byID struct{}

func (byID) Authenticate(r *http.Request) (calendar.Principal, error) {
	var p calendar.Principal
	if id := r.Header.Get("X-User"); id != "" {
		if n, err := fmt.Sscan(id, &p.UserID); n != 1 || err != nil {
			return p, errors.New("no number")
		}
	}
	return p, nil
}

// life creates, changes and deletes items in every possible way.
type life struct {
	t  *testing.T
	db *bun.DB
	h  http.Handler
	// subscriber is the id of a user who may not write.
	admin, subscriber string
}

func newLife(t *testing.T, db *bun.DB) *life {
	t.Helper()
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	l := &life{t: t, db: db, h: contract.Handler(t, calendar.Options{DB: db, Authenticator: byID{}})}
	for name, id := range map[string]*string{"admin": &l.admin, "%subscriber%": &l.subscriber} {
		q := bound.NewSelect().Model((*schema.UserMeta)(nil)).Column("user_id").Where("meta_key = 'wp_capabilities'").
			Where("meta_value LIKE ?", "%"+name+"%")
		if err := q.Limit(1).Scan(t.Context(), id); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return l
}

// send sends a request as a user and returns the members of the response.
func (l *life) send(method, path, user string, body map[string]any, want int, headers ...string) map[string]any {
	l.t.Helper()
	r := httptest.NewRequest(method, contract.Root+path, nil)
	if body != nil {
		text := must.Get(json.Marshal(body))(l.t)
		setBody(r, string(text))
	}
	if user != "" {
		r.Header.Set("X-User", user)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	l.h.ServeHTTP(w, r)
	if w.Code != want {
		l.t.Errorf("%s %s %v: %d, not %d: %.300s", method, path, body, w.Code, want, w.Body)
	}
	var answer any
	if want != http.StatusNotModified && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/calendar") {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			l.t.Errorf("%s %s: %v", method, path, err)
		}
	}
	members, _ := answer.(map[string]any) // an empty object is encoded as an empty list
	return members
}

// unchanged sends a request whose If-None-Match matches, which must be answered with 304.
func (l *life) unchanged(path string) {
	l.t.Helper()
	l.send("GET", path, "", nil, http.StatusNotModified, "If-None-Match", "*")
}

var updates = []string{"POST", "PUT", "PATCH"}

// refused tries to change an item anonymously, as a caller without the right, and with an If-Match that does not match.
func (l *life) refused(path string) {
	l.t.Helper()
	for _, method := range append([]string{"DELETE"}, updates...) {
		l.send(method, path, "", map[string]any{}, http.StatusUnauthorized)
		l.send(method, path, l.subscriber, map[string]any{}, http.StatusForbidden)
		l.send(method, path, l.admin, map[string]any{}, http.StatusPreconditionFailed, "If-Match", `"other.state"`)
	}
}

// post creates, changes and deletes posts of a resource. title is the name of their title field, others contains
// further fields of the created posts.
func (l *life) post(kind, title string, others map[string]any) {
	l.t.Helper()
	fields := func(name string) map[string]any {
		all := map[string]any{title: name}
		maps.Copy(all, others)
		return all
	}
	l.send("POST", "/"+kind, "", fields("A"), http.StatusUnauthorized)
	l.send("POST", "/"+kind, l.subscriber, fields("A"), http.StatusForbidden)
	l.send("GET", "/"+kind+"?page=9000", "", nil, http.StatusNotFound)
	for _, way := range []string{"id", "slug"} {
		made := l.send("POST", "/"+kind, l.admin, fields("Life of "+kind+" by "+way), http.StatusCreated)
		at := func(item map[string]any) string {
			if way == "id" {
				return fmt.Sprintf("/%s/%.0f", kind, item["id"])
			}
			return fmt.Sprintf("/%s/by-slug/%s", kind, item["slug"])
		}
		path := at(made)
		l.send("GET", "/"+kind, "", nil, http.StatusOK)
		l.unchanged("/" + kind)
		l.send("GET", path, "", nil, http.StatusOK)
		l.send("GET", path+"?context=edit", l.admin, nil, http.StatusOK)
		l.unchanged(path)
		l.refused(path)
		for _, method := range updates {
			l.send(method, path, l.admin, map[string]any{"description": method}, http.StatusOK)
		}
		l.send("PATCH", path, l.admin, map[string]any{"status": "draft"}, http.StatusOK)
		l.send("GET", path, "", nil, http.StatusForbidden)
		gone := l.send("DELETE", path, l.admin, nil, http.StatusOK)
		l.send("DELETE", at(gone), l.admin, nil, http.StatusGone)
		l.send("DELETE", at(gone)+"?force=true", l.admin, nil, http.StatusOK)
	}
	one := l.send("POST", "/"+kind, l.admin, fields("One of two "+kind), http.StatusCreated)
	other := l.send("POST", "/"+kind, l.admin, fields("Other of two "+kind), http.StatusCreated)
	l.setSlug(other, fmt.Sprint(one["slug"]))
	for _, method := range append([]string{"DELETE"}, updates...) {
		l.send(method, fmt.Sprintf("/%s/by-slug/%s", kind, one["slug"]), l.admin, map[string]any{}, http.StatusConflict)
	}
}

// setSlug sets the slug of a post to one that another post has, as other programs can.
func (l *life) setSlug(post map[string]any, slug string) {
	l.t.Helper()
	bound := must.Get(schema.Bind(l.db, "wp_"))(l.t)
	must.Get(bound.NewUpdate().Model((*schema.Post)(nil)).Set("post_name = ?", slug).Where("ID = ?", post["id"]).
		Exec(l.t.Context()))(l.t)
}

func (l *life) term(kind string) {
	l.t.Helper()
	fields := map[string]any{"name": "Life of " + kind}
	l.send("POST", "/"+kind, "", fields, http.StatusUnauthorized)
	l.send("POST", "/"+kind, l.subscriber, fields, http.StatusForbidden)
	made := l.send("POST", "/"+kind, l.admin, fields, http.StatusCreated)
	l.send("POST", "/"+kind, l.admin, fields, http.StatusBadRequest)
	l.send("POST", "/"+kind, l.admin, map[string]any{"name": "Other", "slug": "other-" + kind}, http.StatusCreated)
	path := fmt.Sprintf("/%s/%.0f", kind, made["id"])
	l.send("GET", "/"+kind+"?hide_empty=false&context=embed", "", nil, http.StatusOK)
	l.unchanged("/" + kind)
	l.send("GET", path+"?context=embed", "", nil, http.StatusOK)
	l.unchanged(path)
	l.refused(path)
	for _, method := range updates {
		l.send(method, path, l.admin, map[string]any{"description": method}, http.StatusOK)
		l.send(method, path, l.admin, map[string]any{"slug": "other-" + kind}, http.StatusConflict)
	}
	l.send("DELETE", path, l.admin, nil, http.StatusOK)
}
