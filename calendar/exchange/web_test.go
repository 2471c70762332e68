package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

const oneEvent = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:a@x\nSUMMARY:One\nDTSTART:20310501T100000Z\nDTEND:20310501T110000Z\n" +
	"END:VEVENT\nEND:VCALENDAR\n"

// visits lists the requests that servers received, each with its login and address.
type visits struct {
	sync.Mutex
	list []string
}

func (v *visits) addVisit(r *http.Request) {
	v.Lock()
	defer v.Unlock()
	name, _, _ := r.BasicAuth()
	v.list = append(v.list, name+" "+r.Host+r.URL.String()+r.Referer())
}

// world returns a client for which all host names are one test server. It redirects a path of the form /to/URL to that
// URL.
func world(t *testing.T) (*http.Client, *visits) {
	t.Helper()
	v := &visits{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.addVisit(r)
		if to, redirects := strings.CutPrefix(r.URL.Path, "/to/"); redirects {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, oneEvent)
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	transport := secure.Client().Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.InsecureSkipVerify = true
	transport.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
		at := plain.Listener
		if strings.HasSuffix(to, "443") {
			at = secure.Listener
		}
		return (&net.Dialer{}).DialContext(ctx, network, at.Addr().String())
	}
	return &http.Client{Transport: transport}, v
}

// An address is fetched over https unless it states http, or http is allowed. A login is sent only to the host that it
// was given for, and never unencrypted.
func TestAddressesAndLogins(t *testing.T) {
	client, v := world(t)
	golden.Each(t, "logins.txt", func(address string, plain bool, want string) {
		v.list = nil
		src, err := Open(t.Context(), address, OpenOptions{Client: client, PlainHTTP: plain, Now: atNoon()})
		got := strings.Join(v.list, "|")
		if err != nil {
			got = err.Error()
		} else {
			_ = src.Close()
		}
		if err == nil && got != want || err != nil && !strings.Contains(got, want) || strings.Contains(got, "pw") && err != nil {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	})
}

// A redirect cannot lead into the network of the program; the given address may be there.
func TestRedirectsToPrivateAddresses(t *testing.T) {
	hits := 0
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits++
		_, _ = io.WriteString(w, oneEvent)
	}))
	t.Cleanup(inner.Close)
	to := ""
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to, http.StatusFound)
	}))
	t.Cleanup(outer.Close)
	_, port, _ := net.SplitHostPort(inner.Listener.Addr().String())
	for _, to = range []string{
		inner.URL, "http://localhost:" + port, "http://[::1]:" + port, "http://0x7f000001:" + port, "http://10.0.0.1/",
	} {
		_, err := Open(t.Context(), outer.URL, OpenOptions{})
		if hits > 0 || !strings.Contains(fmt.Sprint(err), errPrivate.Error()) {
			t.Errorf("%s: %v, %d requests", to, err, hits)
		}
	}
	src, err := Open(t.Context(), inner.URL, OpenOptions{})
	if err != nil || hits != 1 {
		t.Fatalf("the address itself: %v, %d requests", err, hits)
	}
	_ = src.Close()
	// With a proxy, this program does not connect to the host.
	w := must.Get(newWeb(&url.URL{Scheme: "https", Host: "town.test"}, OpenOptions{}))(t)
	w.proxy = func(*http.Request) (*url.URL, error) { return url.Parse("http://10.0.0.1:3128") }
	r := httptest.NewRequest(http.MethodGet, "https://127.0.0.1/", nil)
	if err := w.mayFetch(t.Context(), r); !errors.Is(err, errPrivate) {
		t.Errorf("by a proxy: %v", err)
	}
}

