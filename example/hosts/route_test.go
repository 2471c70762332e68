package hosts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/hosts"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// The worked example: replies to events, as a client of the API sees it.
func TestRSVP(t *testing.T) {
	replies := &hosts.RSVPs{}
	s := calendartest.New(t, func(o *calendar.Options) {
		replies.DB, replies.Now = o.DB, o.Now
		o.Routes = []calendar.Route{replies.Route()}
	})
	replies.Calendar = s.Calendar
	must.Succeed(t, replies.Install(t.Context()))
	rsvp := func(id int, query, body string) string {
		status, answer := sendRequest(t, s, "", "POST", fmt.Sprint("/events/", id, "/rsvp", query), body)
		return fmt.Sprint(status, " ", answer)
	}
	for _, c := range []struct {
		id                int
		query, body, want string
	}{
		{calendartest.EventJazz, "", `{"email":"Ada@example.org"}`, `201 {"event":8,"guests":1}`},
		{calendartest.EventJazz, "", `{"email":"ada@example.org","guests":3}`, `201 {"event":8,"guests":3}`},
		{calendartest.EventJazz, "?guests=2&email=bob@example.org", "", `201 {"event":8,"guests":5}`},
		{calendartest.EventJazz, "", `{"guests":1}`, `400 {"code":"rest_missing_callback_param","message":"Missing parameter: email"`},
		{calendartest.EventJazz, "", `{"email":"a@b.example","guests":11}`, `"params":{"guests":"Use a number of at most 10."}`},
		{calendartest.EventJazz, "?i18n_language=nl", `{"email":"ada"}`, `Gebruik een e-mailadres.`},
		{calendartest.EventJazz, "?i18n_language=fr", `{"email":"ada","guests":99}`, `"params":{"guests":"Utilisez un nombre`},
		{calendartest.EventFair, "?i18n_language=nl", `{"email":"a@b.example"}`,
			`409 {"code":"event_over","message":"Het evenement is voorbij.","data":{"status":409}}`},
		{999, "?i18n_language=nl", `{"email":"a@b.example"}`, `404 {"code":"rest-event-not-found","message":"Er is geen evenement`},
		{calendartest.EventWalk, "", `{"email":"a@b.example"}`, `403 {"code":"event-not-accessible"`},
	} {
		if got := rsvp(c.id, c.query, c.body); !strings.Contains(got, c.want) {
			t.Errorf("%d%s %s: %s, want %s", c.id, c.query, c.body, got, c.want)
		}
	}
	if status, _ := sendRequest(t, s, calendartest.Author, "POST", fmt.Sprint("/events/", calendartest.EventWalk, "/rsvp"),
		`{"email":"arthur@example.org"}`); status != 201 {
		t.Errorf("the author of a draft: %d", status)
	}
	_, index := sendRequest(t, s, "", "GET", "/?i18n_language=nl", "")
	for _, want := range []string{`/events/(?P<id>\\d+)/rsvp":{`, `"id":{"description":"Het evenement.","type":"integer","required":true}`,
		`"email":{"description":"Who comes.","type":"string","required":true}`, `"default":1`} {
		if !strings.Contains(index, want) {
			t.Errorf("the index lacks %s: %s", want, index[strings.Index(index, "/rsvp"):])
		}
	}
	checkDocument(t, s, "Meldt iemand aan voor een evenement.")
}

// checkDocument checks the description of the example's route in the OpenAPI document.
func checkDocument(t *testing.T, s *calendartest.Site, summary string) {
	t.Helper()
	_, text := sendRequest(t, s, "", "GET", "/doc?i18n_language=nl", "")
	doc := must.Get(openapi3.NewLoader().LoadFromData([]byte(text)))(t)
	path := doc.Paths.Value("/events/{id}/rsvp")
	if path == nil || path.Post == nil || path.Post.Summary != summary || path.Post.Responses.Value("201") == nil {
		t.Fatalf("the document has %+v", path)
	}
	answer := path.Post.Responses.Value("201").Value.Content["application/json"].Schema.Value
	if !answer.Properties["guests"].Value.Type.Is("integer") {
		t.Errorf("the answer: %+v", answer.Properties)
	}
	body := path.Post.RequestBody.Value.Content["application/json"].Schema.Value
	if !slices.Contains(body.Required, "email") || body.Properties["id"] != nil || !body.Properties["guests"].Value.Type.Is("integer") {
		t.Errorf("the body: %+v", body)
	}
}

