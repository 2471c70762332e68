package editing_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

const (
	paragraphA = "<!-- wp:paragraph -->\n<p>A</p>\n<!-- /wp:paragraph -->"
	tableBlock = "<!-- wp:table -->\n<figure class=\"wp-block-table\"><table><tbody><tr><td>Old</td></tr></tbody></table></figure>\n" +
		"<!-- /wp:table -->"
)

// TestKeptBlocksAreCompared checks that a change of the parts of a description that the form only shows is a conflict
// with a change of its text, and that choosing one's own text then keeps what the other user added elsewhere.
func TestKeptBlocksAreCompared(t *testing.T) {
	f := ownSite(t)
	b := f.as("editor1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Fair", "day", "2026-12-01", "from", "10:00", "text", "A"),
		http.StatusSeeOther)
	path := "/edit/events/" + f.stored("Fair", "ID") + "/"
	write := func(text string) { f.exec("UPDATE wp_posts SET post_content = ? WHERE post_title = 'Fair'", text) }
	for name, c := range map[string]struct {
		was, theirs, keep string
		want, lost        []string
	}{
		"a changed block": {paragraphA + "\n\n" + tableBlock,
			strings.Replace(paragraphA+"\n\n"+tableBlock, "Old", "New", 1), "mine",
			[]string{"A2", "New"}, []string{"Old"}},
		"an added block": {paragraphA, paragraphA + "\n\n" + tableBlock + "\n\n" + strings.Replace(paragraphA, "A", "B", 1), "mine",
			[]string{"A2", "Old", "<p>B<"}, []string{"<p>A<"}},
		"a block before": {paragraphA, tableBlock + "\n\n" + paragraphA, "mine",
			[]string{"A2", "Old"}, []string{"<p>A<"}},
		"theirs": {paragraphA, paragraphA + "\n\n" + tableBlock, "theirs",
			[]string{"<p>A<", "Old"}, []string{"A2"}},
		"the same changed": {paragraphA, strings.Replace(paragraphA, "A", "A3", 1) + "\n\n" + tableBlock, "mine",
			[]string{"A2"}, []string{"A3"}},
	} {
		write(c.was)
		form := formOf(t, b.get(path))
		form["text"][0] = "A2"
		write(c.theirs)
		a := b.again(path, form, "save")
		if a.Code != http.StatusPreconditionFailed {
			t.Errorf("%s: %d, and stored is %s", name, a.Code, f.stored("Fair", "post_content"))
			continue
		}
		wantCode(t, b.again(path, formOf(t, a), "save", "keep.description", c.keep), http.StatusSeeOther)
		got := f.stored("Fair", "post_content")
		for _, part := range c.want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %s in %s", name, part, got)
			}
		}
		for _, part := range c.lost {
			if strings.Contains(got, part) {
				t.Errorf("%s: %s is still in %s", name, part, got)
			}
		}
	}
	// A form that is sent twice is not in conflict with itself.
	form := formOf(t, b.get(path))
	form["text"] = append(form["text"][:len(form["text"])-1], "Last")
	wantCode(t, b.again(path, form, "save"), http.StatusSeeOther)
	wantCode(t, b.again(path, form, "save"), http.StatusSeeOther)
}

// TestPicturesAreCompared checks that of two users who replace a picture or change its alternative text, the second one
// is asked which to keep.
func TestPicturesAreCompared(t *testing.T) {
	f := ownSite(t, func(o *calendar.Options) {
		o.Uploads = calendar.Uploads{Dir: t.TempDir(), BaseURL: "https://site.test/wp-content/uploads"}
	})
	one, two := f.as("editor1"), f.as("admin")
	wantCode(t, one.fillIn("/edit/events/new/", "publish", "title", "Fair", "day", "2026-12-01", "from", "10:00"), http.StatusSeeOther)
	path := "/edit/events/" + f.stored("Fair", "ID") + "/"
	first, second, third := formOf(t, one.get(path)), formOf(t, two.get(path)), formOf(t, two.get(path))
	first.Set("act", "save")
	wantCode(t, one.attach(path, first, aPicture(t)), http.StatusSeeOther)
	stored := f.meta("Fair", "_thumbnail_id")
	second.Set("act", "save")
	a := two.attach(path, second, aPicture(t))
	if a.Code != http.StatusPreconditionFailed || f.meta("Fair", "_thumbnail_id") != stored {
		t.Errorf("two pictures: %d, %s was %s", a.Code, f.meta("Fair", "_thumbnail_id"), stored)
	}
	wantCode(t, two.again(path, third, "save", "image_alt", "Of the other picture"), http.StatusPreconditionFailed)
	if a.Code == http.StatusPreconditionFailed {
		wantCode(t, two.again(path, formOf(t, a), "save", "image_alt", "Mine"), http.StatusSeeOther)
	}
	if now := f.meta("Fair", "_thumbnail_id"); now == stored {
		t.Error("the picture that was chosen is not stored")
	}
}
