package render

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// blocksSite returns the environment in which the texts of blocks.json were recorded.
func blocksSite(t testing.TB) *Env {
	t.Helper()
	type post struct {
		ID       int64
		Type     string `json:"post_type"`
		Title    string `json:"post_title"`
		Name     string `json:"post_name"`
		Content  string `json:"post_content"`
		Status   string `json:"post_status"`
		Mime     string `json:"post_mime_type"`
		Password string `json:"post_password"`
		Meta     map[string]string
	}
	const home = "http://127.0.0.1:8086"
	env := &Env{Home: home, SiteURL: home, Uploads: home + "/wp-content/uploads", Attachments: map[int64]*ContentAttachment{},
		Patterns: map[int64]string{}, Embeds: map[string]string{}}
	for _, p := range golden.Load[post](t, "blocks-fixtures.json", 27) {
		switch {
		case p.Type == "attachment":
			a := &ContentAttachment{Attachment: Attachment{ID: p.ID, File: p.Meta["_wp_attached_file"], Mime: p.Mime}, Title: p.Title,
				Name: p.Name, Alt: p.Meta["_wp_attachment_image_alt"], Link: home + "/a-page/" + p.Name + "/"}
			a.Meta, _ = phpval.Unserialize(p.Meta["_wp_attachment_metadata"])
			env.Attachments[p.ID] = a
		case p.Type == "wp_block" && p.Status == "publish" && p.Password == "":
			env.Patterns[p.ID] = p.Content
		case p.Type == "oembed_cache":
			env.Embeds[p.Name] = p.Content
		}
	}
	return env
}

var (
	anyScript = regexp.MustCompile(`(?s)<script.*?</script>`)
	anyIcon   = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	boxedID   = regexp.MustCompile(`\b[0-9a-f]{13}\b`)
)

// recordedForm replaces what the recording replaces: drawings, and random ids of images.
func recordedForm(in, html string) string {
	if !strings.Contains(in, "<svg") {
		html = anyIcon.ReplaceAllStringFunc(html, func(icon string) string {
			if frame, _, _ := strings.Cut(icon, ">"); strings.HasSuffix(frame, ` viewbox="0 0 24 24"`) {
				return frame + ">ICON</svg>" // of an icon block
			}
			return "<svg>ICON</svg>"
		})
	}
	if !strings.Contains(in, "<script") {
		html = anyScript.ReplaceAllString(html, "<script>SCRIPT</script>")
	}
	ids := map[string]string{}
	return boxedID.ReplaceAllStringFunc(html, func(id string) string {
		if strings.Contains(in, id) {
			return id
		}
		if ids[id] == "" {
			ids[id] = fmt.Sprintf("ID%d", len(ids)+1)
		}
		return ids[id]
	})
}

// TestServerBlocksAreDocumented checks that docs/descriptions.md lists the blocks that are not rendered.
func TestServerBlocksAreDocumented(t *testing.T) {
	text := must.Get(os.ReadFile("../../../docs/descriptions.md"))(t)
	for name := range serverBlocks {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/descriptions.md does not name the block %s", name)
		}
	}
}

// TestRenderBlocksOfSite checks the blocks of a WordPress site, with its theme and two others. Blocks that depend on
// other posts, the request or the visitor are left out (group "server rendered").
func TestRenderBlocksOfSite(t *testing.T) {
	type row struct {
		Group, Note, In, Out, Omitted string
		From                          string
		Others                        map[string]string `json:"out_other_themes"`
	}
	env := blocksSite(t)
	for i, c := range golden.Load[row](t, "blocks.json", 555) {
		if c.Group == "server rendered" || c.Omitted != "" {
			continue
		}
		for _, theme := range []string{"twentytwentyfive", "twentytwentyfour", "twentytwentythree"} {
			want, other := c.Others[theme]
			if !other {
				want = c.Out
			}
			env.Theme = ThemeOf(theme, "", "")
			if got := recordedForm(c.In, env.Content(c.In, 0)); got != want {
				t.Errorf("%d, %s, %s (%s)\n%s\n got:\n%s\nwant:\n%s", i, c.Group, c.Note, theme, c.In, got, want)
			}
		}
	}
}