func float64Pointer(n float64) *float64 { return &n }

// echo returns a route that answers with its parameters, one of each type.
func echo(method, path string) calendar.Route {
	return calendar.Route{
		Method: method, Path: path, Description: "Says it again.",
		Params: []calendar.Param{
			{Name: "word", Type: calendar.FieldText, Max: float64Pointer(5), Description: "A word."},
			{Name: "n", Type: calendar.FieldInteger, Min: float64Pointer(-3), Description: "A number."},
			{Name: "x", Type: calendar.FieldNumber, Max: float64Pointer(1.5), Default: 0.5, Description: "Any number."},
			{Name: "on", Type: calendar.FieldYesNo, Description: "A switch."},
			{Name: "day", Type: calendar.FieldDate, Description: "A day."},
			{Name: "side", Type: calendar.FieldChoice, Choices: []string{"left", "right"}, Default: "left", Description: "A side."},
			{Name: "names", Type: calendar.FieldList, Max: float64Pointer(2), Description: "Names."},
		},
		Handle: func(ctx context.Context, r *calendar.RouteRequest) (any, error) {
			end, _ := ctx.Deadline()
			return map[string]any{
				"word": r.Text("word"), "n": r.Int("n"), "x": r.Number("x"), "on": r.Bool("on"), "day": r.Text("day"),
				"side": r.Text("side"), "names": r.List("names"), "by": r.Principal.Login, "in": r.Language, "given": r.Given("n"),
				"bound": !end.IsZero(),
			}, nil
		},
	}
}

// A route has the callers, parameters, limits and errors of the API, on gin too.
func TestRoutes(t *testing.T) {
	failing := func(path string, err error) calendar.Route {
		handle := func(context.Context, *calendar.RouteRequest) (any, error) { return nil, err }
		return calendar.Route{Method: "GET", Path: path, Description: "Fails.", Handle: handle}
	}
	var observed []string
	edit, put := echo("PUT", "/echo/{word}"), echo("PATCH", "/echo/{word}")
	edit.Permits = func(p calendar.Principal) bool { return p.Can("edit_others_tribe_events") }
	put.MaxBody, put.Timeout = 100, time.Minute
	nested := echo("GET", "/{n}/of/{word}")
	s := calendartest.New(t, func(o *calendar.Options) {
		o.Hooks.Observe = func(_ context.Context, seen calendar.Observation) {
			observed = append(observed, fmt.Sprint(seen.Method, " ", seen.Route, " ", seen.Status))
		}
		o.Routes = []calendar.Route{
			echo("GET", "/echo"), echo("POST", "/echo"), edit, put, nested,
			failing("/events/secret", errors.New("the password is 1234")),
			failing("/events/forbidden", calendar.ErrForbidden), failing("/events/odd", &calendar.Refusal{Status: 200}),
		}
	})
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	must.Succeed(t, s.Calendar.Register(router))
	router.NoRoute(s.Calendar.NoRoute)
	root := s.URL[strings.Index(s.URL, "/wp-json"):]
	golden.Each(t, "routes.txt", func(as, method, path, sent, want string) {
		sent = strings.ReplaceAll(sent, "{long}", strings.Repeat("x", 100))
		status, body := sendRequest(t, s, as, method, path, sent)
		if got := fmt.Sprint(status, " ", body); !strings.Contains(got, want) || strings.Contains(got, "1234") {
			t.Errorf("%s %s %s: %s, want %s", method, path, sent, got, want)
		}
		r := httptest.NewRequest(method, root+path, strings.NewReader(sent))
		if sent != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		if as != "" {
			r.Header.Set("Authorization", calendartest.Authorization(as))
		}
		w := httptest.NewRecorder()
		router.ServeHTTP(w, r)
		if got := fmt.Sprint(w.Code, " ", w.Body); w.Code != status || !strings.Contains(got, want) {
			t.Errorf("%s %s on gin: %s, want %s", method, path, got, want)
		}
	})
	for _, method := range []string{http.MethodHead, http.MethodOptions} {
		r := httptest.NewRequest(method, root+"/echo", nil)
		r.Header.Set("Origin", "https://other.example")
		w := httptest.NewRecorder()
		s.Handler.ServeHTTP(w, r)
		if w.Code != 200 || w.Header().Get("Allow") != "GET, POST" || w.Header().Get("Access-Control-Allow-Origin") == "" {
			t.Errorf("%s: %d %v", method, w.Code, w.Header())
		}
	}
	if !slices.Contains(observed, "GET /echo 200") || !slices.Contains(observed, "PUT /echo/{word} 403") {
		t.Errorf("observed %q", observed)
	}
	answer, err := s.Calendar.Do(t.Context(), "POST", "/echo", nil, json.RawMessage(`{"n":5}`))
	if err != nil || !strings.Contains(string(answer), `"n":5`) {
		t.Errorf("by Do: %s %v", answer, err)
	}
}

