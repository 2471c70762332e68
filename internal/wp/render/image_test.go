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
	golden.Each(t, "images.txt", func(name string, id int64, file, mime, guid, meta, shown string) {
		a := Attachment{ID: id, File: file, Mime: mime, GUID: guid}
		if meta != "" {
			a.Meta = orderedText(t, meta)
		}
		before := phpval.Serialize(a.Meta)
		got, want := phpval.Serialize(Image(a, "http://s/u")), phpval.Serialize(orderedText(t, shown))
		if got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
		if phpval.Serialize(a.Meta) != before {
			t.Errorf("%s: the metadata changed", name)
		}
	})
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
