// Package syncclient is the client in Go of docs/sync.md, as it is printed there.
package syncclient

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// Sync brings a copy of a list up to date. The token is "" the first time; it returns the one for the next time. list may have filters.
func Sync(client *http.Client, list *url.URL, token string, items map[int64]json.RawMessage) (next string, err error) {
	full := list.Query()
	full.Set("sync", "1")
	address := *list
	if address.RawQuery = full.Encode(); token != "" {
		address.RawQuery = url.Values{"sync_token": {token}}.Encode()
	} else {
		clear(items)
	}
	for at := address.String(); ; {
		answer, err := client.Get(at)
		if err != nil {
			return token, err
		}
		page := map[string]json.RawMessage{}
		err = json.NewDecoder(answer.Body).Decode(&page)
		answer.Body.Close()
		switch {
		case err != nil:
			return token, err
		case answer.StatusCode == http.StatusGone: // too long ago: everything again
			return Sync(client, list, "", items)
		case answer.StatusCode != http.StatusOK: // 503: again after Retry-After
			return token, fmt.Errorf("sync: %s: %s", answer.Status, page["message"])
		}
		for _, name := range []string{"events", "venues", "organizers", "categories", "tags"} {
			var list []json.RawMessage
			_ = json.Unmarshal(page[name], &list)
			for _, item := range list {
				var head struct {
					ID      int64 `json:"id"`
					Deleted bool  `json:"deleted"`
				}
				if err := json.Unmarshal(item, &head); err != nil {
					return token, err
				}
				if items[head.ID] = item; head.Deleted {
					delete(items, head.ID)
				}
			}
		}
		if at = ""; page["next_rest_url"] != nil {
			_ = json.Unmarshal(page["next_rest_url"], &at)
			continue
		}
		err = json.Unmarshal(page["next_sync_token"], &next)
		return next, err
	}
}
