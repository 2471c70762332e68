package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/internal/test/must"
)

// named maps parameters whose values must be ids of existing items to the collection of these items, if the name
// determines it.
var named = func() map[string]string {
	all := map[string]string{}
	for _, name := range []string{
		"event", "post", "post_parent", "categories", "tags", "include", "exclude", "author", "image", "image_alt",
		"translation_of",
	} {
		all[name] = ""
	}
	for _, k := range contract.Declared().Linked {
		all[k.Name] = k.Collection
	}
	return all
}()

// TestDocumentedInputIsTaken checks that every documented example of a body is accepted in each of its formats.
// Operations are sorted by id, so items are created before they are needed. The recorded site may lack a resource.
func TestDocumentedInputIsTaken(t *testing.T) {
	t.Parallel()
	recorded := recordedSite(t)
	d := readDocument(t, contract.Handler(t, calendar.Options{DB: recorded}))
	l := newLife(t, copied(t, recorded, "wp_"))
	bodies := 0
	for _, op := range d.operations {
		path, ok := l.pathOf(op)
		if !ok || op.method == http.MethodGet || op.method == http.MethodDelete {
			continue
		}
		bodies += l.takesBodies(op, path, op.method)
	}
	// Bodies are sent in 3 formats by POST, in 2 by PUT and PATCH. A post is created, and updated by its id and by its
	// slug, a term by its id only. A batch is JSON.
	post, term, batch := 3+2*(3+2+2), 3+(3+2+2), 1
	if want := post*(1+len(contract.Declared().Linked)) + term*2 + batch; bodies != want {
		t.Errorf("%d bodies, want %d", bodies, want)
	}
}

// pathOf returns the path of an operation with the id of an existing item.
func (l *life) pathOf(op *apiOperation) (string, bool) {
	if !strings.Contains(op.path, "{") {
		return op.path, true
	}
	list := "/" + strings.Split(op.path, "/")[1]
	query := ""
	if list == "/events" {
		query = "?start_date=2000-01-01"
	}
	answer := l.send("GET", list+query, l.admin, nil, http.StatusOK)
	items, _ := answer[list[1:]].([]any)
	if len(items) == 0 {
		l.t.Errorf("no item in %s", list)
		return "", false
	}
	item := items[0].(map[string]any)
	return strings.NewReplacer("{id}", fmt.Sprintf("%.0f", item["id"]), "{slug}", fmt.Sprint(item["slug"])).Replace(op.path), true
}

// takesBodies sends the documented examples, without ids of items that do not exist, and returns their number.
func (l *life) takesBodies(op *apiOperation, path, method string) (sent int) {
	want := http.StatusOK
	switch {
	case path == "/batch":
		want = http.StatusMultiStatus
	case !strings.Contains(path[1:], "/"):
		want = http.StatusCreated
	}
	body := op.tree["requestBody"].(map[string]any)
	for media, m := range body["content"].(map[string]any) {
		fields := map[string]any{}
		for name, v := range m.(map[string]any)["example"].(map[string]any) {
			collection, isID := named[name]
			own := collection != "" && strings.HasPrefix(path, "/"+collection) // the name of a venue, not its id
			if (own || !isID) && (name != "slug" || want == http.StatusCreated) {
				fields[name] = v
			}
		}
		if _, ok := fields["name"]; ok { // the name must be unique among terms
			fields["name"] = fmt.Sprint("Example of ", method, " ", op.id, " in ", media)
		}
		content, kind := encoded(l.t, media, fields)
		r := httptest.NewRequest(method, contract.Root+path, strings.NewReader(content))
		r.Header.Set("Content-Type", kind)
		r.Header.Set("X-User", l.admin)
		w := httptest.NewRecorder()
		if l.h.ServeHTTP(w, r); w.Code != want {
			l.t.Errorf("%s %s as %s: %d, not %d: %s\n    %s", method, op.id, media, w.Code, want, w.Body, content)
		}
		sent++
	}
	return sent
}

func encoded(t *testing.T, media string, fields map[string]any) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	switch media {
	case "application/json":
		must.Succeed(t, json.NewEncoder(&b).Encode(fields))
	case "multipart/form-data":
		w := multipart.NewWriter(&b)
		for name, v := range fields {
			must.Succeed(t, w.WriteField(name, fmt.Sprint(v)))
		}
		must.Succeed(t, w.Close())
		media = w.FormDataContentType()
	default:
		form := url.Values{}
		for name, v := range fields {
			form.Set(name, fmt.Sprint(v))
		}
		b.WriteString(form.Encode())
	}
	return b.String(), media
}
