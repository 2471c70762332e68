package contract

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// shown contains the members of an item that these tests read.
type shown struct {
	ID       int64
	Author   string
	Timezone string
	Total    int64
}

// do calls Do and returns the item, and the status of an error.
func (b *bench) do(ctx context.Context, method, path string, body any) (item shown, status int) {
	b.T.Helper()
	answer, err := b.cal.Do(ctx, method, path, url.Values{}, body)
	var refused *calendar.Error
	switch {
	case errors.As(err, &refused):
		return item, refused.Status
	case err != nil:
		b.T.Fatal(method, path, err)
	}
	if err := json.Unmarshal(answer, &item); err != nil {
		b.T.Fatal(method, path, err)
	}
	return item, 200
}

// callersInTransaction checks that WithPrincipal sets the caller of what is done within a Transaction, also if
// another caller began it, and that changes are reported with their own callers.
func callersInTransaction(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	as := callersOf(t, b.DB, b.prefix)
	event := map[string]any{"title": "By the editor", "start_date": "2031-01-01", "end_date": "2031-01-01"}
	tag := func(name string) map[string]any { return map[string]any{"name": name} }
	err := b.cal.Transaction(calendar.WithPrincipal(t.Context(), as["admin"]), func(ctx context.Context) error {
		for name, want := range map[string]int{"subscriber": 403, "": 401, "admin": 200} {
			if _, status := b.do(calendar.WithPrincipal(ctx, as[name]), "POST", "/tags", tag("Of "+name)); status != want {
				t.Errorf("%q adds a tag: %d, want %d", name, status, want)
			}
		}
		item, status := b.do(calendar.WithPrincipal(ctx, as["editor"]), "POST", "/events", event)
		if status != 200 || item.Author != "2" {
			t.Errorf("an event of the editor: %d, author %q", status, item.Author)
		}
		if _, status := b.do(ctx, "POST", "/tags", tag("Of the transaction")); status != 200 {
			t.Errorf("a tag of the transaction's caller: %d", status)
		}
		// A nested transaction, begun by another caller.
		return b.cal.Transaction(calendar.WithPrincipal(ctx, as["author"]), func(ctx context.Context) error {
			item, status := b.do(ctx, "POST", "/events", event)
			if status != 200 || item.Author != "3" {
				t.Errorf("an event of the author: %d, author %q", status, item.Author)
			}
			return nil
		})
	})
	must.Succeed(t, err)
	var by []string
	for _, line := range b.settle() {
		f := strings.Fields(line)
		by = append(by, f[0]+" "+f[1]+" "+f[3]+" "+f[4])
	}
	want := []string{"create tags by admin:", "create events by editor:", "create tags by admin:", "create events by author:"}
	if !slices.Equal(by, want) {
		t.Errorf("the hook got %q, want %q", by, want)
	}
}

