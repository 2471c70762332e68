package pages

import "strings"

// becoming returns an event, as JSON, with a status and the reason for it.
func becoming(event, status, reason string) string {
	return strings.TrimSuffix(event, "}") + `,"event_status":"` + status + `","event_status_reason":"` + reason + `"}`
}

// cancelledAPI returns an API with a cancelled and a postponed event.
func cancelledAPI() *fakeAPI {
	party := becoming(partyEvent, "canceled", "The <b>hall</b> is flooded &amp; cold.")
	api := listing(listOf(1, becoming(runningEvent, "postponed", ""), party))()
	api.items = map[string]string{}
	for _, prefix := range []string{"", "/nl", "/fr"} {
		api.items[prefix+root+"/events/by-slug/fete-au-parc"] = party
	}
	return api
}
