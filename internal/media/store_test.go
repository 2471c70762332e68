package media

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/render"
)

var (
	november = time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)

	// usual are the sizes of a new WordPress site.
	usual = SizesOf(map[string]string{
		"thumbnail_size_w": "150", "thumbnail_size_h": "150", "thumbnail_crop": "1", "medium_size_w": "300", "medium_size_h": "300",
		"medium_large_size_w": "768", "medium_large_size_h": "0", "large_size_w": "1024", "large_size_h": "1024",
	})
)

func newStore(t testing.TB) *Store {
	return &Store{Dir: t.TempDir(), BaseURL: "https://example.org/wp-content/uploads/"}
}

func (s *Store) mustSave(t testing.TB, name string, file []byte, sizes []Size) *Saved {
	t.Helper()
	return must.Get(s.Save(t.Context(), november, name, imageOf(t, file), sizes))(t)
}

func TestSave(t *testing.T) {
	s := newStore(t)
	file := jpegFile(t, quarters(1600, 1200))
	saved := s.mustSave(t, "Summer Fête.JPEG", file, usual)
	if saved.File != "2026/11/summer-fete.jpg" || saved.URL != "https://example.org/wp-content/uploads/2026/11/summer-fete.jpg" ||
		saved.Mime != "image/jpeg" || saved.Width != 1600 || saved.Height != 1200 || saved.Size != int64(len(file)) {
		t.Errorf("%+v", saved)
	}
	if kept, err := os.ReadFile(filepath.Join(s.Dir, saved.File)); err != nil || string(kept) != string(file) {
		t.Errorf("the file is not kept as it is: %v", err)
	}
	var names []string
	found := contents(t, s.Dir)
	for _, v := range saved.Sizes {
		names = append(names, fmt.Sprintf("%s %s", v.Name, v.File))
		m, format := decodeFile(t, filepath.Join(s.Dir, "2026/11", v.File))
		if m.Bounds().Dx() != v.Width || m.Bounds().Dy() != v.Height || format != "jpeg" || v.Mime != "image/jpeg" ||
			v.Size != found["2026/11/"+v.File] || readingOrder(m) != shown[1] {
			t.Errorf("%+v: %s %v %v", v, format, m.Bounds(), readingOrder(m))
		}
	}
	want := []string{
		"medium summer-fete-300x225.jpg", "large summer-fete-1024x768.jpg", "thumbnail summer-fete-150x150.jpg",
		"medium_large summer-fete-768x576.jpg", "1536x1536 summer-fete-1536x1152.jpg",
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if len(found) != 2+1+len(want) {
		t.Errorf("other files: %v", found)
	}
}

func TestMetadata(t *testing.T) {
	saved := &Saved{
		File: "2026/11/pic.jpg", Width: 1200, Height: 800, Size: 123456,
		Sizes: []SavedSize{{"medium", "pic-300x200.jpg", 300, 200, "image/jpeg", 11111}},
	}
	const want = `a:6:{s:5:"width";i:1200;s:6:"height";i:800;s:4:"file";s:15:"2026/11/pic.jpg";s:8:"filesize";i:123456;` +
		`s:5:"sizes";a:1:{s:6:"medium";a:5:{s:4:"file";s:15:"pic-300x200.jpg";s:5:"width";i:300;s:6:"height";i:200;` +
		`s:9:"mime-type";s:10:"image/jpeg";s:8:"filesize";i:11111;}}s:10:"image_meta";a:12:{s:8:"aperture";s:1:"0";` +
		`s:6:"credit";s:0:"";s:6:"camera";s:0:"";s:7:"caption";s:0:"";s:17:"created_timestamp";s:1:"0";s:9:"copyright";s:0:"";` +
		`s:12:"focal_length";s:1:"0";s:3:"iso";s:1:"0";s:13:"shutter_speed";s:1:"0";s:5:"title";s:0:"";` +
		`s:11:"orientation";s:1:"0";s:8:"keywords";a:0:{}}}`
	if got := saved.Metadata(); got != want {
		t.Errorf("%s", got)
	}
}

// TestMetadataRead checks that reads show this metadata like that of images uploaded through WordPress.
func TestMetadataRead(t *testing.T) {
	s := newStore(t)
	saved := s.mustSave(t, "pic.png", pngFile(t, quarters(400, 200)), []Size{{"medium", 300, 300, false}})
	meta := must.Get(phpval.Unserialize(saved.Metadata()))(t)
	got := render.Image(render.Attachment{ID: 7, File: saved.File, Mime: saved.Mime, GUID: saved.URL, Meta: meta}, "https://example.org/u")
	medium := phpval.Members("width", int64(300), "height", int64(150), "mime-type", "image/png", "filesize", saved.Sizes[0].Size,
		"url", "https://example.org/u/2026/11/pic-300x150.png")
	want := phpval.Members("url", "https://example.org/u/2026/11/pic.png", "id", int64(7), "extension", "png", "width", int64(400),
		"height", int64(200), "filesize", saved.Size, "sizes", phpval.Members("medium", medium))
	if phpval.Serialize(got) != phpval.Serialize(want) {
		t.Errorf("%s", phpval.Serialize(got))
	}
}

func TestSaveFormats(t *testing.T) {
	clear := image.NewNRGBA(image.Rect(0, 0, 400, 200))
	for name, c := range map[string]struct {
		file         []byte
		ext, thumb   string
		wantR, wantA uint32 // in the middle of the version
	}{
		"png":         {pngFile(t, clear), "png", "png", 0, 0},
		"gif":         {gifFile(t, 400, 200, image.Rect(100, 50, 300, 150)), "gif", "png", 0xFFFF, 0xFFFF},
		"opaque webp": {webpFile(400, 200, color.NRGBA{255, 0, 0, 255}), "webp", "jpg", 0xFE00, 0xFFFF},
		"clear webp":  {webpFile(400, 200, color.NRGBA{255, 0, 0, 0}), "webp", "png", 0, 0},
	} {
		s := newStore(t)
		saved := s.mustSave(t, "x.php", c.file, []Size{{"thumbnail", 150, 150, true}})
		if saved.File != "2026/11/x."+c.ext || len(saved.Sizes) != 1 || saved.Sizes[0].File != "x-150x150."+c.thumb ||
			saved.Sizes[0].Mime != mimeOf(c.thumb) {
			t.Errorf("%s: %+v", name, saved)
			continue
		}
		if saved.Size != int64(len(c.file)) || contents(t, s.Dir)[saved.File] != saved.Size {
			t.Errorf("%s: the file is not kept", name)
		}
		m, _ := decodeFile(t, filepath.Join(s.Dir, "2026/11", saved.Sizes[0].File))
		if r, _, _, a := m.At(75, 75).RGBA(); r < c.wantR || a != c.wantA || r > a {
			t.Errorf("%s: %x %x", name, r, a)
		}
	}
	// The first frame of a GIF is surrounded by transparency.
	s := newStore(t)
	saved := s.mustSave(t, "x", gifFile(t, 400, 200, image.Rect(100, 50, 300, 150)), []Size{{"medium", 100, 100, false}})
	m, _ := decodeFile(t, filepath.Join(s.Dir, "2026/11", saved.Sizes[0].File))
	if _, _, _, a := m.At(5, 5).RGBA(); a != 0 {
		t.Errorf("%x", a)
	}
}

func mimeOf(ext string) string {
	for mime, f := range formats {
		if f.ext == ext {
			return mime
		}
	}
	return ""
}

func TestSaveAnimatedWebP(t *testing.T) {
	s := newStore(t)
	saved := s.mustSave(t, "move.webp", animatedWebPFile(400, 200), usual)
	if saved.File != "2026/11/move.webp" || saved.Width != 400 || len(saved.Sizes) != 0 ||
		!strings.Contains(saved.Metadata(), `s:5:"sizes";a:0:{}`) {
		t.Errorf("%+v", saved)
	}
}

// TestSaveOfWhole checks that no version is scaled from one that shows only a part.
func TestSaveOfWhole(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 1600, 800))
	for y := range 800 {
		for x := range 1600 {
			m.Set(x, y, corners[min(x/300, 2)])
		}
	}
	s := newStore(t)
	saved := s.mustSave(t, "pic", pngFile(t, m), []Size{{"square", 600, 600, true}, {"small", 100, 100, false}})
	small, _ := decodeFile(t, filepath.Join(s.Dir, "2026/11", saved.Sizes[1].File))
	if got := quarterOf(small, 0, 4); got != 0 || saved.Sizes[0].Name != "square" {
		t.Errorf("its left edge is %d, %+v", got, saved.Sizes)
	}
}

