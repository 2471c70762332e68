package render

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// storedFile is an attachment in playlist-gallery.json.
type storedFile struct {
	ID       int64
	Title    string `json:"post_title"`
	Excerpt  string `json:"post_excerpt"`
	Content  string `json:"post_content"`
	Name     string `json:"post_name"`
	Mime     string `json:"post_mime_type"`
	Date     string `json:"post_date"`
	Menu     int64  `json:"menu_order"`
	File     string `json:"_wp_attached_file"`
	Metadata string `json:"_wp_attachment_metadata"`
	Alt      string `json:"_wp_attachment_image_alt"`
}

// fileCases returns the cases of playlist-gallery.json, and the environment in which they were recorded.
func fileCases(t testing.TB) (*Env, []pair) {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/playlist-gallery.json"))(t)
	var file struct {
		Attachments []storedFile
		Cases       []pair
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) != 27 || len(file.Attachments) != 9 {
		t.Fatalf("%d cases, %d files: %v", len(file.Cases), len(file.Attachments), err)
	}
	const home = "http://127.0.0.1:8080"
	env := &Env{Home: home, SiteURL: home, Uploads: home + "/wp-content/uploads", Attachments: map[int64]*ContentAttachment{}}
	for _, f := range file.Attachments {
		meta := must.Get(phpval.Unserialize(f.Metadata))(t)
		env.Attachments[f.ID] = &ContentAttachment{
			Attachment: Attachment{ID: f.ID, File: f.File, Mime: f.Mime, Meta: meta}, Title: f.Title, Caption: f.Excerpt, Alt: f.Alt,
			Description: f.Content, Name: f.Name, Date: f.Date, Menu: f.Menu, Parent: 1, Link: home + "/holder/" + f.Name + "/",
		}
	}
	return env, file.Cases
}

// TestA3PlaylistGallery checks the recorded cases, each with only what Needed returns for it.
func TestA3PlaylistGallery(t *testing.T) {
	all, cases := fileCases(t)
	for _, c := range cases {
		env := *all
		env.Attachments = map[int64]*ContentAttachment{}
		for _, id := range all.Needed(c.In).Files {
			if a := all.Attachments[id]; a != nil {
				env.Attachments[id] = a
			}
		}
		golden.Equal(t, c.In, env.Content(c.In, 0), c.Out)
	}
}

// TestA3FileOrder sorts the files of galleries by each possible key.
func TestA3FileOrder(t *testing.T) {
	env := &Env{Attachments: map[int64]*ContentAttachment{}}
	for i, f := range []ContentAttachment{
		{Title: "b", Name: "3", Date: "2026-03-01", Modified: "2026-01-01", Menu: 2, Author: 1, Parent: 9},
		{Title: "Ä", Name: "2", Date: "2026-01-01", Modified: "2026-02-01", Menu: 1, Author: 2, Parent: 8},
		{Title: "c", Name: "1", Date: "2026-02-01", Modified: "2026-03-01", Menu: 1, Author: 3, Parent: 7},
	} {
		f.ID, f.Mime, f.File = int64(i+1), "image/png", string("xyz"[i])
		env.Attachments[f.ID] = &f
	}
	env.Attachments[4] = &ContentAttachment{Attachment: Attachment{ID: 4, Mime: "image/png", File: "t"}, Hidden: true}
	env.Own = map[int64][]*ContentAttachment{50: {env.Attachments[1], env.Attachments[3], env.Attachments[2]}}
	env.Attached = map[int64][]*ContentAttachment{60: {env.Attachments[3]}}
	golden.Each(t, "file-order.txt", func(attrs, want string) {
		got := ""
		for _, src := range strings.Split(env.Content("[gallery link=\"none\" "+attrs+"]", 50), ` src="/`)[1:] {
			got += src[:1]
		}
		golden.Equal(t, attrs, got, want)
	})
	for _, attrs := range []string{"", `exclude="1"`, `ids=""`} {
		golden.Equal(t, "D56: [gallery "+attrs+"] of a text of no event", env.Content("[gallery "+attrs+"]", 0), "")
	}
	if got := env.Content("[gallery]", 50); !strings.Contains(got, "galleryid-50 ") {
		t.Errorf("D56: %q", got)
	}
}

