package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// smilies maps codes to what they are replaced by.
var smilies = readSmilies(`
🙂 :) :-) :smile:
🙁 :( :-( :sad:
😉 ;) ;-) :wink:
😀 :D :-D :grin:
😛 :P :-P :razz:
😮 :o :-o :eek:
😯 8O 8-O :shock:
😕 :? :-? :???:
😎 8-) :cool:
😡 :x :-x :mad:
😐 :| :-| :neutral:
❗ :!:
❓ :?:
😈 :twisted:
👿 :evil:
😳 :oops:
🙄 :roll:
😥 :cry:
😆 :lol:
💡 :idea:
➡ :arrow:
`)

// pictureSmiley is the only code that is replaced by an image.
const pictureSmiley = ":mrgreen:"

// longestSmiley is the length of the longest code.
const longestSmiley = len(":mrgreen:")

func readSmilies(list string) map[string]string {
	codes := make(map[string]string, 64)
	for line := range strings.Lines(list) {
		if words := strings.Fields(line); len(words) > 0 {
			for _, code := range words[1:] {
				codes[code] = words[0]
			}
		}
	}
	return codes
}

// asIsSmilies are the elements in which codes are kept. As in WordPress, a tag whose name merely begins with one of
// these counts too, but only the exact end tag ends it.
var asIsSmilies = []string{"code", "pre", "style", "script", "textarea"}

// replaceSmilies replaces codes that are surrounded by white space, in the text between tags, like WordPress's
// convert_smilies. siteURL is the URL of WordPress's files.
func replaceSmilies(s, siteURL string) string {
	if !strings.ContainsAny(s, ":;8") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	closing := "" // end tag of the current element in which codes are kept
	for s != "" {
		text, tag := cutTag(s)
		s = s[len(text)+len(tag):]
		if closing == "" && !strings.HasPrefix(text, "<") {
			text = smileyText(text, siteURL)
		}
		b.WriteString(text)
		b.WriteString(tag)
		if closing == "" && tag != "" {
			closing = asIsClosing(tag)
		} else if tag == closing {
			closing = ""
		}
	}
	return b.String()
}

// cutTag returns the text before the first tag of s, and that tag. A "<" without a ">" after it is text.
func cutTag(s string) (text, tag string) {
	open := strings.IndexByte(s, '<')
	if open < 0 {
		return s, ""
	}
	end := strings.IndexByte(s[open:], '>')
	if end < 0 {
		return s, ""
	}
	return s[:open], s[open : open+end+1]
}

func asIsClosing(tag string) string {
	for _, name := range asIsSmilies {
		if strings.HasPrefix(tag[1:], name) {
			return "</" + name + ">"
		}
	}
	return ""
}

func smileyText(s, siteURL string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != ':' && c != ';' && c != '8' || !startOrGapBefore(s, i) {
			continue
		}
		n := 1
		for n <= longestSmiley && !endOrGapAt(s, i+n) {
			n++
		}
		shown := smiley(s[i:i+n], siteURL)
		if shown == "" {
			continue
		}
		b.WriteString(s[from:i])
		b.WriteString(shown)
		from = i + n
		i = from - 1
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

func smiley(code, siteURL string) string {
	if code == pictureSmiley {
		return `<img src="` + wp.EscapeHTML(siteURL) + `/wp-includes/images/smilies/mrgreen.png" alt=":mrgreen:"` +
			` class="wp-smiley" style="height: 1em; max-height: 1em;" />`
	}
	return smilies[code]
}
