package contract

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// plainPermalinks checks the URLs of sites with plain permalinks: ?rest_route=/… means the same as the path, in any
// encoding; responses contain URLs in this form if the base URL has it; and the pages of a list can be followed (D73).
func plainPermalinks(t *testing.T, e Engine) {
	const prefix, file, namespace = "plain_", Site + "/index.php?rest_route=", "/tribe/events/v1"
	host := e.Copy(t, prefix)
	db, err := schema.Bind(ofOthers(t, host), prefix)
	if err != nil {
		t.Fatal(err)
	}
	options := calendar.Options{
		DB: host, Site: calendar.Site{Prefix: prefix}, Authenticator: callersOf(t, db, prefix),
		Now: func() time.Time { return recordedDay }, ServeRoot: true,
	}
	usual := newClient(t, options)
	options.Languages = []calendar.Language{
		{Tag: "en", BaseURL: file}, {Tag: "nl", BaseURL: Site + "/nl/?rest_route="}, {Tag: "fr", BaseURL: Site + "/fr/wp-json"},
	}
	plain := newClient(t, options)

	for path, base := range map[string]string{
		"/events": file, "/venues": file, "/organizers": file, "/categories?hide_empty=0": file, "/tags?hide_empty=0": file,
		"/events?status=publish&search=a": file, "/events?categories[]=7&per_page=3": file,
	} {
		whole := usual.Get("admin", with(path, "per_page=50"))
		at := plain.Get("admin", base+namespace+strings.Replace(with(path, "per_page=7"), "?", "&", 1))
		var ids []string
		for at.Status == http.StatusOK {
			ids = append(ids, at.Members("id")...)
			own, next := at.Word("rest_url"), at.Word("next_rest_url")
			for _, link := range []string{own, next} {
				below := strings.HasPrefix(link, Site+"/index.php?rest_route=%2Ftribe%2Fevents%2Fv1%2F")
				if link != "" && !below || strings.Count(link, "?") > 1 {
					t.Errorf("%s: %s", path, link)
				}
			}
			if again := plain.Get("admin", own); !slices.Equal(again.Members("id"), at.Members("id")) {
				t.Errorf("%s is another page than %s", own, at.Request)
			}
			header := at.Header.Get("Link")
			leads := strings.HasPrefix(header, "<"+file+`/>; rel="https://api.w.org/"`)
			if !leads || strings.Contains(header, `rel="next"`) != (next != "") {
				t.Errorf("%s: Link: %s", path, header)
			}
			if next == "" || len(ids) > 400 {
				break
			}
			_, linked, _ := strings.Cut(header, ", <")
			linked, _, _ = strings.Cut(linked, ">")
			following := plain.Get("admin", next)
			if other := plain.Get("admin", linked); !slices.Equal(other.Members("id"), following.Members("id")) {
				t.Errorf("%s and %s are two pages", linked, next)
			}
			at = following
		}
		if want := whole.Members("id"); len(ids) < len(want) || !slices.Equal(ids[:len(want)], want) {
			t.Errorf("%s: %s\n walked %v\n want %v", path, at.Summary(), ids, want)
		}
	}

	// The forms of one URL, and the responses to other ones.
	event := usual.Get("", "/events/25")
	form := func(at, route string) string { return Site + at + "?rest_route=" + route }
	for _, address := range []string{
		form("/", namespace+"/events/25"), form("", namespace+"/events/25"), form("/index.php", namespace+"/events/25/"),
		form("/index.php", url.QueryEscape(namespace+"/events/25")), form("/", "/Tribe/EVENTS/v1/events/25"),
		Site + "/?_locale=user&rest_route=" + namespace + "/events/25&context=view", Site + "/wp-json" + namespace + "/events/25",
		form("/", namespace+"/events/25?context=view"), form("/fr/", namespace+"/events/25") + "&i18n_language=en",
	} {
		a := plain.Get("", address)
		if a.Status != http.StatusOK || a.At("title") != event.At("title") {
			t.Errorf("%s: %s", address, a.Summary())
		}
		if want := file + namespace + "/events/25"; !strings.Contains(address, "/fr/") && a.Word("rest_url") != want {
			t.Errorf("%s has the address %s", address, a.Word("rest_url"))
		}
	}
	slug := "live-100-lart-20%2Flive-rock-roll-blues-24"
	if a := plain.Get("", form("/", namespace+"/events/by-slug/"+url.QueryEscape(slug))); a.Status != http.StatusOK {
		t.Errorf("a slug with its ancestor's: %s", a.Summary())
	}
	for address, want := range map[string]string{
		form("/nl/", namespace+"/nothing"): "404 rest_no_route", form("/", "tribe/events/v1/events"): "404 rest_no_route",
		form("/", "/wp/v2/posts"): "404 rest_no_route",
	} {
		if a := plain.Get("", address); a.Verdict() != want {
			t.Errorf("%s: %s, want %s", address, a.Verdict(), want)
		}
	}
	for _, path := range []string{"/", "/?rest_route=", "/?rest_route[]=/x", "/elsewhere?rest_route=" + namespace} {
		address := Site + path
		if w := apitest.Send(t.Context(), plain.Handler, "GET", address, ""); w.Code != http.StatusNotFound || w.Body.Len() > 30 {
			t.Errorf("%s is the host's, not %d %s", address, w.Code, w.Body)
		}
	}
	if w := apitest.Send(t.Context(), usual.Handler, "GET", form("/", namespace+"/events"), ""); w.Code != http.StatusNotFound {
		t.Errorf("/ is taken unasked: %d", w.Code)
	}

	// The root, the index, methods, writes and ETags.
	for _, address := range []string{form("/", "/"), form("/index.php", namespace)} {
		if a := plain.Get("", address); a.Status != http.StatusOK || strings.Contains(a.Text, `\/wp-json`) {
			t.Errorf("%s: %s", address, a.Summary())
		}
	}
	made := plain.Must(http.StatusCreated, "admin", "POST", form("/nl/index.php", namespace+"/events"),
		`{"title":"Plain","start_date":"2031-01-01","end_date":"2031-01-01","tags":["Blauw"]}`)
	if want := Site + "/nl/?rest_route=" + namespace + "/events/" + made.At("id"); made.Header.Get("Location") != want ||
		made.Word("rest_url") != want {
		t.Errorf("made at %s %s", made.Header.Get("Location"), made.Word("rest_url"))
	}
	own := made.Word("rest_url")
	read := plain.Get("", own)
	w := apitest.Send(t.Context(), plain.Handler, "GET", own, "", "If-None-Match", read.Header.Get("ETag"))
	if w.Code != http.StatusNotModified {
		t.Errorf("%s, then %d", read.Summary(), w.Code)
	}
	if a := plain.Do("", "HEAD", own, ""); a.Status != http.StatusOK {
		t.Errorf("HEAD: %d", a.Status)
	}
	if a := plain.Do("admin", "OPTIONS", own, ""); a.Status != http.StatusOK || !strings.Contains(a.Header.Get("Allow"), "PATCH") {
		t.Errorf("OPTIONS: %d %s", a.Status, a.Header.Get("Allow"))
	}
	if a := plain.Do("", "PATCH", own, `{"title":"X"}`); a.Verdict() != "401 rest_forbidden" {
		t.Errorf("anonymous PATCH: %s", a.Summary())
	}
	current := plain.Get("admin", own).Header.Get("ETag")
	if a := plain.Do("admin", "POST", own+"&_method=PATCH", `{"title":"Renamed"}`, "If-Match", current); a.Status != http.StatusOK ||
		a.Word("title") != "Renamed" {
		t.Errorf("overridden: %s", a.Summary())
	}
	tag, _ := plain.Get("admin", form("/", namespace+"/tags")+"&search=Blauw&hide_empty=0").List()
	if len(tag) != 1 {
		t.Fatalf("%d tags", len(tag))
	}
	if a := plain.Do("admin", "DELETE", own+"&force=true", ""); a.Status != http.StatusOK {
		t.Errorf("DELETE: %s", a.Summary())
	}
}
