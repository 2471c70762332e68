package pagechecks_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Faults on a page make its test fail.
func TestFaultsAreHeard(t *testing.T) {
	for name, script := range map[string]string{
		"console":   `console.error('wrong')`,
		"exception": `new Promise((done) => { setTimeout(() => { throw new Error('wrong'); }, 0); setTimeout(done, 0); })`,
		"policy": `new Promise((done) => {
			document.addEventListener('securitypolicyviolation', done);
			document.body.append(Object.assign(document.createElement('script'), {textContent: '1'}));
		})`,
		"missing": `fetch('/nowhere/').then(() => {})`,
		"outside": `new Promise((done) => {
			document.body.append(Object.assign(new Image(), {src: 'https://example.org/a.png', onerror: done}));
		})`,
	} {
		t.Run(name, func(t *testing.T) {
			b := openTab(t, screen{1440, 900, "light"})
			b.visit("/")
			b.check()
			b.do(chromedp.Evaluate[chromedp.Void](script, chromedp.EvalAwaitPromise))
			b.mu.Lock()
			defer b.mu.Unlock()
			if len(b.faults) == 0 {
				t.Error("unseen")
			}
			t.Logf("%q", b.faults)
			b.faults = nil
		})
	}
}
