// Package pagechecks_test opens the example's pages in a browser. It is a separate module, so that those who install
// the program or import the calendar do not depend on a browser's client. Go ignores directories whose names begin with
// a dot, so that only check.sh runs it.
package pagechecks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// pages is the address of the example's pages, program the path of the example itself, townProgram that of a host with
// a site around the calendar, tools the directory with the programs of npm, and browserPath the path of the browser.
var pages, program, townProgram, tools, browserPath = os.Getenv("AGENDA_PAGES"), os.Getenv("AGENDA_PAGES_PROGRAM"),
	os.Getenv("AGENDA_PAGES_TOWN"), os.Getenv("AGENDA_PAGES_TOOLS"), os.Getenv("CHROME_PATH")

// outside prevents the browser from resolving any host but the example's.
const outside = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

// languages maps the languages of the demo to the prefixes of their pages.
var languages = map[string]string{"en": "", "nl": "/nl", "fr": "/fr"}

// chromium is the context of the only browser, which all tests share. Each test opens a separate tab.
var chromium context.Context

func TestMain(m *testing.M) {
	if pages == "" || program == "" || townProgram == "" || tools == "" || browserPath == "" {
		fmt.Fprintln(os.Stderr, "run check.sh: it starts the example and says where all is")
		os.Exit(1)
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(browserPath), chromedp.Flag("host-resolver-rules", outside),
		// With this cache, going back would not load a page again.
		chromedp.Flag("disable-features", "Translate,BackForwardCache"),
	))
	if err := chromedp.Do(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	chromium = ctx
	code := m.Run()
	cancel()
	endSites()
	os.Exit(code)
}

// screen is the size and the colour scheme in which a page is displayed.
type screen struct {
	width, height int64
	scheme        string // light, dark, or print for a page of paper
}

func (s screen) String() string { return fmt.Sprintf("%d %s", s.width, s.scheme) }

// phone reports whether a screen is too narrow for the names of events in a month.
func (s screen) phone() bool { return s.width < 700 }

// screens returns all screens on which the pages are tested.
func screens() (all []screen) {
	for _, scheme := range []string{"light", "dark"} {
		all = append(all, screen{320, 640, scheme}, screen{768, 1024, scheme}, screen{1440, 900, scheme})
	}
	return all
}

// succeed ends the test if there is an error.
func succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tab is a tab of the browser. Faults in it make the test fail: an error in the console, a violation of the page's
// policy, a failed request or one that leaves the site.
type tab struct {
	*testing.T
	ctx    context.Context
	site   string // the address of the pages
	other  string // a second site to which they may send requests, or ""
	screen screen

	mu     sync.Mutex
	faults []string
	absent string // the address that may answer 404
}

// openTab opens a tab with a screen for the demo.
func openTab(t *testing.T, s screen) *tab {
	t.Helper()
	return openTabAt(t, s, pages)
}

// openTabAt opens a tab for the site with an address.
func openTabAt(t *testing.T, s screen, site string) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(chromium)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	b := &tab{T: t, ctx: ctx, site: site}
	t.Cleanup(func() {
		b.check()
		cancel()
		closeTab()
	})
	succeed(t, chromedp.Listen(ctx, b.hear))
	_, err := chromedp.Call(ctx, audits.Enable, cdp.Empty{})
	succeed(t, err)
	b.on(s)
	return b
}

// on sets the screen of the tab.
func (b *tab) on(s screen) {
	b.Helper()
	b.screen = s
	b.do(chromedp.EmulateViewport(s.width, s.height, func(p *emulation.SetDeviceMetricsOverrideParams,
		touch *emulation.SetTouchEmulationEnabledParams) {
		p.Mobile, touch.Enabled = s.phone(), s.phone()
	}))
	media, scheme := "", s.scheme
	if s.scheme == "print" {
		media, scheme = "print", "light"
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: media,
		// Transitions between colours would disturb the checks.
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		},
	})
	succeed(b, err)
}