// A host name that resolves to a private address needs PrivateSources, because it may resolve to another one at any
// time. IP addresses and localhost do not need it.
func TestNamesOfPrivateAddresses(t *testing.T) {
	hits := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits++
		_, _ = io.WriteString(w, oneEvent)
	}))
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, c := range []struct {
		host    string
		allowed bool
		leads   string // the address to which the name resolves
		want    error
	}{
		{"127.0.0.1", false, "", nil}, {"localhost", false, "127.0.0.1", nil}, {"LocalHost", false, "127.0.0.1", nil},
		{"town.test", false, "127.0.0.1", ErrPrivateSource}, {"town.test", true, "127.0.0.1", nil},
		{"town.test", false, "10.1.2.3", ErrPrivateSource}, {"town.test", false, "::ffff:127.0.0.1", ErrPrivateSource},
		{"town.test", false, "fd00::1", ErrPrivateSource}, {"localhost.test", false, "127.0.0.1", ErrPrivateSource},
		{"town.test", false, "169.254.169.254", ErrPrivateSource},
	} {
		hits = 0
		u := &url.URL{Scheme: "http", Host: net.JoinHostPort(c.host, port), Path: "/a.ics"}
		w := must.Get(newWeb(u, OpenOptions{PrivateSources: c.allowed}))(t)
		if c.leads != "" {
			leads := []netip.Addr{netip.MustParseAddr(c.leads)}
			w.found[c.host], w.found[strings.ToLower(c.host)] = leads, leads
		}
		resp, err := w.fetch(t.Context(), longestFile, u, "text/calendar")
		if err == nil {
			_ = resp.Body.Close()
		}
		if !errors.Is(err, c.want) || (hits > 0) != (c.want == nil) {
			t.Errorf("%s to %s, allowed %t: %v, %d requests", c.host, c.leads, c.allowed, err, hits)
		}
		w.proxy = func(*http.Request) (*url.URL, error) { return url.Parse("http://10.0.0.1:3128") }
		r := httptest.NewRequest(http.MethodGet, u.String(), nil)
		if err := w.mayFetch(t.Context(), r); !errors.Is(err, c.want) {
			t.Errorf("%s to %s by a proxy: %v", c.host, c.leads, err)
		}
	}
}

// drip is a transport whose answers never end: they send a byte per second.
type drip struct{}

func (drip) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(dripping{r.Context()}), Request: r}, nil
}

type dripping struct{ ctx context.Context }

func (d dripping) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	}
}

// A page of an API must be complete within a minute: a server that sends a byte from time to time cannot delay an
// import any longer.
func TestPagesHaveATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := Open(t.Context(), "https://town.test/wp-json/vendor/events/v1/events",
			OpenOptions{Client: &http.Client{Transport: drip{}}})
		if took := time.Since(began); !errors.Is(err, errSlow) || took != longestPage {
			t.Errorf("%v after %s", err, took)
		}
	})
}

// A list ends if its pages do not lead on, or at the maximum number of items. Both are errors unless everything was
// read.
func TestListsWithoutEnd(t *testing.T) {
	page := func(ids string, total int, next string) string {
		var items []string
		for _, id := range strings.Fields(ids) {
			items = append(items, `{"id":`+id+`,"title":"A"}`)
		}
		return fmt.Sprintf(`{"events":[%s],"total":%d,"next_rest_url":"http://x/?page=%s"}`, strings.Join(items, ","), total, next)
	}
	answer := func(int) string { return "" }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("page"))
		_, _ = io.WriteString(w, answer(n))
	}))
	t.Cleanup(server.Close)
	for name, c := range map[string]struct {
		answer func(n int) string
		items  int
		err    string
	}{
		"the same page": {func(n int) string { return page("1 2", 9, strconv.Itoa(n+1)) }, 2, "only 2 of 9"},
		"all of it":     {func(n int) string { return page("1 2", 2, strconv.Itoa(n+1)) }, 2, "EOF"},
		"one address":   {func(int) string { return page("1 2", 9, "7") }, 2, "only 2 of 9"},
		"nothing":       {func(n int) string { return page("", 0, strconv.Itoa(n+1)) }, 0, "only 0 of 0"},
		"for ever":      {func(n int) string { return page(fmt.Sprint(n+100, n+101), 9, strconv.Itoa(n+1)) }, 20, "more items"},
		"many at once":  {func(int) string { return page("1 2", 21, "2") }, 0, "more items than are read from an address: 20: it has 21"},
	} {
		answer = c.answer
		src, err := Open(t.Context(), server.URL+"/wp-json/vendor/events/v1/events?token=secret", OpenOptions{MaxItems: 20})
		n := 0
		for ; err == nil; n++ {
			_, err = src.Next(t.Context())
		}
		if src != nil {
			_ = src.Close()
		}
		if n = max(0, n-1); n != c.items || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %d items, %v", name, n, err)
		}
		if want := c.err == "more items"; errors.Is(err, ErrTooMany) != want && name != "many at once" {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := ""
	for i := range 21 {
		many += strings.Replace(oneEvent, "a@x", strconv.Itoa(i)+"@x", 1)
	}
	at := answerServer(t, "text/calendar", many)
	src, err := Open(t.Context(), at, OpenOptions{MaxItems: 20})
	must.Succeed(t, err)
	defer src.Close()
	for n := 0; err == nil; n++ {
		_, err = src.Next(t.Context())
	}
	if !errors.Is(err, ErrTooMany) {
		t.Errorf("a file at an address: %v", err)
	}
}

