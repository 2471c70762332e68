package term

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/post"
)

const (
	self    = "http://site.test/api/ns"
	tagLine = `{"id":%d,"count":%d,"description":%q,"name":%q,"slug":%q,"taxonomy":"post_tag","meta":[],"url":"http://site.test/tag/%s/",` +
		`"urls":{"self":"` + self + `/tags/%d","collection":"` + self + `/tags"}`
)

func TestCreate(t *testing.T) {
	s := newServer(t)
	before := s.rows()
	a := s.must(201, "POST", "/categories", `{"name":" <i>Vol</i> & leeg ","slug":"Eigen Slug","description":"A <b>b</b> & c<script>","parent":6,"id":6}`)
	id := a.id()
	want := fmt.Sprintf(`{"id":%d,"count":0,"description":"A <b>b</b> &amp; c","name":"Vol &amp; leeg","slug":"eigen-slug","taxonomy":"tribe_events_cat","parent":6,"meta":[],`+
		`"url":"http://site.test/events/category/muziek/eigen-slug/","urls":{"self":"%[2]s/categories/%[1]d","collection":"%[2]s/categories","up":"%[2]s/categories/6"},`+
		`"_links":{"self":[{"href":"%[2]s/categories/%[1]d"}],"collection":[{"href":"%[2]s/categories"}],"up":[{"href":"%[2]s/categories/6"}],`+
		`"events":[{"href":"%[2]s/events?categories=%[1]d"}]}}`, id, self)
	if a.text != want {
		t.Errorf("%s\nwant\n%s", a.text, want)
	}
	// D25: the address of the new term is one of this service's.
	if got := a.header.Get("Location"); got != fmt.Sprintf("%s/categories/%d", self, id) {
		t.Errorf("Location %q", got)
	}
	if read := s.must(200, "GET", fmt.Sprintf("/categories/%d", id), ""); read.text != a.text {
		t.Errorf("read: %s", read.text)
	}
	after := s.rows()
	lines := added(before, after)
	wantLines := []string{
		fmt.Sprintf("term|%d|Vol &amp; leeg|eigen-slug|0", id), fmt.Sprintf("place|%[1]d|%[1]d|tribe_events_cat|A <b>b</b> &amp; c|6|0", id),
		fmt.Sprintf("tribe_events_cat_children|a:2:{i:6;a:4:{i:0;i:7;i:1;i:8;i:2;i:9;i:3;i:%d;}i:10;a:1:{i:0;i:11;}}", id),
	}
	if !slices.Equal(lines, wantLines) {
		t.Errorf("stored %q, want %q", lines, wantLines)
	}
	a = s.must(201, "POST", "/tags", `{"name":"Été & co"}`)
	if want := fmt.Sprintf(tagLine, a.id(), 0, "", "Été &amp; co", "ete-co", "ete-co", a.id()); !strings.HasPrefix(decodeText(t, a), want) {
		t.Errorf("%s\nwant\n%s", decodeText(t, a), want)
	}
	if got, want := s.heard(), []post.Change{{Kind: "categories", ID: id, Op: "create"}, {Kind: "tags", ID: a.id(), Op: "create"}}; !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
}

// decodeText is the body with the characters themselves for their escapes.
func decodeText(t *testing.T, a *answer) string {
	t.Helper()
	var text string
	if err := json.Unmarshal([]byte(`"`+strings.ReplaceAll(strings.ReplaceAll(a.text, `\`, "\x01"), `"`, `\"`)+`"`), &text); err == nil {
		t.Fatal("the mark for escapes is no text of JSON")
	}
	var b strings.Builder
	for i := 0; i < len(a.text); i++ {
		if strings.HasPrefix(a.text[i:], `\u`) {
			var r rune
			fmt.Sscanf(a.text[i+2:i+6], "%x", &r)
			b.WriteRune(r)
			i += 5
			continue
		}
		b.WriteByte(a.text[i])
	}
	return b.String()
}
