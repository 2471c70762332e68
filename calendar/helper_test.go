package calendar_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// namespace is the path of the recorded site's API below a root.
const namespace = "tribe/events/v1"

// everything is a filter that matches all 116 public events of the recorded site.
const everything = "start_date=2018-01-01&end_date=2036-01-01"

// Public items of the recorded site.
const (
	eventID, eventSlug         = "25", "blues-rock-roll-zomer-1"
	venueID, venueSlug         = "8", "de-vooruit-co"
	organizerID, organizerSlug = "18", "ville-de-liege"
	categoryID, tagID          = "6", "17"
)

// frozen is the clock of the tests: the time at which the index was recorded.
func frozen() time.Time { return time.Date(2026, 11, 21, 5, 41, 58, 0, time.UTC) }

// quiet returns a logger that discards everything.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// siteHandler returns the handler of a calendar on the recorded site, whose clock is frozen.
func siteHandler(t *testing.T, change ...func(*calendar.Options)) http.Handler {
	t.Helper()
	opts := calendar.Options{DB: testdb.SiteA(t), Now: frozen}
	for _, f := range change {
		f(&opts)
	}
	return contract.Handler(t, opts)
}

type header struct{ name, value string }

// send sends a request. An address without a host is below the namespace of the recorded site.
func send(h http.Handler, method, address, body string, headers ...header) *httptest.ResponseRecorder {
	var pairs []string
	for _, x := range headers {
		pairs = append(pairs, x.name, x.value)
	}
	return apitest.Send(context.Background(), h, method, address, body, pairs...)
}

func get(h http.Handler, address string, headers ...header) *httptest.ResponseRecorder {
	return send(h, http.MethodGet, address, "", headers...)
}

// answer contains the members of a body that most tests check.
type answer struct {
	Code    string
	Message string
	Data    struct {
		Status  int
		Params  any
		Details any
		Error   int `json:"json_error_code"`
	}
	ID     int64
	Events []struct{ ID int64 }
	Total  int64
}

func decode(t *testing.T, w *httptest.ResponseRecorder) answer {
	t.Helper()
	var a answer
	parse(t, w.Body.String(), &a)
	return a
}

func parse(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %.300q", err, text)
	}
}

// wantStatus checks the status of an answer. about says which one it is, if the line does not.
func wantStatus(t *testing.T, w *httptest.ResponseRecorder, status int, about ...any) {
	t.Helper()
	if w.Code != status {
		t.Errorf("%v answered %d %.300s, want %d", about, w.Code, w.Body, status)
	}
}

// wantError checks that an answer is an error in the API's form.
func wantError(t *testing.T, w *httptest.ResponseRecorder, status int, code string) answer {
	t.Helper()
	a := decode(t, w)
	if w.Code != status || a.Code != code || a.Data.Status != status || a.Message == "" {
		t.Errorf("answered %d %.300s, want %d %s", w.Code, w.Body, status, code)
	}
	return a
}

// keys returns the names of an object's members in their order.
func keys(t *testing.T, text string) []string {
	t.Helper()
	list := apitest.Answer{Text: text}.Keys()
	if list == nil {
		t.Fatalf("no object: %.100q", text)
	}
	return list
}

// mounted creates a calendar and registers it on a router.
func mounted(t *testing.T, router gin.IRouter, opts calendar.Options) *calendar.Calendar {
	t.Helper()
	c := made(t, opts)
	must.Succeed(t, c.Register(router))
	return c
}

func made(t *testing.T, opts calendar.Options) *calendar.Calendar {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	if opts.Logger == nil {
		opts.Logger = quiet()
	}
	return must.Get(calendar.New(context.Background(), opts))(t)
}

func exec(t *testing.T, db *bun.DB, statement string, args ...any) {
	t.Helper()
	must.Get(db.NewRaw(statement, args...).Exec(t.Context()))(t)
}

// decodeAny is like decode, but ignores what is not JSON of this form.
func decodeAny(w *httptest.ResponseRecorder) (a answer) {
	_ = json.Unmarshal(w.Body.Bytes(), &a)
	return a
}

// lines returns the headers in the order of their names, one string for each.
func lines(h http.Header) []string {
	var list []string
	for name, values := range h {
		list = append(list, name+": "+strings.Join(values, "; "))
	}
	slices.Sort(list)
	return list
}

func wantNoRoute(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := get(h, path)
	a := decodeAny(w)
	if w.Code != http.StatusNotFound || a.Code != "rest_no_route" {
		t.Errorf("%s: %d %.200s, want rest_no_route", path, w.Code, w.Body)
	}
	return w
}
