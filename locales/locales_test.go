package locales

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/pelletier/go-toml/v2"
)

// languages are the languages of the texts, with what the tests expect of each.
var languages = map[string]struct {
	forms map[string]int // the required plural forms, each with a number for which it is used
	typos string         // matches typographical mistakes
	same  string         // ids of texts that may be the same as the English ones
}{
	"en": {forms: oneOther, typos: `['"]|\s[:;!?]|  |\.\.\.`},
	"nl": { // readers are addressed with "je"
		forms: oneOther, typos: `['"]|\s[:;!?]|  |\.\.\.|\b[Uu]w?\b`, same: "error_host fault_linked " + rulesAlike,
	},
	"fr": {
		forms: map[string]int{"one": 1, "many": 1_000_000, "other": 2},
		typos: `['"]|[^\x{a0}\x{202f}:][:;!?»](?:$|[^/\w])|«[^\x{a0}\x{202f}]|  |\.\.\.|(?:^|[^\pL])(?:[Tt]u|[Tt]on|[Tt]es)\b`,
		same:  "error_host",
	},
}

// rulesAlike are parts of rules of recurrence that are the same in Dutch.
const rulesAlike = "rule_first_of_month rule_on_weekday rule_in rule_days_of_month rule_dates"

var oneOther = map[string]int{"one": 1, "other": 2}

// fixed are English texts that clients compare.
var fixed = map[string]string{
	"json_utf16":           "Single unpaired high surrogate in Unicode escape",
	"error_event_page":     "The requested event archive page does not exist",
	"error_venue_page":     "The requested venue archive page does not exist",
	"error_organizer_page": "The requested organizer archive page does not exist",
	"json_syntax":          "Syntax error",
	"json_depth":           "Maximum stack depth exceeded",
	"json_utf8":            "Malformed UTF-8 characters, possibly incorrectly encoded",
}

var variable = regexp.MustCompile(`\{\{[^}]*\}\}`)

// texts returns the texts of a language by id and plural form. A text without
// plural forms is an "other".
func texts(t *testing.T, language string) map[string]map[string]string {
	t.Helper()
	data, err := files.ReadFile("active." + language + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	raw, all := map[string]any{}, map[string]map[string]string{}
	if err := toml.Unmarshal(data, &raw); err != nil {
		t.Fatalf("%s: %v", language, err)
	}
	for id, v := range raw {
		all[id] = map[string]string{}
		switch v := v.(type) {
		case string:
			all[id]["other"] = v
		case map[string]any:
			for form, text := range v {
				all[id][form], _ = text.(string)
			}
		default:
			t.Fatalf("%s: %s is no text: %v", language, id, v)
		}
	}
	return all
}

// plural reports whether a text has plural forms.
func plural(text map[string]string) bool { return len(text) != 1 || text["other"] == "" }

func variables(text string) []string {
	list := variable.FindAllString(text, -1)
	slices.Sort(list)
	return list
}

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

func TestBundle(t *testing.T) {
	b, err := Bundle()
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, tag := range b.LanguageTags() {
		tags = append(tags, tag.String())
	}
	slices.Sort(tags)
	if !slices.Equal(tags, sorted(languages)) {
		t.Errorf("languages: %q", tags)
	}
	if other, _ := Bundle(); other == b {
		t.Error("what a host adds to its bundle is in everybody's")
	}
}

// TestForms checks that each text has the plural forms of its language, none of them empty, and all with the variables of
// the English text. A text that is missing is answered in English and is not an error: go run ./.ci/untranslated lists
// them.
func TestForms(t *testing.T) {
	english := texts(t, "en")
	for language, is := range languages {
		all := texts(t, language)
		for _, id := range sorted(all) {
			if english[id] == nil {
				t.Errorf("%s: %s is not in English", language, id)
				continue
			}
			want := []string{"other"}
			if plural(english[id]) {
				want = sorted(is.forms)
			}
			if got := sorted(all[id]); !slices.Equal(got, want) {
				t.Errorf("%s: %s has the forms %q, not %q", language, id, got, want)
			}
			for form, text := range all[id] {
				if strings.TrimSpace(text) == "" || strings.TrimSpace(text) != text {
					t.Errorf("%s: %s, %s: %q is empty or has blanks around it", language, id, form, text)
				}
				if got, want := variables(text), variables(english[id]["other"]); !slices.Equal(got, want) {
					t.Errorf("%s: %s, %s has the variables %q, not %q", language, id, form, got, want)
				}
			}
		}
	}
}

// TestTranslated checks that no text equals that of another language, unless it may.
func TestTranslated(t *testing.T) {
	english := texts(t, "en")
	for language, is := range languages {
		if language == "en" {
			continue
		}
		same := strings.Fields(is.same)
		for id, text := range texts(t, language) {
			for form, words := range text {
				if words == english[id][form] && !slices.Contains(same, id) {
					t.Errorf("%s: %s, %s is not translated: %q", language, id, form, words)
				}
			}
		}
		for _, id := range same {
			if !maps.Equal(texts(t, language)[id], english[id]) {
				t.Errorf("%s: %s needs no exception", language, id)
			}
		}
	}
	for id, text := range fixed {
		if english[id]["other"] != text {
			t.Errorf("%s is %q, not %q", id, english[id]["other"], text)
		}
	}
}

// TestNumbers checks that each number selects the intended plural form.
func TestNumbers(t *testing.T) {
	b, err := Bundle()
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for language, is := range languages {
		l := i18n.NewLocalizer(b, language)
		for id, text := range texts(t, language) {
			if !plural(text) {
				continue
			}
			counted++
			for form, n := range is.forms {
				data := map[string]any{
					"Max": n, "Count": n, "Names": "a, b", "Words": "a, b", "Rule": "a", "Days": "a, b", "Month": "a", "Year": n,
				}
				got, err := l.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data, PluralCount: n})
				want, errWant := i18n.NewLocalizer(single(t, text[form])).Localize(&i18n.LocalizeConfig{MessageID: "it",
					TemplateData: data})
				if err != nil || errWant != nil || got != want || strings.Contains(got, "<no value>") {
					t.Errorf("%s: %s of %d: %q (%v), want %q (%v)", language, id, n, got, err, want, errWant)
				}
			}
		}
	}
	if counted < 5*len(languages) {
		t.Errorf("%d texts with plural forms", counted)
	}
}

// single returns a bundle with an additional text.
func single(t *testing.T, text string) *i18n.Bundle {
	t.Helper()
	b, err := Bundle()
	if err == nil {
		err = b.AddMessages(b.LanguageTags()[0], &i18n.Message{ID: "it", Other: text})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTypography(t *testing.T) {
	for language, is := range languages {
		typo := regexp.MustCompile(is.typos)
		for id, text := range texts(t, language) {
			for _, words := range text {
				if found := typo.FindString(words); found != "" {
					t.Errorf("%s: %s: %q in %q", language, id, found, words)
				}
			}
		}
	}
	french := regexp.MustCompile(languages["fr"].typos)
	for text, wrong := range map[string]bool{
		"Un texte\u00a0: rien.": false, "Un texte : rien.": true, "Un texte: rien.": true, "une adresse https://example.org/.": false,
		"le slug «\u00a0x\u00a0».": false, "le slug « x ».": true, "l'adresse": true, "l’adresse": false,
	} {
		if french.MatchString(text) != wrong {
			t.Errorf("%q is wrong: %t", text, !wrong)
		}
	}
}