// TestA3GalleryForms checks images with incomplete metadata, missing sizes, and links to files that do not exist.
func TestA3GalleryForms(t *testing.T) {
	env, _ := fileCases(t)
	env.Attachments[1] = &ContentAttachment{Attachment: Attachment{ID: 1, File: "2026/03/bare.jpg", Mime: "image/jpeg"}, Title: "Bare",
		Alt: "<b>x</b> \"y\" "}
	env.Attachments[2] = &ContentAttachment{Attachment: Attachment{ID: 2, Mime: "image/jpeg"}, Title: "Nothing"}
	golden.Each(t, "gallery-forms.txt", func(in string, want []string) {
		got := env.Content(in, 0)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s\n got %s\nwant %s", in, got, part)
			}
		}
	})
	cover := *env.Attachments[500001]
	cover.Thumbnail, cover.Title = 500006, "</script><img src=x>"
	env.Attachments[500001] = &cover
	got := env.Content(`[playlist ids="500001"]`, 0)
	for _, part := range []string{
		`"image":{"src":"http://127.0.0.1:8080/wp-content/uploads/2026/03/one.jpg","width":1600,"height":1067}`,
		`"thumb":{"src":"http://127.0.0.1:8080/wp-content/uploads/2026/03/one-150x150.jpg","width":150,"height":150}`,
		`"title":"\u003C/script\u003E\u003Cimg src=x\u003E"`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("got %s\nwant %s", got, part)
		}
	}
	cover.Thumbnail = 77
	if got := env.Content(`[playlist ids="500001"]`, 0); !strings.Contains(got, `"image":{"src":null,"width":null,"height":null}`) {
		t.Errorf("a picture that is gone: %s", got)
	}
	env.ContentWidth = 662
	if got := env.Content(`[playlist type="video" ids="500005"]`, 0); !strings.Contains(got, `width="640"`) ||
		!strings.Contains(got, `height="360"`) {
		t.Errorf("a theme with a width: %s", got)
	}
}

func TestNeeded(t *testing.T) {
	const in = `<img class="wp-image-5"><img class="WP-IMAGE-07 wp-image-x"> wp-image- [gallery ids="9, 5,0,-3"]` +
		`[gallery include="11" link="file"][[gallery ids=12]]<img class="wp-image-99999999999999999999">` +
		`[playlist ids="20,21"][playlist][gallery id="30"][gallery id="x"]`
	got := (&Env{}).Needed(in)
	want := Need{Files: []int64{5, 7, math.MaxInt64, 9, 3, 11, 12, 20, 21}, Pages: []int64{9, 5, 3, 12}, Tracks: []int64{20, 21},
		Posts: []int64{30}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	for _, own := range []string{"[gallery]", `[gallery exclude="5"]`, `[gallery ids=""]`} {
		if !(&Env{}).Needed(own).Own {
			t.Errorf("%s needs no own pictures", own)
		}
	}
	if got := (&Env{}).Needed("nothing"); !reflect.DeepEqual(got, Need{}) {
		t.Errorf("got %+v", got)
	}
	many := strings.Repeat(`[gallery ids="1`, 5000)
	if n := len((&Env{}).Needed(many + `"]`).Files); n > maxGallery {
		t.Errorf("%d files", n)
	}
	if !slices.Equal(idList("1,2\t3 x -4,1"), []int64{1, 2, 3, 4}) {
		t.Error("a list of ids is read otherwise")
	}
}

// FuzzFiles checks that galleries, playlists, captions and players are always rendered in the same way, and that
// nothing ends a script element too early.
func FuzzFiles(f *testing.F) {
	env, cases := fileCases(f)
	for _, c := range cases {
		f.Add(c.In)
	}
	for _, c := range golden.Load[pair](f, "description.json", 362) {
		if strings.Contains(c.In, "[") {
			f.Add(c.In)
		}
	}
	env.Own = map[int64][]*ContentAttachment{7: {env.Attachments[500006], env.Attachments[500009]}}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 10_000 {
			return
		}
		got := env.Content(s, 7)
		if again := env.Content(s, 7); again != got {
			t.Errorf("%q is rendered in two ways", s)
		}
		if most := 200*len(s) + 20_000*(1+strings.Count(s, "[")); len(got) > most {
			t.Errorf("%d bytes became %d", len(s), len(got))
		}
		env.Needed(s)
	})
}
