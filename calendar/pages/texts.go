package pages

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

//go:embed texts/*.json
var textFiles embed.FS

// dictionary contains the texts of the pages in one language.
type dictionary struct {
	Name      string            `json:"name"` // name of the language in the language itself
	Months    [12]string        `json:"months"`
	Days      [7]string         `json:"days"`      // from Sunday
	First     string            `json:"first"`     // suffix of the number of the first day of a month
	HourSign  string            `json:"hour_sign"` // between hours and minutes
	Thousands string            `json:"thousands"`
	ZeroIsOne bool              `json:"zero_is_one"` // zero uses the singular
	ShortDay  int               `json:"short_day"`   // number of letters of a weekday's name in the head of a column
	Words     map[string]string `json:"words"`
}

var dictionaries = mustLoad("en", "nl", "fr")

// mustLoad reads the dictionaries, which must include en. A text that a language lacks is shown in English. It panics if
// a file is invalid, which every test would find.
func mustLoad(tags ...string) map[string]dictionary {
	all := make(map[string]dictionary, len(tags))
	for _, tag := range tags {
		data, err := textFiles.ReadFile("texts/" + tag + ".json")
		if err != nil {
			panic(err)
		}
		var d dictionary
		if err := json.Unmarshal(data, &d); err != nil {
			panic(fmt.Errorf("texts/%s.json: %w", tag, err))
		}
		all[tag] = d
	}
	for _, d := range all {
		addMissing(d.Words, all["en"].Words)
	}
	return all
}

// addMissing adds the English texts that a language does not have yet.
func addMissing(words, english map[string]string) {
	for key, text := range english {
		if words[key] == "" {
			words[key] = text
		}
	}
}

// HasTexts reports whether the pages have texts in the language of a tag.
func HasTexts(tag string) bool {
	_, known := dictionaries[primary(tag)]
	return known
}

// languageName returns the name of a language in the language itself.
func (v *version) languageName() string {
	if HasTexts(v.lang.Tag) {
		return v.texts.Name
	}
	return capital(cmp.Or(display.Self.Name(language.Make(v.lang.Tag)), v.lang.Tag))
}

// base returns the language of a tag without its region, or en if there is no dictionary for it.
func base(tag string) string {
	tag = primary(tag)
	if _, known := dictionaries[tag]; known {
		return tag
	}
	return "en"
}

// word returns the text of a key, or the key if it is missing.
func (d dictionary) word(key string) string {
	if w, ok := d.Words[key]; ok {
		return w
	}
	return key
}

// capital returns a text with a capital first letter. In some languages, months and weekdays are written in lower case.
func capital(text string) string {
	_, first := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:first]) + text[first:]
}
