package contract

import (
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// typedNames checks that reads and writes of the Go API reject names that are not parameters, whose values would have
// no effect. Requests may contain such names.
func typedNames(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.event(thing{slug: "fair", start: "2030-07-01 10:00"})
	b.open(calendar.Options{})
	ctx, events := t.Context(), b.cal.Kinds().Events
	_, ofList := events.List(ctx, url.Values{"categorys": {"music"}})
	_, ofGet := events.Get(ctx, b.of("fair"), url.Values{"contxt": {"view"}})
	_, ofMonth := b.cal.Month(ctx, 2030, 7, url.Values{"page_": {"2"}})
	var ofAll error
	for _, err := range events.All(ctx, url.Values{"nothing_like_it": {"1"}}) {
		ofAll = err
	}
	as := calendar.WithPrincipal(ctx, callersOf(t, b.DB, b.prefix)["admin"])
	_, ofWrite := events.Create(as, calendar.Values{"title": "A", "start_date": "2030-07-01", "end_date": "2030-07-01", "venu": "Hall"})
	for name, err := range map[string]error{
		"categorys: There is no parameter with this name. Did you mean categories?": ofList,
		"contxt: There is no parameter with this name. Did you mean context?":       ofGet,
		"page_: There is no parameter with this name. Did you mean page?":           ofMonth,
		"nothing_like_it: There is no parameter with this name.":                    ofAll,
		"venu: There is no parameter with this name. Did you mean venue?":           ofWrite,
	} {
		var refused *calendar.Error
		if !errors.As(err, &refused) || refused.Status != 400 || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	visitor := url.Values{"categories[]": {"music"}, "utm_source": {"mail"}, "page": {"1"}, "_fields": {"id"}}
	want := url.Values{"categories[]": {"music"}, "page": {"1"}, "_fields": {"id"}}
	for name, got := range map[string]url.Values{"Known": calendar.Known(visitor), "Kind.Known": events.Known(visitor)} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s returns %v", name, got)
		}
	}
	if calendar.Known(nil) != nil || len(visitor) != 4 {
		t.Error("the query was changed")
	}
	if a := b.Do("", "GET", "/events?start_date=2030-01-01&categorys=music", ""); a.Status != 200 {
		t.Errorf("a request is answered with %d", a.Status)
	}
}
