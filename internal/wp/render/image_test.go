package render

import (
	"encoding/json"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

type imageCase struct {
	Note string
	In   struct {
		Thumbnail  string `json:"thumbnail_id_meta"`
		Attachment struct {
			ID   int64
			Mime string `json:"post_mime_type"`
			GUID string
		}
		File    *string `json:"_wp_attached_file"`
		Meta    *string `json:"_wp_attachment_metadata"`
		Options map[string]string
	}
	Out json.RawMessage
}

// attachment returns what the store returns for the id of a case.
func (c imageCase) attachment(t testing.TB) Attachment {
	t.Helper()
	a := Attachment{ID: phpval.Int(c.In.Thumbnail)}
	if a.ID != c.In.Attachment.ID {
		return a
	}
	a.Mime, a.GUID = c.In.Attachment.Mime, c.In.Attachment.GUID
	if c.In.File != nil {
		a.File = *c.In.File
	}
	if c.In.Meta != nil && *c.In.Meta != "" {
		v, err := phpval.Unserialize(*c.In.Meta)
		if err != nil {
			t.Fatalf("%s: %v", c.Note, err)
		}
		a.Meta = v
	}
	return a
}

func TestImage(t *testing.T) {
	for _, v := range golden.Load[imageCase](t, "image.json", 44) {
		site := permalink.Settings{SiteURL: "http://127.0.0.1:8084", UploadPath: v.In.Options["upload_path"],
			UploadURLPath: v.In.Options["upload_url_path"]}
		got := phpval.Serialize(Image(v.attachment(t), permalink.New(site, nil, "", "").Uploads()))
		if want := phpval.Serialize(orderedText(t, string(v.Out))); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", v.Note, got, want)
		}
	}
}

func TestImageMore(t *testing.T) {
	const base = "http://s/u"
	meta := func(s string) phpval.Value { return orderedText(t, s) }
	for _, c := range []struct {
		name string
		a    Attachment
		want string
	}{
		{"import with a web image", Attachment{ID: 1, File: "a/b.JPG", Mime: "import"},
			`{"url":"http://s/u/a/b.JPG","id":1,"extension":"JPG"}`},
		{"import with another image", Attachment{ID: 1, File: "b.tiff", Mime: "import"}, `{"url":false,"id":1,"extension":"tiff"}`},
		{"no mime type", Attachment{ID: 1, File: "b.jpg"}, `{"url":false,"id":1,"extension":"jpg"}`},
		{"dot in a folder", Attachment{ID: 1, File: "a.b/c", Mime: "image/x"}, `{"url":"http://s/u/a.b/c","id":1,"extension":""}`},
		{"file in the folder of uploads", Attachment{ID: 1, File: "/x/wp-content/uploads/c.gif", Mime: "image/gif"},
			`{"url":"http://s/u/c.gif","id":1,"extension":"gif"}`},
		{"preview of a file known by its guid",
			Attachment{ID: 1, GUID: "http://o/x.pdf", Meta: meta(`{"sizes":{"full":{"file":"x.jpg"}}}`)},
			`{"url":"http://o/x.jpg","id":1,"extension":""}`},
		{"metadata is text", Attachment{ID: 1, File: "b.jpg", Mime: "image/jpeg", Meta: "x"},
			`{"url":"http://s/u/b.jpg","id":1,"extension":"jpg"}`},
		{"sizes of other types",
			Attachment{ID: 1, File: "b.jpg", Mime: "image/jpeg",
				Meta: meta(`{"image_meta":[],"file":"b","sizes":{"a":"x","b":{"url":"old","file":"c"}},"empty":"0"}`)},
			`{"url":"http://s/u/b.jpg","id":1,"extension":"jpg","sizes":{"a":"x","b":{"url":"http://s/u/c"}}}`},
		{"sizes is text", Attachment{ID: 1, File: "b.jpg", Mime: "image/jpeg", Meta: meta(`{"image_meta":[],"file":"b","sizes":"x"}`)},
			`{"url":"http://s/u/b.jpg","id":1,"extension":"jpg","sizes":"x"}`},
		{"none", Attachment{}, `false`},
	} {
		before := phpval.Serialize(c.a.Meta)
		got, want := phpval.Serialize(Image(c.a, base)), phpval.Serialize(meta(c.want))
		if got != want {
			t.Errorf("%s: %s\nwant %s", c.name, got, want)
		}
		if phpval.Serialize(c.a.Meta) != before {
			t.Errorf("%s: the metadata changed", c.name)
		}
	}
}

func FuzzImage(f *testing.F) {
	for _, v := range golden.Load[imageCase](f, "image.json", 44) {
		a := v.attachment(f)
		f.Add(a.ID, a.File, a.Mime, a.GUID, phpval.Serialize(a.Meta))
	}
	f.Fuzz(func(t *testing.T, id int64, file, mime, guid, meta string) {
		v, _ := phpval.Unserialize(meta)
		got := Image(Attachment{id, file, mime, guid, v}, "http://s/u")
		if o, ok := got.(*phpval.Array); ok != (id != 0) || !ok && got != false {
			t.Fatalf("%v", got)
		} else if ok && o.Len() == 0 {
			t.Fatal("not even an id")
		}
	})
}
