package contract

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// filesRefused checks that a file in a multipart body is rejected with the name of its field if nothing stores it, and
// that nothing is written in this case (D74).
func filesRefused(t *testing.T, e Engine) {
	const prefix = "files_"
	host := e.Copy(t, prefix)
	db := must.Get(schema.Bind(ofOthers(t, host), prefix))(t)
	c := newClient(t, calendar.Options{
		DB: host, Site: calendar.Site{Prefix: prefix}, Authenticator: callersOf(t, db, prefix),
		Now: func() time.Time { return recordedDay },
	})
	state := func() string {
		return c.Get("admin", "/events?per_page=1").At("total") + c.Get("admin", "/venues?per_page=1").At("total") +
			c.Get("admin", "/events/25").Text + c.Get("admin", "/venues/7").Text
	}
	before := state()
	part := func(header, value string) string {
		return "--b\r\nContent-Disposition: form-data; " + header + "\r\n\r\n" + value + "\r\n"
	}
	fields := part(`name="title"`, "T") + part(`name="venue"`, "V") + part(`name="start_date"`, "2031-01-01") +
		part(`name="end_date"`, "2031-01-01")
	for _, path := range []string{"/events", "/events/25", "/events/by-slug/blues-rock-roll-zomer-1", "/venues", "/venues/7"} {
		for header, field := range map[string]string{
			`name="image"; filename="a.png"`: "image", `name="flyer"; filename="a.pdf"`: "flyer", `filename="a"`: "file",
			`name="` + strings.Repeat("x", 200) + `"; filename="a"`: "file",
		} {
			a := c.Do("admin", "POST", path, fields+part(header, "\x89PNG")+"--b--\r\n", "Content-Type", "multipart/form-data; boundary=b")
			if a.Verdict() != "400 rest_invalid_param" || a.Fault(field) == "" {
				t.Errorf("%s with %s: %s", path, header, a.Summary())
			}
		}
	}
	if state() != before {
		t.Error("a refused request wrote something")
	}
	c.Must(http.StatusCreated, "admin", "POST", "/venues", fields+"--b--\r\n", "Content-Type", "multipart/form-data; boundary=b")
}

// file is a file of a form.
type file struct{ field, name, content string }

// formWith returns a form with pairs of name and text, followed by files, and its media type.
func formWith(fields []string, files ...file) (body, media string) {
	var b strings.Builder
	f := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = f.WriteField(fields[i], fields[i+1]) // writing to a buffer cannot fail
	}
	for _, file := range files {
		part, _ := f.CreateFormFile(file.field, file.name)
		_, _ = part.Write([]byte(file.content))
	}
	_ = f.Close()
	return b.String(), f.FormDataContentType()
}