// TestSaveUpright checks that the EXIF orientation is applied to the stored file.
func TestSaveUpright(t *testing.T) {
	s := newStore(t)
	saved := s.mustSave(t, "x.jpg", withOrientation(jpegFile(t, quarters(400, 200)), binary.BigEndian, 6),
		[]Size{{"medium", 100, 100, false}})
	if saved.Width != 200 || saved.Height != 400 || len(saved.Sizes) != 1 || saved.Sizes[0].File != "x-50x100.jpg" {
		t.Fatalf("%+v", saved)
	}
	for _, name := range []string{"x.jpg", saved.Sizes[0].File} {
		data := must.Get(os.ReadFile(filepath.Join(s.Dir, "2026/11", name)))(t)
		m, _ := decodeFile(t, filepath.Join(s.Dir, "2026/11", name))
		if readingOrder(m) != shown[6] || orientation(data) != 1 {
			t.Errorf("%s: %v, marked %d", name, readingOrder(m), orientation(data))
		}
	}
	if saved.Size != contents(t, s.Dir)["2026/11/x.jpg"] {
		t.Error("the size is not that of the turned file")
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"": "image", ".jpg": "image", "..": "image", "/": "image", "A.JPG": "a", "Ça & là.jpeg": "ca-la", "a.tar.gz": "a-tar",
		"日本.png": "image", "日本 x.png": "x", "100%.png": "100", "50%25off.png": "50off", "../../etc/passwd": "etc-passwd",
		"a\x00b\\c:d.jpg": "abcd",
		"CON":             "con", "_x_.png": "x", strings.Repeat("a", 300): strings.Repeat("a", maxStem),
	} {
		if got := stemOf(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if n := len(numbered(strings.Repeat("a", maxStem), maxNumber) + ".webp"); n > 100 {
		t.Errorf("%d bytes", n)
	}
}

// TestSaveSharedFile checks that two sizes may share a file.
func TestSaveSharedFile(t *testing.T) {
	s := newStore(t)
	saved := s.mustSave(t, "pic", pngFile(t, quarters(200, 100)), []Size{{"a", 100, 100, false}, {"b", 100, 0, false}})
	if len(saved.Sizes) != 2 || saved.Sizes[0].File != saved.Sizes[1].File || saved.Sizes[1].Size != saved.Sizes[0].Size ||
		saved.Sizes[1].Name != "b" {
		t.Errorf("%+v", saved.Sizes)
	}
}

func TestSaveBroken(t *testing.T) {
	for name, file := range map[string][]byte{
		"JPEG": jpegFile(t, quarters(400, 200)), "PNG": pngFile(t, quarters(400, 200)),
		"GIF": gifFile(t, 400, 200, image.Rect(0, 0, 400, 200)), "WebP": webpFile(400, 200, color.NRGBA{}),
		"declared PNG": declaredPNG(4000, 4000),
	} {
		s := newStore(t)
		cut := file[:len(file)*4/5]
		if name == "GIF" {
			cut = file[:60]
		}
		if name == "declared PNG" {
			cut = file
		}
		img, err := inspect(cut, defaultMaxPixels, defaultMaxDecoded)
		if err == nil {
			_, err = s.Save(t.Context(), november, "pic", img, usual)
		}
		if reason(err) != reasonBroken {
			t.Errorf("%s: %v", name, err)
		}
		if got := contents(t, s.Dir); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	// A panic in a decoder means that the image is damaged.
	panics := func() (err error) {
		defer recoverBroken(&err)
		panic("index out of range")
	}
	if reason(panics()) != reasonBroken {
		t.Error("a panic came through")
	}
}

// TestSaveMonth checks that the month is the one in the site's time zone.
func TestSaveMonth(t *testing.T) {
	s := newStore(t)
	s.BaseURL = "https://example.org/u"
	img := imageOf(t, pngFile(t, quarters(4, 4)))
	saved, err := s.Save(t.Context(), november.In(time.FixedZone("", 3600)), "pic", img, nil)
	if err != nil || saved.File != "2026/12/pic.png" || saved.URL != "https://example.org/u/2026/12/pic.png" {
		t.Errorf("%+v %v", saved, err)
	}
}

// TestSweep checks that only old temporary files are removed from the uploads directory, whatever other files are
// called.
func TestSweep(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	const name = ".ABCDEFGHIJKLMNOPQRSTUVWX23.tmp"
	put := func(file string, age time.Duration) string {
		t.Helper()
		file = filepath.Join(dir, file)
		must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Succeed(t, os.WriteFile(file, []byte("half"), 0o600))
		must.Succeed(t, os.Chtimes(file, now.Add(-age), now.Add(-age)))
		return file
	}
	gone := []string{put("2026/11/"+name, 2*time.Hour), put("1999/01/"+name, 1000*time.Hour), put("2026/12/.other.tmp", 61*time.Minute),
		put("2026/12/.a b.JPG.tmp", 61*time.Minute)}
	kept := []string{
		put("2026/12/"+name, time.Minute), put("2026/12/.new.tmp", 59*time.Minute), put("2026/12/.tmp", 1000*time.Hour),
		put("2026/12/.other.tmp.jpg", 1000*time.Hour), put("2026/11/"+name[1:], 1000*time.Hour),
		put("2026/11/picture.jpg", 1000*time.Hour), put("cache/11/"+name, 1000*time.Hour), put(name, 1000*time.Hour),
		put("2026/11/x/"+name, 1000*time.Hour),
	}
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "2026/10"), 0o755))
	must.Succeed(t, os.Symlink(gone[0], filepath.Join(dir, "2026/10", name)))
	n, err := (&Store{Dir: dir}).Sweep(now)
	if n != len(gone) || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	for _, file := range gone {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s is left", file)
		}
	}
	for _, file := range append(kept, filepath.Join(dir, "2026/10", name)) {
		must.Get(os.Lstat(file))(t)
	}
	if _, err := (&Store{Dir: filepath.Join(dir, "absent")}).Sweep(now); err == nil {
		t.Error("no error of a directory that does not exist")
	}
}
