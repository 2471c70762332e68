// This is a small client of the API that ogen generates from the OpenAPI document. It is compiled and run against the
// example.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/ogen-go/ogen/ogenerrors"

	"client/api"
)

// login contains the credentials of the user.
type login struct{ name, password string }

func (l login) ApplicationPassword(context.Context, api.OperationName) (api.ApplicationPassword, error) {
	return api.ApplicationPassword{Username: l.name, Password: l.password}, nil
}

func (login) Nonce(context.Context, api.OperationName) (api.Nonce, error) {
	return api.Nonce{}, ogenerrors.ErrSkipClientSecurity
}

func (login) SiteCookie(context.Context, api.OperationName) (api.SiteCookie, error) {
	return api.SiteCookie{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	if len(os.Args) != 4 {
		fail("usage: client ROOT LOGIN PASSWORD")
	}
	root, ctx := os.Args[1], context.Background()
	c, err := api.NewClient(root, login{os.Args[2], os.Args[3]})
	check(err)
	list, err := c.ListEvents(ctx, api.ListEventsParams{PerPage: api.NewOptInt64(3), StartDate: api.NewOptString("2000-01-01")})
	check(err)
	page := answer[api.Events](list)
	if len(page.Events) != 3 || page.Total <= 3 {
		fail("list: %d of %d", len(page.Events), page.Total)
	}
	copied, err := c.SyncCategories(ctx, api.SyncCategoriesParams{})
	check(err)
	if len(answer[api.CategoriesSync](copied).Categories) == 0 {
		fail("no categories in a copy")
	}

	made, err := c.CreateEvent(ctx, &api.CreateEventBody{Title: "Made by ogen", StartDate: "2031-05-01 10:00", EndDate: "2031-05-01 12:00"},
		api.CreateEventParams{})
	check(err)
	id := answer[api.Event](made).ID
	changed, err := c.PatchEvent(ctx, &api.UpdateEventBody{Title: api.NewOptString("Changed by ogen")}, api.PatchEventParams{ID: id})
	check(err)
	if e := answer[api.Event](changed); e.ID != id || e.Title != "Changed by ogen" {
		fail("patch: %d %q", e.ID, e.Title)
	}
	_, err = c.DeleteEvent(ctx, api.DeleteEventParams{ID: 999999999})
	if e, ok := errors.AsType[*api.ErrorStatusCode](err); !ok || e.StatusCode != 404 || e.Response.Code != "rest-event-not-found" {
		fail("delete of nothing: %+v", err)
	}
	gone, err := c.DeleteEvent(ctx, api.DeleteEventParams{ID: id, Force: api.NewOptBool(true)})
	check(err)
	answer[api.Event](gone)
	fmt.Println("ogen: listed, copied, created, updated and deleted at", root)
}

// answer returns the body of an answer. In the generated types, a body may be wrapped together with headers.
func answer[T any](res any) *T {
	switch x := res.(type) {
	case *T:
		return x
	case interface{ GetResponse() T }:
		body := x.GetResponse()
		return &body
	}
	fail("%T", res)
	return nil
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
