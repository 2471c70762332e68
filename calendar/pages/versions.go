package pages

import (
	"cmp"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/calendar"
)

// slugIn returns the slug of an item's translation in a language, percent-encoded as in its address.
func slugIn(item calendar.Localized, lang string) string {
	u, err := url.Parse(item.Translations[lang].URL)
	if err != nil {
		return ""
	}
	if r, ok := plain(u.Query()); ok {
		return r.slug
	}
	if u.RawQuery != "" {
		return ""
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// linkTo returns the address in a language of the item of a route, and whether it is the item in this language. On a site
// without languages it is always the same item. In a language that lacks the item, the address is that of the home
// page.
func (v *version) linkTo(to route, item calendar.Localized) (link string, same bool) {
	if item.Language == "" || item.Language == v.lang.Tag {
		return v.link(to), true
	}
	slug := slugIn(item, v.lang.Tag)
	if slug == "" {
		return v.link(route{kind: home}), false
	}
	return v.link(route{kind: to.kind, slug: slug, path: slug, day: to.day}), true
}

// foreign returns the language of a text of an item if it differs from the page's, for the markup, and "" otherwise. If
// the text is in a script that the item's language does not use, the language is unknown, with that script.
func (v *version) foreign(item calendar.Localized, text string) string {
	lang := cmp.Or(item.Language, v.content)
	if script := scriptOf(text); script != "" && !isRightToLeft(lang) {
		return "und-" + script
	}
	if primary(lang) == primary(v.tag) {
		return ""
	}
	return lang
}

// chip returns a link to an item with its name.
func (v *version) chip(item calendar.Localized, name string, to route) chip {
	return chip{unmarked(name), v.link(to), v.foreign(item, name)}
}

// others reports whether an item is in another language than the page.
func (v *version) others(item calendar.Localized) bool {
	return item.Language != "" && item.Language != v.lang.Tag
}

// langPattern matches language tags that may be written into a page.
var langPattern = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)

// rightToLeft are the languages whose usual script is written from right to left.
var rightToLeft = []string{"ar", "arc", "azb", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "ps", "sd", "skr", "syr", "ug", "ur", "yi"}

// rightToLeftScripts are the scripts that are written from right to left, by their subtags.
var rightToLeftScripts = map[string]*unicode.RangeTable{
	"Arab": unicode.Arabic, "Hebr": unicode.Hebrew, "Syrc": unicode.Syriac, "Thaa": unicode.Thaana, "Nkoo": unicode.Nko,
	"Adlm": unicode.Adlam,
}

// scriptOf returns the script of the first letter of a text, which may be HTML, if it is written from right to left,
// and "" otherwise.
func scriptOf(text string) string {
	text = unmarked(text)
	first := strings.IndexFunc(text, unicode.IsLetter)
	if first < 0 {
		return ""
	}
	letter, _ := utf8.DecodeRuneInString(text[first:])
	for script, letters := range rightToLeftScripts {
		if unicode.Is(letters, letter) {
			return script
		}
	}
	return ""
}

// isRightToLeft reports whether a language is written from right to left: in the script that its tag contains, or else
// in its usual one.
func isRightToLeft(tag string) bool {
	for _, part := range strings.Split(tag, "-") {
		if len(part) == 4 && unicode.IsLetter(rune(part[0])) {
			return rightToLeftScripts[capital(strings.ToLower(part))] != nil
		}
	}
	return slices.Contains(rightToLeft, primary(tag))
}

// direction returns the attribute dir for an element with the layout direction of a language, or "" if it is left to
// right.
func direction(tag string) template.HTMLAttr {
	if isRightToLeft(tag) {
		return ` dir="rtl"`
	}
	return ""
}

// directionOf returns the value of the attribute dir for a language.
func directionOf(tag string) string {
	if isRightToLeft(tag) {
		return "rtl"
	}
	return "ltr"
}

// langAttributes returns the attributes of an element with text in a language, or "" if tag is "" or invalid.
func langAttributes(tag string) template.HTMLAttr {
	if !langPattern.MatchString(tag) {
		return ""
	}
	return template.HTMLAttr(` lang="`+tag+`"`) + direction(tag)
}

// inLanguage returns a text as HTML: as an element with its language, or without an element if lang is "".
func inLanguage(text, lang string) template.HTML {
	text = template.HTMLEscapeString(text)
	if attributes := langAttributes(lang); attributes != "" {
		text = "<span" + string(attributes) + ">" + text + "</span>"
	}
	return template.HTML(text)
}

// primary returns the primary language of a tag.
func primary(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	return tag
}

// called reports whether a term or one of its translations has a slug, so that a filter is preserved when the language
// changes.
func called(t calendar.Term, slug string) bool {
	for lang := range t.Translations {
		if slugIn(t.Localized, lang) == slug {
			return true
		}
	}
	return t.Slug == slug
}
