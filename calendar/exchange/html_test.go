package exchange

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/internal/wp/render"
)

// feedText returns the text that a feed shows of a description.
func feedText(description string) string {
	env := &render.Env{SiteURL: "https://example.org"}
	return wp.PlainText(strings.ReplaceAll(env.Content(kses.Filter(description, kses.Post(release.WP69)), 0), "</p>", "</p> "))
}

// Text from a feed that is imported appears unchanged in the calendar's own feed.
func TestShownTextsComeBack(t *testing.T) {
	for _, text := range []string{
		"", "a", "a \nb", "a\nb", "a \n\n\n\nb \n\n\n\nc", "a \n\nb", "a\n\nb", "a\n\n\nb \nc", "a\n b", "a  \nb", "a & b <c> &amp; d",
		`"quoted" it's -- 9x9 ... (tm) :) [gallery] 8) :-D`, "https://example.org/x\n\nhttps://youtu.be/abc", "Wordpress",
		"a \n\n\nb\n\nc \nd",
	} {
		if got := feedText(feedHTML(text)); got != text {
			t.Errorf("%q became %q by %s", text, got, feedHTML(text))
		}
	}
	words := rapid.SampledFrom([]string{"a", "bc", "\n", " \n", "\n\n", " \n\n\n\n", " ", "é", `"`, "'", "-", "--", "...", "9x9",
		"(tm)", ":)", "[gallery]", "&", "<", ">", "&amp;", "https://x.test/", "Wordpress", "`", "1/2", "8-)", "'90s", "=D", "<b>", "*"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Trim(strings.Join(rapid.SliceOf(words).Draw(t, "words"), ""), " \n")
		if got := feedText(feedHTML(text)); got != text {
			t.Errorf("%q became %q by %s", text, got, feedHTML(text))
		}
	})
}

func TestDescriptions(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "<p>a</p>", "a\nb": "<p>a<br />\nb</p>", " a \n \n\n b & <c>\n": "<p>a</p>\n<p>b &amp; &lt;c&gt;</p>",
		"a\u00a0\nb": "<p>a<br />\nb</p>",
	} {
		golden.Equal(t, text, paragraphs(text), want)
	}
	for document, want := range map[string]string{
		"": "", "<b>a</b>": "<b>a</b>",
		"<html><head><title>x</title><style>p{}</style></head><body lang=\"nl\">\n<p>a</p>\n</body></html>": "<p>a</p>",
		"<!DOCTYPE HTML>\n<HTML><BODY><!-- x --><P>&nbsp;</P></BODY></HTML>":                                "",
		"<p>a<o:p></o:p></p><!--[if mso]>b<![endif]-->":                                                     "<p>a</p>",
	} {
		golden.Equal(t, document, documentBody(document), want)
	}
	if got := dataHTML("data:text/html,%3Cbody%3Ea%3Cb%3Eb%3C%2Fb%3E%3C%2Fbody%3E"); got != "a<b>b</b>" {
		t.Errorf("ALTREP %q", got)
	}
}