// filesStored checks that the image of an item is stored when it is sent as a file, and which files are rejected (D74).
func filesStored(t *testing.T, e Engine) {
	const largest, body = 3000, 2000
	b := newBench(t, e)
	b.open(calendar.Options{Limits: calendar.Limits{MaxBody: body}, Uploads: calendar.Uploads{
		Dir: b.uploads, BaseURL: Site + "/wp-content/uploads", MaxBytes: largest,
	}})
	picture := pictureOf(t, 310, 12)
	send := func(as, path string, fields []string, files []file, headers ...string) apitest.Answer {
		body, media := formWith(fields, files...)
		return b.Do(as, "POST", path, body, append(headers, "Content-Type", media)...)
	}
	event := []string{"title", "Feast", "start_date", "2031-01-01", "end_date", "2031-01-01"}
	venue := []string{"venue", "Hall"}
	named := func(content string) []file { return []file{{"image", "a.png", content}} }
	photo := []file{{"image", `../Été "1".php`, picture}}
	was := len(b.files())
	for _, c := range []struct {
		name, path string
		fields     []string
	}{
		{"event", "/events", event}, {"venue", "/venues", venue}, {"organizer", "/organizers", []string{"organizer", "Friends"}},
		{"", "/events/{event}", nil}, {"", "/events/by-slug/feast", []string{"title", "Feast"}}, {"", "/venues/{venue}", nil},
		{"", "/organizers/by-slug/friends", nil},
	} {
		a := send("admin", b.fill(c.path), c.fields, photo)
		if a.Status/100 != 2 {
			t.Fatalf("%s: %s", c.path, a.Summary())
		}
		if c.name != "" {
			b.id[c.name] = a.ID()
		}
		id := a.At("image", "id")
		row := b.Scan("SELECT post_mime_type FROM ?(prefix)posts WHERE post_type = 'attachment' AND post_author = 1 AND ID = " + id)
		stored := b.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE meta_key = '_wp_attached_file' AND post_id = " + id)
		others := b.Scan("SELECT COUNT(*) FROM ?(prefix)postmeta WHERE meta_key IN ('_wp_attached_file', '_wp_attachment_metadata') " +
			"AND post_id = " + id)
		all := b.Scan("SELECT COUNT(*) FROM ?(prefix)postmeta WHERE post_id = " + id)
		if len(stored) != 1 || others[0] != "2" || all[0] != "2" || !slices.Equal(row, []string{"image/png"}) {
			t.Fatalf("%s: %v, %q, %s of %s rows of meta", c.path, row, stored, others, all)
		}
		got, err := os.ReadFile(filepath.Join(b.uploads, stored[0]))
		if err != nil || string(got) != picture || !regexp.MustCompile(`^\d{4}/\d\d/ete-1(-\d+)?\.png$`).MatchString(stored[0]) {
			t.Errorf("%s: %q, %d bytes, %v", c.path, stored[0], len(got), err)
		}
		if url := a.At("image", "url"); !strings.HasSuffix(url, stored[0]+`"`) {
			t.Errorf("%s: %s, stored %s", c.path, url, stored[0])
		}
	}
	if len(b.files()) < was+7 {
		t.Errorf("%d files", len(b.files()))
	}
	path := b.fill("/events/{event}")
	filler := strings.Repeat("x", body)
	large := picture + strings.Repeat("x", largest)
	kept := b.files()
	b.unchangedBy("refusals", func() {
		for name, c := range map[string]struct {
			as, path, want, field string
			fields                []string
			files                 []file
			header                []string
		}{
			"without the right": {"contributor", "/events", "403 rest_forbidden", "", event, photo, nil},
			"large, no right":   {"contributor", "/events", "413 rest_body_too_large", "", event, named(filler), nil},
			"nobody":            {"", "/events", "401 rest_forbidden", "", event, photo, nil},
			"too large a body":  {"admin", path, "413 rest_body_too_large", "", nil, named(filler + filler + filler), nil},
			"too large texts":   {"admin", path, "413 rest_body_too_large", "", []string{"description", filler}, photo, nil},
			"texts alone":       {"admin", path, "413 rest_body_too_large", "", []string{"description", filler}, nil, nil},
			"too large":         {"admin", path, "400 rest_invalid_param", "image", nil, named(large), nil},
			"no image":          {"admin", path, "400 rest_invalid_param", "image", nil, named("<?php"), nil},
			"empty":             {"admin", path, "400 rest_invalid_param", "image", nil, named(""), nil},
			"damaged":           {"admin", path, "400 rest_invalid_param", "image", nil, named(picture[:60]), nil},
			"another field":     {"admin", path, "400 rest_invalid_param", "flyer", nil, []file{{"flyer", "a.pdf", "%PDF"}}, nil},
			"a field of texts":  {"admin", path, "400 rest_invalid_param", "title", nil, []file{{"title", "a.txt", "T"}}, nil},
			"of a venue":        {"admin", path, "400 rest_invalid_param", "venue[image]", nil, []file{{"venue[image]", "", picture}}, nil},
			"a list":            {"admin", path, "400 rest_invalid_param", "image[]", nil, []file{{"image[]", "a.png", picture}}, nil},
			"two":               {"admin", path, "400 rest_invalid_param", "image", nil, append(photo, photo...), nil},
			"an address too":    {"admin", path, "400 rest_invalid_param", "image", []string{"image", "0"}, photo, nil},
			"a term":            {"admin", "/tags", "400 rest_invalid_param", "image", []string{"name", "T"}, photo, nil},
			"a deletion":        {"admin", path + "?_method=DELETE", "400 rest_invalid_param", "image", nil, photo, nil},
			"a wrong field":     {"admin", "/events", "400 rest_invalid_param", "status", append(event, "status", "x"), photo, nil},
			"another revision":  {"admin", path, "412 rest_precondition_failed", "", nil, photo, []string{"If-Match", `"x.y"`}},
			"none chosen":       {"admin", path, "200", "", []string{"title", "Feast"}, []file{{"image", "", ""}, {"flyer", "", ""}}, nil},
		} {
			a := send(c.as, c.path, c.fields, c.files, c.header...)
			if a.Verdict() != c.want || c.field != "" && a.Fault(c.field) == "" {
				t.Errorf("%s: %s, want %s", name, a.Summary(), c.want)
			}
		}
		b.counter.Before(func(_ context.Context, _ int, query string) error {
			if strings.HasPrefix(query, "INSERT") && strings.Contains(query, "postmeta") {
				return errors.New("lost")
			}
			return nil
		})
		if a := send("admin", path, nil, photo); a.Status < 500 {
			t.Errorf("without a table: %s", a.Summary())
		}
		b.counter.Reset()
		b.log.taken()
	})
	if now := b.files(); !slices.Equal(now, kept) {
		t.Errorf("files that were refused stay: %q, before %q", now, kept)
	}
	filesOfGo(t, b, picture, largest+body)
	// A key also identifies the bytes of the file.
	keyed := func(content string) apitest.Answer {
		return send("admin", "/venues", []string{"venue", "Keyed"}, named(content), "Idempotency-Key", "file")
	}
	first := keyed(picture)
	b.again(first, keyed(picture))
	if a := keyed(pictureOf(t, 311, 12)); a.Verdict() != "422 rest_idempotency_key_reused" {
		t.Errorf("another file under the key: %s", a.Summary())
	}
	b.consistent()
}

