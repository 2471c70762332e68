package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// ContentAttachment is an attachment that a text shows.
type ContentAttachment struct {
	Attachment
	Title, Caption, Alt  string // post_title, post_excerpt, meta key _wp_attachment_image_alt
	Description          string // post_content
	Name, Date, Modified string // post_name, post_date, post_modified
	Author, Parent, Menu int64  // post_author, post_parent, menu_order
	Thumbnail            int64  // meta key _thumbnail_id: the image of an audio or video file
	Hidden               bool   // the status is not "inherit", for example because it is in the trash
	Link                 string // URL of the attachment's page
}

// imageMeta is the metadata of an image's files.
type imageMeta struct {
	file          string
	width, height int64
	sizes         []imageFile
	flat          bool // an animated GIF, of which only the full size is animated
}

type imageFile struct {
	name          string // name of the size
	file          string
	width, height int64
}

// widestSource is the greatest width of files in srcset, in pixels.
const widestSource = 2048

// metaOf parses the metadata of an attachment. It returns nil if there is none.
func metaOf(a *ContentAttachment) *imageMeta {
	list, ok := a.Meta.(*phpval.Array)
	if !ok || list.Len() == 0 {
		return nil
	}
	m := &imageMeta{file: phpval.Text(list.At("file")), width: phpval.Int(list.At("width")), height: phpval.Int(list.At("height"))}
	for k, v := range list.ArrayAt("sizes").All() {
		size, ok := v.(*phpval.Array)
		if !ok {
			continue
		}
		m.sizes = append(m.sizes,
			imageFile{k.String(), phpval.Text(size.At("file")), phpval.Int(size.At("width")), phpval.Int(size.At("height"))})
		if k.String() == "thumbnail" && size.At("mime-type") == "image/gif" {
			m.flat = true
		}
	}
	return m
}

func baseName(path string) string {
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// folder returns the directory of the file below the uploads directory, with a trailing slash.
func (m *imageMeta) folder() string {
	i := strings.LastIndexByte(m.file, '/')
	if i < 0 {
		return ""
	}
	dir := m.file[:i]
	if _, below, ok := strings.Cut(dir, "wp-content/uploads"); ok {
		dir = strings.TrimLeft(below, "/")
	}
	if dir == "" {
		return ""
	}
	return strings.TrimRight(dir, "/") + "/"
}

// dimensions returns the width and height of the file with a URL.
func (m *imageMeta) dimensions(src string) (w, h int64, ok bool) {
	if base := baseName(m.file); base != "" && strings.Contains(src, base) {
		return m.width, m.height, true
	}
	base := baseName(src)
	for _, f := range m.sizes {
		if f.file == base {
			return f.width, f.height, true
		}
	}
	return 0, 0, false
}

// addSize adds the attributes width and height.
func (m *imageMeta) addSize(t string) string {
	src := tagSource(t)
	if src == "" {
		return t
	}
	w, h, _ := m.dimensions(src)
	if w == 0 || h == 0 {
		return t
	}
	if styled := styleWidth(t); styled > 0 {
		w, h = styled, int64(math.Round(float64(h)*float64(styled)/float64(w)))
	}
	size := ""
	if w != 0 {
		size = ` width="` + strconv.FormatInt(w, 10) + `"`
	}
	if h != 0 {
		size += ` height="` + strconv.FormatInt(h, 10) + `"`
	}
	return strings.ReplaceAll(t, "<img", "<img"+size)
}

// styleWidth returns the width in a style attribute that sets nothing else, 0 for others.
func styleWidth(t string) int64 {
	for {
		_, rest, ok := strings.Cut(t, `style="width:`)
		if !ok {
			return 0
		}
		t = rest
		from := skipSpace(t, 0)
		n := from
		for n < len(t) && wp.IsDigit(t[n], 10) {
			n++
		}
		if n > from && strings.HasPrefix(t[n:], `px;"`) {
			return min(phpval.Int(t[from:n]), 1<<31-1)
		}
	}
}

// addSources adds the attributes srcset and sizes.
func (m *imageMeta) addSources(t, uploads string) string {
	src := tagSource(t)
	if len(m.sizes) == 0 || src == "" {
		return t
	}
	if edit := editMark(m.file); edit != "" && !strings.Contains(baseName(src), edit) {
		return t
	}
	w, _ := tagDigits(t, " width=", `"`)
	h, _ := tagDigits(t, " height=", `"`)
	if w == 0 || h == 0 {
		var ok bool
		if w, h, ok = m.dimensions(src); !ok {
			return t
		}
	}
	sources := m.sources(src, uploads, w, h)
	at := strings.Index(t, "<img ")
	if sources == "" || at < 0 || at+6 >= len(t) {
		return t
	}
	attrs := ` srcset="` + wp.EscapeHTML(sources) + `"`
	if !strings.Contains(t, " sizes=") {
		attrs += ` sizes="` + shownSizes(w) + `"`
	}
	body := t[at+5 : len(t)-1]
	cut := strings.TrimRight(body, "/ ")
	if cut == "" {
		cut = body[:1]
	}
	return t[:at+5] + cut + attrs + " />"
}

func shownSizes(width int64) string {
	w := strconv.FormatInt(width, 10)
	return "(max-width: " + w + "px) 100vw, " + w + "px"
}

// editMark returns the part of a file name that identifies an edited version of an image: "-e" and 13 digits.
func editMark(file string) string {
	for i := 0; ; {
		n := strings.Index(file[i:], "-e")
		if n < 0 {
			return ""
		}
		i += n
		d := i + 2
		for d < len(file) && d < i+15 && wp.IsDigit(file[d], 10) {
			d++
		}
		if d == i+15 {
			return file[i:d]
		}
		i += 2
	}
}

// sources returns the value of srcset: the files with the same aspect ratio as the one at src, which comes first. It is
// "" unless there are at least two.
func (m *imageMeta) sources(src, uploads string, w, h int64) string {
	if len(m.sizes) == 0 || len(m.file) < 4 || w < 1 || m.flat && strings.Contains(src, m.file) {
		return ""
	}
	files := m.sizes
	if !m.flat {
		files = append(files[:len(files):len(files)], imageFile{file: baseName(m.file), width: m.width, height: m.height})
	}
	dir, edit := m.folder(), editMark(baseName(src))
	var list []imageFile
	found := false
	for _, f := range files {
		shown := !found && strings.Contains(src, dir+f.file)
		found = found || shown
		if edit != "" && strings.Index(f.file, edit) < 1 || f.width > widestSource && !shown {
			continue
		}
		if sameShape(w, h, f.width, f.height) {
			list = putSource(list, f, shown)
		}
	}
	if !found || len(list) < 2 {
		return ""
	}
	base := strings.TrimRight(uploads, "/") + "/" + dir
	var b strings.Builder
	for i, f := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strings.ReplaceAll(base+f.file, " ", "%20"))
		b.WriteByte(' ')
		b.WriteString(strconv.FormatInt(f.width, 10))
		b.WriteByte('w')
	}
	return b.String()
}

