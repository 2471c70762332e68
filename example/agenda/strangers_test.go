package main

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// sent sends a request and returns its response.
func sent(t *testing.T, method, address, body string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body)))(t)
	change(r)
	resp := must.Get(http.DefaultClient.Do(r))(t)
	defer resp.Body.Close()
	text := must.Get(io.ReadAll(resp.Body))(t)
	return resp, string(text)
}

// TestPagesCountPasswordsOfEachVisitor checks that a visitor who tries too many passwords of an event gets a page that
// says so, while other visitors can continue, and that the header of an untrusted proxy does not change who the visitor
// is (D29, D60).
func TestPagesCountPasswordsOfEachVisitor(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	var slug string
	must.Succeed(t, bound.NewSelect().Model((*schema.Post)(nil)).Column("post_name").Where("post_type = 'tribe_events'").
		Where("post_status = 'publish'").Where("post_password = ''").OrderExpr("ID").Limit(1).Scan(t.Context(), &slug))
	change(t, db, "UPDATE wp_posts SET post_password = 'sesame' WHERE post_name = '"+slug+"'")
	address, end := server(t, "-data", dir, "-trusted-proxies", "127.0.0.1")
	defer end()
	try := func(page, password, visitor string) (*http.Response, string) {
		t.Helper()
		form := url.Values{"password": {password}}.Encode()
		return sent(t, http.MethodPost, address+page+slug+"/", form, func(r *http.Request) {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("X-Forwarded-For", visitor)
		})
	}
	for i := range 50 {
		resp, text := try("/event/", "wrong", "192.0.2.1")
		if resp.StatusCode != http.StatusOK || !strings.Contains(text, "password is wrong") {
			t.Fatalf("wrong password %d: %d", i+1, resp.StatusCode)
		}
	}
	for page, words := range map[string]string{
		"/event/": "Too many wrong passwords", "/nl/event/": "te veel foute wachtwoorden", "/fr/event/": "Trop de mots de passe",
	} {
		resp, text := try(page, "sesame", "192.0.2.1")
		if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" || !strings.Contains(text, words) ||
			strings.Contains(text, `type="password"`) {
			t.Errorf("%s after too many: %d %v %.2000s", page, resp.StatusCode, resp.Header, text)
		}
	}
	// The limit applies to the same visitor in the API as well, but not to other visitors, not even behind a proxy that
	// adds the first address.
	forwarded := func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.1") }
	api := address + "/wp-json/vendor/events/v1/events/by-slug/" + slug
	if resp, _ := sent(t, http.MethodGet, api+"?password=sesame", "", forwarded); resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the visitor in the API: %d", resp.StatusCode)
	}
	for _, visitor := range []string{"192.0.2.2", "192.0.2.1, 192.0.2.3"} {
		if resp, text := try("/event/", "sesame", visitor); resp.StatusCode != http.StatusOK || strings.Contains(text, `type="password"`) {
			t.Errorf("%s: %d", visitor, resp.StatusCode)
		}
	}
	if resp, _ := sent(t, http.MethodGet, address+"/event/"+slug+"/", "", forwarded); resp.StatusCode != http.StatusOK {
		t.Errorf("the page without a password: %d", resp.StatusCode)
	}
}

// TestHostsCountWrongPasswordsTogether checks that a server with several host names has one limit of wrong passwords
// (D29).
func TestHostsCountWrongPasswordsTogether(t *testing.T) {
	t.Parallel()
	dir, _ := earlier(t)
	names := []string{"a.example", "b.example", "c.example", "d.example", "e.example"}
	listening := freeAddress(t)
	_, end := server(t, "-addr", listening, "-data", dir, "-hosts", strings.Join(names, ","))
	defer end()
	login := func(name string) int {
		resp, _ := sent(t, http.MethodGet, "http://"+listening+drafts, "", func(r *http.Request) {
			r.Host = name
			r.SetBasicAuth("editor", "wrong")
		})
		return resp.StatusCode
	}
	atonce.Run(10, func(i int) {
		if code := login(names[i%len(names)]); code != http.StatusUnauthorized {
			t.Errorf("one of ten wrong passwords: %d", code)
		}
	})
	for _, name := range names {
		if code := login(name); code != http.StatusTooManyRequests {
			t.Errorf("%s after ten wrong passwords: %d", name, code)
		}
	}
}

// TestHeadersAreBounded checks that headers of more than 64 KiB are rejected before the request is processed.
func TestHeadersAreBounded(t *testing.T) {
	t.Parallel()
	address, end := server(t, "-demo=false")
	defer end()
	for _, size := range []int{55 << 10, 66 << 10, 55 << 10, 1 << 20} { // on reused and on new connections
		want := http.StatusOK
		if size > 64<<10 {
			want = http.StatusRequestHeaderFieldsTooLarge
		}
		filled := func(r *http.Request) { r.Header.Set("X-Filler", strings.Repeat("x", size)) }
		resp, _ := sent(t, http.MethodGet, address+healthPath, "", filled)
		if resp.StatusCode != want {
			t.Errorf("a header of %d bytes: %d, want %d", size, resp.StatusCode, want)
		}
	}
}
