package pagechecks_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// A visitor looks for something to do: a month, one kind of events, one of these events, adds it to a calendar, and
// goes back. With dark screens the visitor uses the keyboard.
func TestWalk(t *testing.T) {
	for tag, prefix := range languages {
		for _, s := range screens() {
			t.Run(tag+" "+s.String(), func(t *testing.T) { walkPages(t, tag, prefix, s) })
		}
	}
}

func walkPages(t *testing.T, tag, prefix string, s screen) {
	b, keyboard := openTab(t, s), s.scheme == "dark"

	b.visit(prefix + "/")
	b.checkLanguageAndColors(tag, s)
	all := b.count()
	colour := evaluate[string](b, `[...document.querySelectorAll('.grid td:not(.outside) .dots i')].map((i) => i.className)
		.find((c) => document.querySelector('.kinds a.' + c)) ?? ''`)
	if colour == "" {
		t.Fatal("no event of this month has a category")
	}
	if tiles := evaluate[bool](b, `document.querySelector('.grid ul').checkVisibility()`); tiles == s.phone() {
		t.Errorf("names of events in the month: %t", tiles)
	}

	chip := ".kinds a." + colour
	category := evaluate[string](b, fmt.Sprintf(`new URL(document.querySelector(%q).href).searchParams.get('category')`, chip))
	if s.width == 768 {
		b.do(b.use(".filters summary", keyboard), chromedp.SetValue(chromedp.CSS(".filters select[name=category]"), category))
		b.follow(".filters button", keyboard)
	} else {
		b.follow(chip, keyboard)
	}
	filtered := b.address()
	if got := filtered.Query().Get("category"); got != category {
		t.Errorf("the filter %q leads to %s", category, filtered)
	}
	if n := b.count(); n < 1 || n >= all {
		t.Errorf("%d of %d events have the category %s", n, all, category)
	}
	if !evaluate[bool](b, fmt.Sprintf(`document.querySelector('%s[aria-current]') !== null`, chip)) {
		t.Errorf("%s is not marked", category)
	}

	steps := 1
	if s.phone() {
		b.follow(fmt.Sprintf(".grid td:has(.dots .%s) .date", colour), keyboard)
		b.follow(fmt.Sprintf(".card.%s h3 a", colour), keyboard)
		steps++
	} else {
		b.follow(fmt.Sprintf(".grid ul a.%s", colour), keyboard)
	}
	b.checkLanguageAndColors(tag, s)
	b.event()
	b.addToCalendar()

	day := evaluate[string](b, `document.querySelector('.first time').dateTime`)
	b.follow(".back a", keyboard)
	if shown := evaluate[string](b, `document.querySelector('h1 time').dateTime`); !strings.HasPrefix(day, shown) {
		t.Errorf("from an event on %s back to %s", day, shown)
	}
	b.checkLanguageAndColors(tag, s)
	for range 1 + steps {
		b.load(200, chromedp.NavigateBack())
	}
	if back := b.address(); *back != *filtered {
		t.Errorf("back to %s, not to %s", back, filtered)
	}
}

// checkLanguageAndColors checks the language and the colours of a page.
func (b *tab) checkLanguageAndColors(tag string, s screen) {
	b.Helper()
	if got := evaluate[string](b, `document.documentElement.lang`); !strings.HasPrefix(got, tag) {
		b.Errorf("%s is in %q", b.address(), got)
	}
	var red, green, blue int
	ground := evaluate[string](b, `getComputedStyle(document.body).backgroundColor`)
	if _, err := fmt.Sscanf(ground, "rgb(%d, %d, %d)", &red, &green, &blue); err != nil {
		b.Fatalf("%s: %v", ground, err)
	}
	if dark := red+green+blue < 3*128; dark != (s.scheme == "dark") {
		b.Errorf("%s on %s", b.address(), ground)
	}
}

// count returns the number of events that the page states.
func (b *tab) count() int {
	b.Helper()
	return evaluate[int](b, `Number(document.querySelector('.count').textContent.replace(/\D/g, ''))`)
}

// event checks that the page of an event begins with its time, place and price, above or beside its image and above the
// fold.
func (b *tab) event() {
	b.Helper()
	if !evaluate[bool](b, `(() => {
		const first = document.querySelector('.first').getBoundingClientRect(), poster = document.querySelector('.poster');
		const picture = poster?.getBoundingClientRect();
		return first.top < innerHeight && (!picture || first.bottom <= picture.top || first.right <= picture.left);
	})()`) {
		b.Errorf("%s begins with something else than when and where", b.address())
	}
}

// addToCalendar adds the event of the page to a calendar.
func (b *tab) addToCalendar() {
	b.Helper()
	title := evaluate[string](b, `document.querySelector('h1').textContent`)
	site := strings.TrimPrefix(pages, "http:")
	hrefs := evaluate[[]string](b, `[...document.querySelectorAll('.add a')].map((a) => a.href)`)
	if len(hrefs) != 4 || !strings.HasPrefix(hrefs[1], "webcal:"+site+"/") {
		b.Fatalf("ways to add an event: %s", hrefs)
	}
	for i, param := range map[int]string{2: "text", 3: "subject"} {
		u, err := url.Parse(hrefs[i])
		if err != nil || u.Scheme != "https" || u.Query().Get(param) != title {
			b.Errorf("%q is added by %s", title, hrefs[i])
		}
	}
	file := unfold(b.download(".add a[download]"))
	if !strings.HasPrefix(file, "BEGIN:VCALENDAR\r\n") || strings.Count(file, "BEGIN:VEVENT\r\n") != 1 ||
		!strings.Contains(file, "\r\nSUMMARY:"+escape(title)+"\r\n") || !strings.Contains(file, "\r\nURL:"+b.address().String()+"\r\n") {
		b.Errorf("%s, %q, downloads %s", b.address(), title, file)
	}
}

// unfold joins the folded lines of a calendar file.
func unfold(file string) string { return strings.ReplaceAll(file, "\r\n ", "") }

// escape returns a string as a calendar file contains it.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`).Replace(text)
}

// download follows a link to a file and returns the file.
func (b *tab) download(selector string) string {
	b.Helper()
	dir, told := b.TempDir(), true
	_, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: dir, EventsEnabled: &told,
	})
	succeed(b, err)
	progress := chromedp.BrowserEvents(b.ctx, browser.DownloadProgress)
	b.do(b.use(selector, false))
	for ev, err := range progress {
		succeed(b, err)
		if ev.State == browser.DownloadProgressStateInProgress {
			continue
		}
		if ev.State != browser.DownloadProgressStateCompleted {
			b.Fatalf("download: %s", ev.State)
		}
		file, err := os.ReadFile(filepath.Join(dir, ev.GUID))
		succeed(b, err)
		return string(file)
	}
	b.Fatal("no download")
	return ""
}

// The documentation of the API shows its operations. It is not checked with axe, which finds faults in Swagger UI
// itself.
func TestDocs(t *testing.T) {
	for tag, prefix := range languages {
		t.Run(tag, func(t *testing.T) {
			b := openTab(t, screen{1440, 900, "light"})
			b.visit(prefix + "/docs/")
			b.do(chromedp.WaitVisible(chromedp.CSS(".opblock")))
		})
	}
}
