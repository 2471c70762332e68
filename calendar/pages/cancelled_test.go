package pages

import (
	"strings"
	"testing"
)

// becoming returns an event, as JSON, with a status and the reason for it.
func becoming(event, status, reason string) string {
	return strings.TrimSuffix(event, "}") + `,"event_status":"` + status + `","event_status_reason":"` + reason + `"}`
}

// TestCancelledAndPostponed checks D72: wherever a cancelled or postponed event is named, words say so, and its own
// page contains the reason.
func TestCancelledAndPostponed(t *testing.T) {
	party := becoming(partyEvent, "canceled", "The <b>hall</b> is flooded &amp; cold.")
	api := &fakeAPI{lists: map[string]string{"1": listOf(1, becoming(runningEvent, "postponed", ""), party)},
		items: map[string]string{}}
	for prefix, words := range map[string][2]string{
		"": {"Cancelled", "Postponed"}, "/nl": {"Afgelast", "Uitgesteld"}, "/fr": {"Annulé", "Reporté"},
	} {
		api.items[prefix+"/wp-json/vendor/events/v1/events/by-slug/fete-au-parc"] = party
		cancelled, postponed := words[0], words[1]
		expect(t, visit(t, api, prefix+"/"), 200, `<span class="state">`+postponed+`</span> Kanaalblues</a>`,
			`<span class="hidden">`+postponed+`: Kanaalblues</span>`, `<span class="state">`+cancelled+`</span> La fête`)
		expect(t, visit(t, api, prefix+"/?view=list"), 200, `<p class="state">`+postponed+`</p>`, `<p class="state">`+cancelled+`</p>`)
		expect(t, visit(t, api, prefix+"/event/fete-au-parc/"), 200,
			`<strong class="state">`+cancelled+`</strong> The hall is flooded &amp; cold.</p>`,
			`<title>`+cancelled+`: La fête au parc`, ` · `+postponed+`</span>`)
	}
	lacks(t, visit(t, newFake(), "/?view=list"), `class="state"`)
}