// Addresses are displayed without what may be secret in them.
func TestShown(t *testing.T) {
	for name, want := range map[string]string{
		"https://ann:pw@x.test/feed?token=abc&x=%20&y#z": "https://x.test/feed?token=…&x=…&…",
		"webcal://x.test/a?abc":                          "webcal://x.test/a?…",
		"/home/ann/a.ics":                                "/home/ann/a.ics", "a?b=c": "a?b=c",
	} {
		golden.Equal(t, name, Shown(name), want)
	}
	for _, c := range [][2]string{
		{"https://x.test/a?b=1", "https://ann:pw@x.test/a?b=1"}, {"https://x.test/a?b=1", "webcal://X.test/a?b=1#c"},
	} {
		if a, b := sourceOf(c[0]), sourceOf(c[1]); a != b || a.ID == "" {
			t.Errorf("%v: %v and %v", c, a, b)
		}
	}
	if a, b := sourceOf("https://x.test/a?b=1"), sourceOf("https://x.test/a?b=2"); a.ID == b.ID || a.Name != b.Name {
		t.Errorf("%v and %v", a, b)
	}
}

// Feeds that differ in their query are different sources, and the query is not stored. Items that an earlier version
// imported from one of them, and stored with the whole address, still belong to it.
func TestSourcesByTheirAddress(t *testing.T) {
	b := emptySite(t)
	first, second := "https://ann:xxxxx@x.test/feed?token=one", "https://x.test/feed?token=two"
	from := func(name string) func(*Importer) {
		return func(im *Importer) { im.Source, im.Prune = name, true }
	}
	b.load(t, icsFile("a@x SUMMARY:One|LOCATION:Hall", "b@x SUMMARY:Two"), from(first))
	b.load(t, icsFile("z@x SUMMARY:Three"), from(second))
	// This is how earlier versions stored both.
	for uid, name := range map[string]string{"a@x": first, "b@x": first, "z@x": second} {
		execSQL(t, b.db, "UPDATE wp_postmeta AS s JOIN wp_postmeta AS u ON u.post_id = s.post_id SET s.meta_value = ? "+
			"WHERE s.meta_key = '_agenda_source' AND u.meta_key = '_agenda_uid' AND u.meta_value = ?", name, uid)
	}
	execSQL(t, b.db, "DELETE FROM wp_postmeta WHERE meta_key = '_agenda_source_id'")
	before := b.dump(t)
	dry := func(im *Importer) { im.DryRun = true }
	_, all := b.load(t, icsFile("a@x SUMMARY:One|LOCATION:Hall", "b@x SUMMARY:Two"), from("https://bob:pw@x.test/feed?token=one"), dry)
	wantActions(t, all, Unchanged, Unchanged)
	if !slices.Equal(before, b.dump(t)) {
		t.Error("a dry run stored something")
	}
	_, all = b.load(t, icsFile("a@x SUMMARY:One|LOCATION:Hall", "b@x SUMMARY:Two"), from("https://bob:pw@x.test/feed?token=one"))
	wantActions(t, all, Unchanged, Unchanged)
	_, all = b.load(t, icsFile("z@x SUMMARY:Three"), from("webcal://x.test/feed?token=two"))
	wantActions(t, all, Unchanged)
	rows := b.texts(t, "SELECT CONCAT(s.meta_value, ' ', COUNT(DISTINCT i.meta_value)) FROM wp_postmeta AS s JOIN wp_postmeta AS i "+
		"ON i.post_id = s.post_id AND i.meta_key = '_agenda_source_id' WHERE s.meta_key = '_agenda_source' GROUP BY s.meta_value")
	if want := []string{"https://x.test/feed?token=… 2"}; !slices.Equal(rows, want) {
		t.Errorf("stored %q, want %q", rows, want)
	}
	_, all = b.load(t, icsFile("a@x SUMMARY:One|LOCATION:Hall"), from("https://x.test/feed?token=one"))
	wantActions(t, all, Unchanged, Trashed)
	// If several sources are displayed alike, only the whole address identifies the one to adopt.
	im := &Importer{Calendar: b.Calendar, Principal: editor, Source: "new", AdoptSource: "https://x.test/feed?token=…"}
	if _, err := im.Import(t.Context(), icsFile()); err == nil || !strings.Contains(err.Error(), "several sources are called") {
		t.Errorf("adopted one of two: %v", err)
	}
	_, all = b.load(t, icsFile("z@x SUMMARY:Changed"), func(im *Importer) { im.Source, im.AdoptSource = "new", second })
	wantActions(t, all, Updated)
}