// putSource adds a file. Of several with the same width one is kept, and the displayed one comes first.
func putSource(list []imageFile, f imageFile, shown bool) []imageFile {
	for i := range list {
		if list[i].width != f.width {
			continue
		}
		if !shown {
			list[i] = f
			return list
		}
		list = append(list[:i], list[i+1:]...)
		break
	}
	if shown {
		return append([]imageFile{f}, list...)
	}
	return append(list, f)
}

// sameShape reports whether the larger of two sizes, scaled to the width of the smaller one, equals it within a pixel.
func sameShape(w1, h1, w2, h2 int64) bool {
	if w1 <= w2 {
		w1, h1, w2, h2 = w2, h2, w1, h1
	}
	w, h := constrain(w1, h1, w2, 0)
	return near(w, w2) && near(h, h2)
}

func near(a, b int64) bool { return a-b <= 1 && b-a <= 1 }

// constrain scales a size to fit into a box. 0 means no limit.
func constrain(w, h, maxW, maxH int64) (int64, int64) {
	if maxW <= 0 && maxH <= 0 {
		return w, h
	}
	rw, rh := 1.0, 1.0
	if maxW > 0 && w > maxW {
		rw = float64(maxW) / float64(w)
	}
	if maxH > 0 && h > maxH {
		rh = float64(maxH) / float64(h)
	}
	ratio := max(rw, rh)
	scale := func(n int64, r float64) int64 { return int64(math.Round(float64(n) * r)) }
	if scale(w, ratio) > maxW || scale(h, ratio) > maxH {
		ratio = min(rw, rh)
	}
	nw, nh := max(1, scale(w, ratio)), max(1, scale(h, ratio))
	if rw < 1 && nw == maxW-1 {
		nw = maxW
	}
	if rh < 1 && nh == maxH-1 {
		nh = maxH
	}
	return nw, nh
}