// hear collects faults.
func (b *tab) hear(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fault := func(what ...any) { b.faults = append(b.faults, fmt.Sprintln(what...)) }
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		fault("exception:", asJSON(ev.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeWarning {
			fault("console:", asJSON(ev.Args))
		}
	case *log.EventEntryAdded:
		if (ev.Entry.Level == log.EntryLevelError || ev.Entry.Level == log.EntryLevelWarning) && ev.Entry.URL != b.absent {
			fault("log:", ev.Entry.Text, ev.Entry.URL)
		}
	case *audits.EventIssueAdded:
		// Chromium reports this for each page that adds to the history before the first click, as Swagger UI does.
		if issue := asJSON(ev.Issue); !strings.Contains(issue, "NavigationEntryMarkedSkippable") {
			fault("issue:", issue)
		}
	case *network.EventRequestWillBeSent:
		own := strings.HasPrefix(ev.Request.URL, b.site+"/") || b.other != "" && strings.HasPrefix(ev.Request.URL, b.other+"/")
		if !own && !strings.HasPrefix(ev.Request.URL, "data:") && !strings.HasPrefix(ev.Request.URL, "blob:"+b.site+"/") {
			fault("request outside:", ev.Request.URL)
		}
	case *network.EventResponseReceived:
		if ev.Response.Status >= 400 && ev.Response.URL != b.absent {
			fault("answer:", ev.Response.Status, ev.Response.URL)
		}
	case *network.EventLoadingFailed:
		if !ev.Canceled { // loading a page is cancelled if it becomes a download
			fault("request:", ev.ErrorText, ev.BlockedReason)
		}
	}
}

// asJSON returns what the browser reports about a fault.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// check fails the test if there have been faults.
func (b *tab) check() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.Error(f)
	}
	b.faults = nil
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	succeed(b, chromedp.Do(b.ctx, steps...))
}

// load performs steps that load a page, waits for it, and checks its status and that no part of it is wider than the
// screen.
func (b *tab) load(status int64, steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	response, err := chromedp.RunResponse(b.ctx, steps...)
	succeed(b, err)
	if response.Status != status {
		b.Fatalf("%s: %d", response.URL, response.Status)
	}
	if wide := evaluate[int64](b, `document.documentElement.scrollWidth`); wide > b.screen.width {
		b.Errorf("%s is %d pixels wide, the screen %s", response.URL, wide, b.screen)
	}
}

// visit loads a path of the site.
func (b *tab) visit(path string) {
	b.Helper()
	b.load(200, chromedp.Navigate(b.site+path))
}

// follow uses the first visible link or button that matches a selector, with the mouse, a finger or the keyboard.
func (b *tab) follow(selector string, byKeyboard bool) {
	b.Helper()
	b.load(200, b.use(selector, byKeyboard))
}

// use returns the action of follow, without loading the page that results.
func (b *tab) use(selector string, byKeyboard bool) chromedp.Action[chromedp.Void] {
	b.Helper()
	b.mark(selector)
	found := chromedp.CSS("[data-found]")
	if byKeyboard {
		return chromedp.Steps(chromedp.Focus(found), chromedp.KeyEvent("\r"))
	}
	return chromedp.Click(found)
}

// mark marks the first visible element that matches a selector, and no other.
func (b *tab) mark(selector string) {
	b.Helper()
	if !evaluate[bool](b, fmt.Sprintf(`(() => {
		document.querySelectorAll('[data-found]').forEach((e) => e.removeAttribute('data-found'));
		const found = [...document.querySelectorAll(%q)].find((e) => e.checkVisibility() && e.getClientRects().length);
		found?.setAttribute('data-found', '');
		return Boolean(found);
	})()`, selector)) {
		b.Fatalf("no %s on %s", selector, b.address())
	}
}

// address returns the address of the tab.
func (b *tab) address() *url.URL {
	b.Helper()
	u, err := url.Parse(evaluate[string](b, `location.href`))
	succeed(b, err)
	return u
}

// evaluate returns the value of a script in the page, or that of its promise.
func evaluate[T any](b *tab, script string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%v in %s", err, script)
	}
	return v
}
