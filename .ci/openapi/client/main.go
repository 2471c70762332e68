// This is a small client of the API whose types and requests oapi-codegen generates from the OpenAPI document. It is
// compiled and run against the example.
package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 4 {
		fail("usage: client ROOT LOGIN PASSWORD")
	}
	root, login, password := os.Args[1], os.Args[2], os.Args[3]
	c, err := NewClientWithResponses(root)
	check(err)
	ctx, admin := context.Background(), func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(login+":"+password)))
		return nil
	}

	size, since := int64(3), "2000-01-01"
	list, err := c.ListEventsWithResponse(ctx, &ListEventsParams{PerPage: &size, StartDate: &since})
	check(err)
	if list.JSON200 == nil {
		fail("list: %s %.300s", list.Status(), list.Body)
	}
	page := list.JSON200
	if len(page.Events) != 3 || page.Total <= 3 {
		fail("list: %s %.300s", list.Status(), list.Body)
	}
	feed, err := c.ListEventsAsCalendarWithResponse(ctx, &ListEventsAsCalendarParams{StartDate: &since})
	check(err)
	if feed.StatusCode() != http.StatusOK || !strings.HasPrefix(string(feed.Body), "BEGIN:VCALENDAR") {
		fail("feed: %s %.300s", feed.Status(), feed.Body)
	}

	made, err := c.CreateEventWithResponse(ctx, nil,
		CreateEventBody{Title: "Made in Go", StartDate: "2031-05-01 10:00", EndDate: "2031-05-01 12:00"}, admin)
	check(err)
	if made.JSON201 == nil || made.JSON201.Title != "Made in Go" {
		fail("create: %s %.300s", made.Status(), made.Body)
	}
	id, title := made.JSON201.Id, "Changed in Go"
	changed, err := c.UpdateEventWithResponse(ctx, id, nil, UpdateEventBody{Title: &title}, admin)
	check(err)
	if changed.JSON200 == nil || changed.JSON200.Title != title || changed.JSON200.StartDate == nil {
		fail("update: %s %.300s", changed.Status(), changed.Body)
	}
	refused, err := c.DeleteEventWithResponse(ctx, id, nil)
	check(err)
	if e := refused.JSONDefault; e == nil || e.Code != "rest_forbidden" || e.Data.Status != http.StatusUnauthorized {
		fail("delete by a stranger: %s %.300s", refused.Status(), refused.Body)
	}
	yes := true
	gone, err := c.DeleteEventWithResponse(ctx, id, &DeleteEventParams{Force: &yes}, admin)
	check(err)
	if gone.JSON200 == nil {
		fail("delete: %s %.300s", gone.Status(), gone.Body)
	}
	fmt.Println("listed, subscribed to, created, updated and deleted at", root)
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}