// contextsOfTwo checks that a calendar that is called within the Transaction of another one uses its own settings,
// users and rows, is not part of that transaction, and reports its own changes.
func contextsOfTwo(t *testing.T, e Engine) {
	first, second := newBench(t, e), newBench(t, e)
	second.option(schema.OptionTimezone, "America/New_York")
	for _, b := range []*bench{first, second} {
		role := map[*bench]string{first: "administrator", second: "subscriber"}[b]
		roles := &phpval.Array{}
		roles.Set(phpval.StrKey(role), true)
		b.users().Insert(&schema.User{ID: 70, Login: "anna", Registered: "2030-01-01 00:00:00"})
		b.users().Insert(&schema.UserMeta{UserID: 70, Key: schema.UserMetaCapabilities(b.prefix), Value: phpval.Serialize(roles)})
		b.open(calendar.Options{Cache: soon})
	}
	admin := callersOf(t, second.DB, second.prefix)["admin"]
	anna := calendar.WithPrincipal(t.Context(), calendar.Principal{UserID: 70, Login: "anna"})
	event := map[string]any{"title": "E", "start_date": "2031-01-01 10:00", "end_date": "2031-01-01 11:00"}
	undone := errors.New("undone")

	err := first.cal.Transaction(anna, func(ctx context.Context) error {
		if item, status := first.do(ctx, "POST", "/events", event); status != 200 || item.Timezone != "Europe/Brussels" {
			t.Errorf("an administrator's event: %d in %s", status, item.Timezone)
		}
		if _, status := second.do(ctx, "POST", "/events", event); status != 403 {
			t.Errorf("an event of a subscriber of the second site: %d", status)
		}
		ofSecond := calendar.WithPrincipal(ctx, admin)
		if item, status := second.do(ofSecond, "POST", "/events", event); status != 200 || item.Timezone != "America/New_York" {
			t.Errorf("an event on the second site: %d in %s", status, item.Timezone)
		}
		if got := second.settle(); len(got) != 1 {
			t.Errorf("the second site's hook got %q before the first one's transaction ended", got)
		}
		err := second.cal.Transaction(ofSecond, func(ctx context.Context) error {
			if item, status := second.do(ctx, "POST", "/events", event); status != 200 || item.Timezone != "America/New_York" {
				t.Errorf("an event in two transactions: %d in %s", status, item.Timezone)
			}
			if item, status := first.do(ctx, "POST", "/events", event); status != 200 || item.Timezone != "Europe/Brussels" {
				t.Errorf("an event of the outer transaction: %d in %s", status, item.Timezone)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		for range 2 {
			if list, _ := first.do(ctx, "GET", "/events", nil); list.Total != 2 {
				t.Errorf("%d events in the transaction of the first site", list.Total)
			}
			if list, _ := second.do(ctx, "GET", "/events", nil); list.Total != 2 {
				t.Errorf("%d events on the second site", list.Total)
			}
		}
		return undone
	})
	if !errors.Is(err, undone) {
		t.Fatal(err)
	}
	if got := first.settle(); len(got) > 0 {
		t.Errorf("the hook of what was undone got %q", got)
	}
	for b, want := range map[*bench]int64{first: 0, second: 2} {
		if list, _ := b.do(t.Context(), "GET", "/events", nil); list.Total != want {
			t.Errorf("%d events, want %d", list.Total, want)
		}
	}
}

// calendarsOfOneSite checks that another calendar of the same site does not wait for the transaction in which it is
// called, which would block until the request ends, and that a context that is used after its transaction is not part
// of any transaction.
func calendarsOfOneSite(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	other := &bench{site: b.site, Client: b.Client, log: &errorLog{}, hook: &hookCalls{}}
	other.open(calendar.Options{})
	admin := calendar.WithPrincipal(t.Context(), callersOf(t, b.DB, b.prefix)["admin"])
	event := map[string]any{"title": "E", "start_date": "2031-01-01 10:00", "end_date": "2031-01-01 11:00"}
	var kept context.Context
	must.Succeed(t, b.cal.Transaction(admin, func(ctx context.Context) error {
		kept = ctx
		if _, status := b.do(ctx, "POST", "/events", event); status != 200 {
			t.Errorf("an event: %d", status)
		}
		if _, err := other.cal.Do(ctx, "POST", "/events", nil, event); err == nil || !strings.Contains(err.Error(), "of another calendar") {
			t.Errorf("a write that waits for itself: %v", err)
		}
		within := func(context.Context) error { return nil }
		if err := other.cal.Transaction(ctx, within); err == nil || !strings.Contains(err.Error(), "of another calendar") {
			t.Errorf("a transaction that waits for itself: %v", err)
		}
		if list, status := other.do(ctx, "GET", "/events", nil); status != 200 || list.Total != 0 {
			t.Errorf("what is not committed is seen by another calendar: %d events", list.Total)
		}
		return nil
	}))
	if lines := other.log.taken(); len(lines) != 1 || !strings.Contains(lines[0], "of another calendar") {
		t.Errorf("logged %q", lines)
	}
	if list, _ := b.do(kept, "GET", "/events", nil); list.Total != 1 {
		t.Errorf("%d events after the commit", list.Total)
	}
	if _, status := b.do(kept, "POST", "/events", event); status != 200 {
		t.Errorf("an event after the commit: %d", status)
	}
	if got := b.settle(); len(got) != 2 {
		t.Errorf("the hook got %q", got)
	}
}

// trialsInTheProcess checks (D29, D60) that attempts at a post's password within the process count for the client that
// the context names and, without a client, per post: this must not block other posts.
func trialsInTheProcess(t *testing.T, e Engine) {
	b := newBench(t, e)
	for _, slug := range []string{"ball", "fair"} {
		b.event(thing{slug: slug, start: "2030-07-01 10:00", password: "sesame"})
	}
	proxy := netip.MustParsePrefix("192.0.2.0/28")
	b.open(calendar.Options{Login: calendar.Login{
		MaxPerAddress: 5, MaxPerUser: 12, TrustedProxies: []netip.Prefix{proxy},
	}})
	of := func(peer, forwarded string) context.Context {
		r := must.Get(http.NewRequestWithContext(t.Context(), "GET", "/a-page", nil))(t)
		r.RemoteAddr = peer + ":4711"
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		return calendar.WithClient(r.Context(), r)
	}
	try := func(ctx context.Context, slug, password string) (status int) {
		_, err := b.cal.Do(ctx, "GET", "/events/by-slug/"+slug, url.Values{"password": {password}}, nil)
		var refused *calendar.Error
		switch {
		case errors.As(err, &refused):
			return refused.Status
		case err != nil:
			t.Fatal(err)
		}
		return 200
	}
	wrong := func(ctx context.Context, slug string, n int) {
		t.Helper()
		for i := range n {
			if status := try(ctx, slug, "wrong"); status != 403 {
				t.Errorf("%s, wrong password %d: %d", slug, i+1, status)
			}
		}
	}
	visitor, another, direct := of("192.0.2.1", "198.51.100.1"), of("192.0.2.1", "198.51.100.2"), of("203.0.113.9", "198.51.100.3")
	wrong(visitor, "ball", 5)
	wrong(direct, "ball", 5)
	wrong(t.Context(), "ball", 11)
	for ctx, want := range map[context.Context]int{
		visitor: 429, of("192.0.2.2", "198.51.100.1"): 429, another: 200, direct: 429, of("203.0.113.9", ""): 429, t.Context(): 200,
	} {
		if status := try(ctx, "ball", "sesame"); status != want {
			t.Errorf("the right password: %d, want %d", status, want)
		}
	}
	wrong(t.Context(), "ball", 1)
	if status := try(t.Context(), "ball", "sesame"); status != 429 {
		t.Errorf("past the limit of a post: %d", status)
	}
	for ctx, slug := range map[context.Context]string{t.Context(): "fair", another: "ball"} {
		if status := try(ctx, slug, "sesame"); status != 200 {
			t.Errorf("%s for others: %d", slug, status)
		}
	}
}