func pictureOf(t testing.TB, width, height int) string {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	picture.Set(1, 1, color.White)
	var file bytes.Buffer
	must.Succeed(t, png.Encode(&file, picture))
	return file.String()
}

// filesOfGo checks that the Go API stores and rejects the file of an image like a form. most is the maximum size of a
// body.
func filesOfGo(t *testing.T, b *bench, picture string, most int) {
	callers := callersOf(t, b.DB, b.prefix)
	as := func(name string) context.Context { return calendar.WithPrincipal(t.Context(), callers[name]) }
	events := b.cal.Kinds().Events
	image := calendar.File{Name: "b.png", Data: []byte(picture)}
	got, err := events.Update(as("admin"), b.idOf("event"), calendar.Values{"image": image})
	if err != nil || got.Image == nil || !strings.Contains(got.Image.URL, "/b") || got.Image.Width != 310 {
		t.Fatalf("stored as %+v, %v", got, err)
	}
	values := calendar.Values{"title": "Feast", "start_date": "2031-01-01", "end_date": "2031-01-01", "image": image}
	kept := b.files()
	for name, c := range map[string]struct {
		as     string
		change calendar.Values
		status int
		field  string
	}{
		"without the right": {"contributor", nil, 403, ""},
		"nobody":            {"", nil, 401, ""},
		"no image":          {"admin", calendar.Values{"image": calendar.File{Name: "a.png", Data: []byte("<?php")}}, 400, "image"},
		"too large":         {"admin", calendar.Values{"image": calendar.File{Data: make([]byte, most+1)}}, 413, ""},
		"a field of texts":  {"admin", calendar.Values{"title": calendar.File{}}, 400, "title"},
		"another field":     {"admin", calendar.Values{"flyer": calendar.File{}}, 400, "flyer"},
	} {
		given := maps.Clone(values)
		maps.Copy(given, c.change)
		var refused *calendar.Error
		if _, err := events.Create(as(c.as), given); !errors.As(err, &refused) || refused.Status != c.status ||
			c.field != "" && refused.Params[c.field] == "" {
			t.Errorf("%s: %v, want %d", name, err, c.status)
		}
	}
	if now := b.files(); !slices.Equal(now, kept) {
		t.Errorf("files that were refused stay: %q, before %q", now, kept)
	}
}