// A handler reads and writes as its caller. Its writes in Transaction are one transaction, and part of the transaction
// in which Do calls it. Calls of another calendar with the same context are not part of it.
func TestRouteTransactions(t *testing.T) {
	var s, other *calendartest.Site
	route := calendar.Route{
		Method: "POST", Path: "/fairs", Description: "Makes fairs.",
		Params: []calendar.Param{{Name: "names", Type: calendar.FieldList, Required: true, Description: "Their names."},
			{Name: "elsewhere", Type: calendar.FieldYesNo, Description: "Whether to count those of the other calendar."}},
		Handle: func(ctx context.Context, r *calendar.RouteRequest) (any, error) {
			made := 0
			err := s.Calendar.Transaction(ctx, func(ctx context.Context) error {
				made = 0
				for _, name := range r.List("names") {
					if _, err := s.Calendar.Kinds().Tags.Create(ctx, calendar.Values{"name": name}); err != nil {
						return err
					}
					made++
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			if !r.Bool("elsewhere") {
				return made, nil
			}
			page, err := other.Calendar.Kinds().Tags.List(ctx, map[string][]string{"hide_empty": {"false"}})
			if err != nil {
				return nil, err
			}
			return map[string]any{"made": made, "elsewhere": page.Total}, nil
		},
	}
	s, other = calendartest.New(t, func(o *calendar.Options) { o.Routes = []calendar.Route{route} }), calendartest.New(t)
	tags := func() string {
		_, list := sendRequest(t, s, "", "GET", "/tags?hide_empty=false&_fields=tags.0.slug,total", "")
		return list
	}
	before := tags()
	status, body := sendRequest(t, s, calendartest.Editor, "POST", "/fairs", `{"names":["One","ONE"]}`)
	if status != 400 || !strings.Contains(body, "term_exists") || !strings.Contains(body, `"term_id":`) || tags() != before {
		t.Errorf("the second is refused: %d %s %s", status, body, tags())
	}
	if status, body = sendRequest(t, s, "", "POST", "/fairs", `{"names":["One"]}`); status != 401 || tags() != before {
		t.Errorf("nobody: %d %s", status, body)
	}
	status, body = sendRequest(t, s, calendartest.Administrator, "POST", "/fairs", `{"names":["One","Two"],"elsewhere":true}`)
	if status != 200 || tags() == before {
		t.Errorf("%d %s", status, body)
	}
	if body != `{"elsewhere":2,"made":2}` {
		t.Errorf("answered %s", body)
	}
	before = tags()
	ctx := calendar.WithPrincipal(t.Context(), calendar.Principal{UserID: calendartest.AdministratorID})
	undone := errors.New("undone")
	err := s.Calendar.Transaction(ctx, func(ctx context.Context) error {
		if _, err := s.Calendar.Do(ctx, "POST", "/fairs", nil, map[string]any{"names": []string{"Three"}}); err != nil {
			return err
		}
		return undone
	})
	if !errors.Is(err, undone) || tags() != before {
		t.Errorf("within a transaction that ends: %v, %s", err, tags())
	}
	err = other.Calendar.Transaction(ctx, func(ctx context.Context) error {
		if _, err := s.Calendar.Do(ctx, "POST", "/fairs", nil, map[string]any{"names": []string{"Four"}}); err != nil {
			return err
		}
		return undone
	})
	if !errors.Is(err, undone) || tags() == before {
		t.Errorf("within a transaction of another calendar: %v, %s", err, tags())
	}
}

// A wrong declaration is reported by name at the start.
func TestWrongRoutes(t *testing.T) {
	s := calendartest.New(t)
	right := echo("GET", "/echo")
	for want, change := range map[string]func(r *calendar.Route){
		"Routes[0]  /echo: Method":                             func(r *calendar.Route) { r.Method = "" },
		"Routes[0] LINK /echo: Method":                         func(r *calendar.Route) { r.Method = "LINK" },
		"Handle is missing":                                    func(r *calendar.Route) { r.Handle = nil },
		"Description is missing":                               func(r *calendar.Route) { r.Description = "" },
		"Path: use one such as":                                func(r *calendar.Route) { r.Path = "echo" },
		`Path: "é": use`:                                       func(r *calendar.Route) { r.Path = "/é" },
		"the path belongs to the API: /events/{id}":            func(r *calendar.Route) { r.Path = "/Events/12/" },
		"the path belongs to the API: /venues":                 func(r *calendar.Route) { r.Method, r.Path = "PUT", "/venues" },
		"the path belongs to the API: /batch":                  func(r *calendar.Route) { r.Path = "/batch" },
		"the path belongs to the API: /events/by-slug/":        func(r *calendar.Route) { r.Path = "/events/by-slug/x" },
		"the path belongs to the API: /doc":                    func(r *calendar.Route) { r.Path = "/{word}" },
		"the variable {nothing} is not in Params":              func(r *calendar.Route) { r.Path = "/echo/{nothing}" },
		"the variable {on} must be a":                          func(r *calendar.Route) { r.Path = "/echo/{on}" },
		"the variable {word} occurs twice":                     func(r *calendar.Route) { r.Path = "/{word}/{word}/x/y" },
		`the parameter "word": another one`:                    func(r *calendar.Route) { r.Params = append(r.Params, r.Params[0]) },
		`the parameter "i18n_language": the name belongs`:      func(r *calendar.Route) { r.Params[0].Name = "i18n_language" },
		`the parameter "_fields": use lower-case`:              func(r *calendar.Route) { r.Params[0].Name = "_fields" },
		`the parameter "word": Type "blob"`:                    func(r *calendar.Route) { r.Params[0].Type = "blob" },
		`the parameter "side": only a choice can have Choices`: func(r *calendar.Route) { r.Params[5].Choices = nil },
		`the parameter "n": Min is greater`:                    func(r *calendar.Route) { r.Params[1].Max = float64Pointer(-9) },
		`the parameter "n": Default no: it is not a value`:     func(r *calendar.Route) { r.Params[1].Default = "no" },
		`the parameter "x": Example 2: it is not a value`:      func(r *calendar.Route) { r.Params[2].Example = 2 },
		`the parameter "x": it is required and has`:            func(r *calendar.Route) { r.Params[2].Required = true },
	} {
		o, r := s.Options, right
		r.Params = slices.Clone(right.Params)
		change(&r)
		o.Routes = []calendar.Route{r}
		if _, err := calendar.New(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	o := s.Options
	for want, others := range map[string][]calendar.Route{
		"Routes[1] GET /echo: another route has":    {right, right},
		"Routes[1] GET /echo/{word}: another route": {echo("GET", "/echo/{n}"), echo("GET", "/echo/{word}")},
		"write it like /echo":                       {right, echo("POST", "/ECHO")},
	} {
		o.Routes = others
		if _, err := calendar.New(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// everything contains parameters of each type.
type everything struct {
	Word   string    `param:"word" max:"5" default:"none" doc:"A word: doc-nl:x." doc-nl:"Een woord."`
	N      int64     `param:"n,required" min:"-3" doc:"A number."`
	X      float64   `param:"x" max:"1.5" default:"0.5" example:"1" doc:"A fraction."`
	On     bool      `param:"on" doc:"On or off."`
	Day    time.Time `param:"day" doc:"A day."`
	Side   string    `param:"side" choices:"left,right" default:"left" doc:"A side."`
	Names  []string  `param:"names" doc:"Names."`
	Others int       `param:"-" json:"Others"`
}

// TestRouteFor checks that a struct declares the parameters of a route, and contains their values when the route is
// called.
func TestRouteFor(t *testing.T) {
	s := calendartest.New(t, func(o *calendar.Options) {
		o.Routes = []calendar.Route{calendar.RouteFor(calendar.Route{Method: "GET", Path: "/all/{n}", Description: "All."},
			func(_ context.Context, _ *calendar.RouteRequest, p everything) (any, error) { return p, nil })}
	})
	for path, want := range map[string]string{
		"/all/7": `200 {"Word":"none","N":7,"X":0.5,"On":false,"Day":"0001-01-01T00:00:00Z","Side":"left","Names":null,"Others":0}`,
		"/all/0?word=a&x=-2&on=1&day=2031-05-01&side=right&names=a,b": `200 {"Word":"a","N":0,"X":-2,"On":true,` +
			`"Day":"2031-05-01T00:00:00Z","Side":"right","Names":["a","b"],"Others":0}`,
		"/all/7?word=longer":    `400 {"code":"rest_invalid_param"`,
		"/all/7?x=2":            `400 {"code":"rest_invalid_param"`,
		"/all/7?day=2031-02-30": `400 {"code":"rest_invalid_param"`,
	} {
		status, answer := sendRequest(t, s, "", "GET", path, "")
		if got := fmt.Sprint(status, " ", answer); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if _, index := sendRequest(t, s, "", "GET", "/?i18n_language=nl", ""); !strings.Contains(index, `"word":{"description":"Een woord."`) {
		t.Errorf("the index says nothing in Dutch of the word")
	}
	for want, route := range map[string]calendar.Route{
		"the field A of struct": calendar.RouteFor(plainRoute(), handles[struct {
			A int `param:"a" doc:"A."`
		}]),
		"it is not exported": calendar.RouteFor(plainRoute(), handles[struct {
			a string `param:"a" doc:"A."`
		}]),
		`the tag max: "many" is not a number`: calendar.RouteFor(plainRoute(), handles[struct {
			A string `param:"a" max:"many" doc:"A."`
		}]),
		`the tag default: "x" is not a value`: calendar.RouteFor(plainRoute(), handles[struct {
			A bool `param:"a" default:"x" doc:"A."`
		}]),
		"the tag parm is unknown": calendar.RouteFor(plainRoute(), handles[struct {
			A string `parm:"a" doc:"A."`
		}]),
		"the tag maximum is unknown": calendar.RouteFor(plainRoute(), handles[struct {
			A string `param:"a" maximum:"10" doc:"A."`
		}]),
		"the field A of struct { A string }: it has no tag param": calendar.RouteFor(plainRoute(), handles[struct{ A string }]),
		`has "requird" after the name`: calendar.RouteFor(plainRoute(), handles[struct {
			A string `param:"a,requird" doc:"A."`
		}]),
		`the parameter "A": use lower-case`: calendar.RouteFor(plainRoute(), handles[struct {
			A string `param:"A" doc:"A."`
		}]),
		"Description is missing": calendar.RouteFor(plainRoute(), handles[struct {
			A string `param:"a"`
		}]),
		"use a struct":      calendar.RouteFor(plainRoute(), handles[string]),
		"Handle is missing": calendar.RouteFor[everything](plainRoute(), nil),
	} {
		o := s.Options
		o.Routes = []calendar.Route{route}
		if _, err := calendar.New(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

func plainRoute() calendar.Route {
	return calendar.Route{Method: "GET", Path: "/plain", Description: "Plain."}
}

func handles[P any](context.Context, *calendar.RouteRequest, P) (any, error) { return nil, nil }
