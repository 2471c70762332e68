package pages

import "testing"

// TestCopyButton checks that the page of an event has a button that copies its canonical address and is hidden until
// the script shows it, and that framed pages have neither.
func TestCopyButton(t *testing.T) {
	expect(t, visit(t, newFake(), "/nl/event/fete-au-parc/"), 200, `<script async src="/assets/pages.js?v=`,
		`<li hidden><button type="button" class="button plain" data-copy="http://demo.example/nl/event/fete-au-parc/" `+
			`data-done="Gekopieerd.">`)
	lacks(t, visit(t, newFake(), "/embed/"), "<script", "data-copy")
	script := visit(t, newFake(), buttonsPath)
	expect(t, script, 200, "navigator.clipboard.writeText")
	lacks(t, script, "innerHTML", "eval(", "fetch(")
}
