package pagechecks_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/chromedp/chromedp"
)

// tryOut opens an operation, chooses a type of body, types fields, and returns what Execute would send; a form is
// returned as an object.
const tryOut = `(async ([operation, type, typed]) => {
	const appears = async (find) => {
		for (let tries = 0; tries < 600; tries++) {
			if (find()) return find()
			await new Promise((resolve) => setTimeout(resolve, 100))
		}
		throw new Error("not there: " + find)
	}
	const fill = (element, value, event) => {
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set.call(element, value)
		element.dispatchEvent(new Event(event, { bubbles: true }))
		element.dispatchEvent(new FocusEvent("focusout", { bubbles: true })) // else typing is waited for
	}
	const block = await appears(() => document.querySelector("[id$=-" + operation + "]"))
	block.querySelector(".opblock-summary-control").click();
	(await appears(() => block.querySelector(".try-out__btn"))).click()
	fill(await appears(() => block.querySelector(".opblock-section-request-body select")), type, "change")
	for (const [name, value] of Object.entries(typed)) {
		const input = await appears(() => block.querySelector('tr[data-property-name="' + name + '"] :is(input[type=text], select)'))
		fill(input, value, input.matches("select") ? "change" : "input")
	}
	for (const input of block.querySelectorAll(".parameters tr[data-param-in=path] input")) fill(input, "5", "input")
	const sent = new Promise((resolve) => {
		window.fetch = async (url, { body }) => {
			resolve(body)
			return new Response("{}", { headers: { "Content-Type": "application/json" } })
		}
	});
	(await appears(() => block.querySelector(".execute"))).click()
	const body = await sent
	return JSON.stringify(Object.fromEntries(body instanceof FormData ? body : new URLSearchParams(body ?? "")))
})(%s)`

// "Try it out" sends the fields of a form that were typed, and not the examples of all others.
func TestTryItOut(t *testing.T) {
	for operation, typed := range map[string]map[string]string{ // required fields are included: without them nothing is sent
		"createEvent":    {"title": "Typed", "start_date": "2031-05-01 20:00", "end_date": "2031-05-01 22:00", "all_day": "false"},
		"updateEvent":    {"description": "Typed."},
		"createVenue":    {"venue": "Typed", "city": "Typed"},
		"createCategory": {"name": "Typed", "description": "Typed."},
	} {
		for _, form := range []string{"multipart/form-data", "application/x-www-form-urlencoded"} {
			t.Run(operation+" "+form, func(t *testing.T) {
				b := openTab(t, screen{1440, 900, "light"})
				b.visit("/docs/")
				b.do(chromedp.WaitVisible(chromedp.CSS(".opblock")))
				var sent map[string]string
				text := evaluate[string](b, fmt.Sprintf(tryOut, asJSON([]any{operation, form, typed})))
				if err := json.Unmarshal([]byte(text), &sent); err != nil || !maps.Equal(sent, typed) {
					t.Errorf("%s was sent, typed %v: %v", text, typed, err)
				}
			})
		}
	}
}
