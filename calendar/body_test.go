package calendar_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/contract"
)

var asJSON = header{"Content-Type", "application/json"}

// TestJSONOnGet: a JSON body counts on reads too, before the query.
func TestJSONOnGet(t *testing.T) {
	h := siteHandler(t)
	list := "/events?" + everything + "&per_page=2"
	for body, want := range map[string]int{
		`{"per_page":1}`: 1, ` {"per_page": 3 } `: 3, `{"per_page":"4"}`: 4, `{"per_page":1,"per_page":5}`: 5, `{"other":1}`: 2,
		`{}`: 2, `[]`: 2, `[1,2]`: 2, `0`: 2, `null`: 2, ``: 2,
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := send(h, method, list, body, asJSON)
			if w.Code != http.StatusOK || method == http.MethodGet && len(decode(t, w).Events) != want {
				t.Errorf("%s %s: %d %.200s, want %d events", method, body, w.Code, w.Body, want)
			}
		}
	}
	for _, media := range []string{
		"application/json; charset=latin1", "APPLICATION/JSON", "application/vnd.api+json", "text/plain, application/json",
		"application/json;charset=UTF-8;x",
	} {
		if n := len(decode(t, send(h, http.MethodGet, list, `{"per_page":1}`, header{"Content-Type", media})).Events); n != 1 {
			t.Errorf("%s: the body does not count", media)
		}
	}
	for _, media := range []string{
		"", "text/plain", "text/json", "application/jsonp", "application/xml", "application/x-www-form-urlencoded",
		"multipart/form-data; boundary=x", ";;",
	} {
		for _, body := range []string{`{"per_page":1}`, "per_page=1", "{", "5"} {
			w := send(h, http.MethodGet, list, body, header{"Content-Type", media})
			if w.Code != http.StatusOK || len(decode(t, w).Events) != 2 {
				t.Errorf("%q: the body %s counts: %d", media, body, w.Code)
			}
		}
	}
	if a := decode(t, send(h, http.MethodGet, "/events/25", `{"id":26,"slug":"x"}`, asJSON)); a.ID != 25 {
		t.Errorf("D1 an id in the body led to %d", a.ID)
	}
}

// phpSays is what PHP calls the errors of JSON, by their codes.
var phpSays = map[int]string{
	1: "Maximum stack depth exceeded", 4: "Syntax error", 5: "Malformed UTF-8 characters, possibly incorrectly encoded",
}

