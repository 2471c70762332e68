package calendartest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// index is a search index of public items. Drafts, private events and items in the trash are not in it.
type index struct{ done []string }

func (x *index) changed(_ context.Context, c calendar.Change) {
	switch {
	case c.Kind != "events":
	case c.After == "publish":
		x.done = append(x.done, fmt.Sprint("index event ", c.ID))
	case c.Before == "publish":
		x.done = append(x.done, fmt.Sprint("remove event ", c.ID))
	}
}

// This example has a hook that is called for each committed change, made by a request or by PublishDue.
func Example_hook() {
	ctx, search := context.Background(), new(index)
	site, err := calendartest.Open(ctx, func(o *calendar.Options) { o.Hooks.OnChange = search.changed })
	if err != nil {
		log.Fatal(err)
	}
	editor := site.As(calendartest.Editor)
	for _, change := range []struct {
		method string
		id     int
		body   string
	}{
		{http.MethodPatch, calendartest.EventWalk, `{"status":"publish"}`},
		{http.MethodPatch, calendartest.EventSlam, `{"title":"Poetry Slam, second round"}`}, // still pending
		{http.MethodDelete, calendartest.EventFair, ""},
	} {
		address := fmt.Sprint(site.URL, "/events/", change.id)
		r, err := http.NewRequestWithContext(ctx, change.method, address, strings.NewReader(change.body))
		if err != nil {
			log.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := editor.Do(r)
		if err != nil {
			log.Fatal(err)
		}
		answer.Body.Close()
		fmt.Println(change.method, answer.StatusCode)
	}
	site.Clock.Set(calendartest.Now.AddDate(0, 3, 0)) // after the concert's publication date
	if _, err := site.Calendar.PublishDue(ctx); err != nil {
		log.Fatal(err)
	}
	if err := site.Close(); err != nil { // waits until the hook was called for all changes
		log.Fatal(err)
	}
	fmt.Println(strings.Join(search.done, "\n"))
	// Output:
	// PATCH 200
	// PATCH 200
	// DELETE 200
	// index event 16
	// remove event 5
	// index event 17
}
