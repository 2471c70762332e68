// Package syncclient is the client in Go of docs/sync.md, as it is printed there.
package syncclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// Sync brings a copy of a list up to date. The token is "" the first time; it returns the one for the next time. list may have filters.
func Sync(client *http.Client, list url.URL, token string, items map[int64]map[string]any) (string, error) {
	address, query := list, url.Values{"sync_token": {token}}
	if token == "" {
		query = list.Query()
		query.Set("sync", "1")
		clear(items)
	}
	address.RawQuery = query.Encode()
	for at := address.String(); ; {
		answer, err := client.Get(at)
		if err != nil {
			return token, err
		}
		var page struct {
			Events, Venues, Organizers, Categories, Tags []map[string]any

			Message string
			Next    string `json:"next_rest_url"`
			Token   string `json:"next_sync_token"`
		}
		err = errors.Join(json.NewDecoder(answer.Body).Decode(&page), answer.Body.Close())
		switch {
		case err != nil:
			return token, err
		case answer.StatusCode == http.StatusGone: // the token has expired: sync everything again
			return Sync(client, list, "", items)
		case answer.StatusCode != http.StatusOK: // for 503, try again after Retry-After
			return token, fmt.Errorf("sync: %s: %s", answer.Status, page.Message)
		}
		for _, item := range slices.Concat(page.Events, page.Venues, page.Organizers, page.Categories, page.Tags) {
			id, _ := item["id"].(float64)
			if items[int64(id)] = item; item["deleted"] == true {
				delete(items, int64(id))
			}
		}
		if at = page.Next; at == "" {
			return page.Token, nil
		}
	}
}
