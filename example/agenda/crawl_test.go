package main

import (
	"encoding/xml"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	anchor   = regexp.MustCompile(`<(?:a|link)\b[^>]*\bhref="([^"]*)"[^>]*>`)
	noFollow = regexp.MustCompile(`\brel="[^"]*nofollow`)
)

// linksOf returns the links of a page to other pages of the site. other contains those that search engines must not
// follow.
func linksOf(t *testing.T, base *url.URL, body string) (follow, other []string) {
	t.Helper()
	for _, m := range anchor.FindAllStringSubmatch(body, -1) {
		u, err := base.Parse(html.UnescapeString(m[1]))
		if err != nil {
			t.Errorf("%s links %s: %v", base, m[1], err)
			continue
		}
		if u.Fragment = ""; u.Scheme != "http" || u.Host != base.Host {
			continue
		}
		if noFollow.MatchString(m[0]) {
			other = append(other, u.String())
		} else {
			follow = append(follow, u.String())
		}
	}
	return follow, other
}

// TestLongEveryLinkOfTheDemoLeadsSomewhere checks that every page exists that a search engine reaches from the front
// page, and that their number is finite. Pages that search engines must not follow are checked without their own links.
func TestLongEveryLinkOfTheDemoLeadsSomewhere(t *testing.T) {
	t.Parallel()
	address, end := server(t, "-log-level", "warn")
	defer func() {
		if code, log := end(); code != 0 || strings.Contains(log, "level=ERROR") {
			t.Errorf("code %d: %s", code, log)
		}
	}()
	const most = 4000
	queue, queued := []string{address + "/"}, map[string]bool{address + "/": true}
	beyond := map[string]bool{}
	for ; len(queue) > 0 && len(queued) < most; queue = queue[1:] {
		resp, body := get(t, queue[0])
		if resp.StatusCode != http.StatusOK || resp.Request.URL.String() != queue[0] {
			t.Errorf("%s: %d at %s", queue[0], resp.StatusCode, resp.Request.URL)
		}
		if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			continue
		}
		follow, other := linksOf(t, resp.Request.URL, body)
		for _, link := range follow {
			if !queued[link] {
				queued[link] = true
				queue = append(queue, link)
			}
		}
		for _, link := range other {
			beyond[link] = true
		}
	}
	if len(queued) >= most || len(queued) < 1000 {
		t.Errorf("%d pages", len(queued))
	}
	checked := 0
	for link := range beyond {
		if checked++; checked > 200 { // of some thousand similar ones, in random order
			break
		}
		if resp, _ := get(t, link); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", link, resp.StatusCode)
		}
	}
	checkSitemap(t, address, queued)
}

// checkSitemap checks that a crawler finds what the sitemap lists.
func checkSitemap(t *testing.T, address string, found map[string]bool) {
	t.Helper()
	var sitemap struct {
		URLs []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	_, body := get(t, address+"/sitemap.xml")
	if err := xml.Unmarshal([]byte(body), &sitemap); err != nil || len(sitemap.URLs) < 500 {
		t.Fatalf("%d addresses, %v", len(sitemap.URLs), err)
	}
	for _, u := range sitemap.URLs {
		if !found[u.Loc] {
			t.Errorf("no link leads to %s", u.Loc)
		}
	}
}