func TestJSONErrors(t *testing.T) {
	h := siteHandler(t)
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for body, code := range map[string]int{
		`{`: 4, `{"a":1,}`: 4, `[1,]`: 4, `{'a':1}`: 4, `{"a" 1}`: 4, `{"a":1} x`: 4, `{}{}`: 4, `nul`: 4, ` `: 4, "\n\t": 4, "\ufeff{}": 4,
		`{"a":01}`: 4, `{1:2}`: 4, "{\"a\":\"\x01\"}": 4, `"`: 4, `]`: 4, `[1 2]`: 4, "{\"a\":\"\x00\"}": 4,
		"{\"a\":\"\xff\"}": 5, "\xc3\x28": 5, "{\"\xed\xa0\x80\":1}": 5,
		nested(512): 1, nested(9000): 1, strings.Repeat("[", 100000): 1, strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600): 1,
	} {
		for _, path := range []string{"/events", "/events/25", "/venues/by-slug/" + venueSlug, "/categories", "/doc", ""} {
			w := send(h, http.MethodGet, path, body, asJSON)
			a := wantError(t, w, http.StatusBadRequest, "rest_invalid_json")
			if a.Data.Error != code || !strings.Contains(w.Body.String(), `"json_error_message":"`+phpSays[code]+`"`) ||
				w.Header().Get("Allow") != offered {
				t.Errorf("%.40q: %s, Allow %q, want code %d", body, w.Body, w.Header().Get("Allow"), code)
			}
		}
	}
	for _, body := range []string{nested(511), strings.Repeat(`{"a":`, 511) + "1" + strings.Repeat("}", 511),
		`{"a":{"b":[1,{"c":null}]}}`} {
		if w := send(h, http.MethodGet, "/events", body, asJSON); w.Code != http.StatusOK {
			t.Errorf("%.40s: %d %s", body, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/events/25", "/events/999999"} {
		if w := send(h, http.MethodOptions, path, "{", asJSON); w.Code != http.StatusOK {
			t.Errorf("OPTIONS reads its body: %d %s", w.Code, w.Body)
		}
	}
	wantError(t, send(h, http.MethodGet, "/nothing", "{", asJSON), http.StatusNotFound, "rest_no_route")
}

// TestD22Scalars: a bare scalar as the body of a read is refused.
func TestD22Scalars(t *testing.T) {
	h := siteHandler(t)
	for _, body := range []string{`5`, `-1`, `1.5`, `"s"`, `""`, `true`, `false`, `1e3`, `12345678901234567890`} {
		for _, r := range routes {
			w := send(h, http.MethodGet, r.path, body, asJSON)
			wantError(t, w, http.StatusBadRequest, "rest_invalid_json")
			if w.Header().Get("Allow") != offered {
				t.Errorf("%s: Allow %q", r.path, w.Header().Get("Allow"))
			}
		}
	}
}

// TestD22TypeSlips: what has the wrong form is refused, never a crash.
func TestD22TypeSlips(t *testing.T) {
	h := siteHandler(t)
	for _, address := range []string{
		"/events?categories[][x]=1", "/events?tags[a][b][c]=1", "/events?venue[][]=8", "/events?include[x][y]=25",
		"/events/46?password[]=sesam",
		"/events/by-slug/" + eventSlug + "?password[]=x", "/venues/8?password[x]=1", "/venues?search[]=x", "/events?search[][]=x",
		"/?namespace[]=x",
		"/events?start_date[]=2031-01-01", "/events?strict_dates[]=1", "/events?page[]=1", "/events?per_page[x]=1", "/events?featured[]=1",
		"/events?orderby[]=title", "/categories?slug[]=x", "/categories?orderby[]=id", "/tags?hide_empty[]=1", "/events?status[][]=publish",
		"/events?i18n_language[]=nl", "/events?geoloc_lat[]=1&geoloc_lng=1", "/events?post_parent[]=25", "/venues?event[]=25",
	} {
		wantError(t, get(h, address), http.StatusBadRequest, "rest_invalid_param")
	}
	for _, body := range []string{
		`{"categories":[[1]]}`, `{"categories":{"a":{"b":1}}}`, `{"search":["x"]}`, `{"search":null}`, `{"page":null}`, `{"page":{}}`,
		`{"page":true}`, `{"per_page":1.5}`,
		`{"featured":2}`, `{"featured":"yes"}`, `{"start_date":{}}`, `{"i18n_language":["nl"]}`, `{"i18n_language":1}`, `{"search":5}`,
		`{"include":[[25]]}`,
	} {
		w := send(h, http.MethodGet, "/events", body, asJSON)
		wantError(t, w, http.StatusBadRequest, "rest_invalid_param")
	}
}

// TestBodyTooLarge: a body over one mebibyte is not read to its end.
func TestBodyTooLarge(t *testing.T) {
	h := siteHandler(t)
	const limit = 1 << 20
	fill := func(n int) string { return `{"x":"` + strings.Repeat("a", n-8) + `"}` }
	if w := send(h, http.MethodGet, "/events/25", fill(limit), asJSON); w.Code != http.StatusOK {
		t.Errorf("a body of the limit: %d %.200s", w.Code, w.Body)
	}
	for _, path := range []string{"/events/25", "/events", "/tags/17"} {
		w := send(h, http.MethodGet, path, fill(limit+1), asJSON)
		wantError(t, w, http.StatusRequestEntityTooLarge, "rest_body_too_large")
		if w.Header().Get("Allow") != offered {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
	endless := &counting{r: endlessBlanks{}}
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/events/25", endless)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	wantError(t, w, http.StatusRequestEntityTooLarge, "rest_body_too_large")
	if endless.n > limit+64<<10 {
		t.Errorf("%d bytes of an endless body were read", endless.n)
	}
	if w := send(h, http.MethodGet, "/events/25", fill(4*limit), header{"Content-Type", "text/plain"}); w.Code != http.StatusOK {
		t.Errorf("a body that does not count: %d", w.Code)
	}
}

type endlessBlanks struct{}

func (endlessBlanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

type counting struct {
	r io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// TestUnreadableBody: a body that a limit of the host cuts off, or that breaks
// off, is the caller's mistake.
func TestUnreadableBody(t *testing.T) {
	h := siteHandler(t)
	limited := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 10)
		h.ServeHTTP(w, r)
	})
	wantError(t, send(limited, http.MethodGet, "/events/25", `{"per_page":1}`, asJSON), http.StatusRequestEntityTooLarge,
		"rest_body_too_large")
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/events/25", io.MultiReader(strings.NewReader(`{"a":`), broken{}))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	wantError(t, w, http.StatusBadRequest, "rest_invalid_body")
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
