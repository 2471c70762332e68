package rest_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/locales"
)

// ours returns the messages that the calendar contains.
func ours(t *testing.T) *i18n.Bundle {
	t.Helper()
	return must.Get(locales.Bundle())(t)
}

// bundle returns a bundle of a host, with messages by language.
func bundle(t *testing.T, texts map[string][]*i18n.Message) *i18n.Bundle {
	t.Helper()
	b := i18n.NewBundle(language.Swedish)
	for tag, messages := range texts {
		must.Succeed(t, b.AddMessages(language.MustParse(tag), messages...))
	}
	return b
}

// translated returns the translators of languages and the log to which they write.
func translated(bundles []*i18n.Bundle, tags ...string) (map[string]rest.Translator, *bytes.Buffer) {
	log := new(bytes.Buffer)
	return rest.Translators(tags, slog.New(slog.NewTextHandler(log, nil)), func() []*i18n.Bundle { return bundles }), log
}

// TestPluralForms checks that the count in the data selects the plural form of a message, by the rules of each
// language.
func TestPluralForms(t *testing.T) {
	m, log := translated([]*i18n.Bundle{nil, ours(t)}, "en", "nl", "fr")
	for want, got := range map[string]string{
		"At most 1 value is allowed.":                    m["en"].Text("fault_too_many", map[string]any{"Max": 1}),
		"At most 0 values are allowed.":                  m["en"].Text("fault_too_many", map[string]any{"Max": int64(0)}),
		"At most 100 values are allowed.":                m["en"].Text("fault_too_many", map[string]any{"Max": 100}),
		"Er is hoogstens 1 waarde toegestaan.":           m["nl"].Text("fault_too_many", map[string]any{"Max": 1}),
		"Er zijn hoogstens 200 waarden toegestaan.":      m["nl"].Text("fault_too_many", map[string]any{"Max": 200}),
		"Au maximum 0 valeur est autorisée.":             m["fr"].Text("fault_too_many", map[string]any{"Max": 0}),
		"Au maximum 1000 valeurs sont autorisées.":       m["fr"].Text("fault_too_many", map[string]any{"Max": int64(1000)}),
		"Au maximum 2000000 de valeurs sont autorisées.": m["fr"].Text("fault_too_many", map[string]any{"Max": 2_000_000}),
		"Invalid parameter: id":                          m["en"].Text("error_invalid_param", map[string]any{"Names": "id", "Count": 1}),
		"Invalid parameters: a, b":                       m["en"].Text("error_invalid_param", map[string]any{"Names": "a, b", "Count": 2}),
		"Paramètres manquants\u00a0: a, b": m["fr"].Text("error_missing_param",
			map[string]any{"Names": "a, b", "Count": 2, "Max": 1}),
		"La seule valeur possible est fr.":      m["fr"].Text("fault_one_of", map[string]any{"Words": "fr", "Count": 1}),
		"Gebruik graden van -90 tot en met 90.": m["nl"].Text("fault_coordinate", map[string]any{"Limit": 90}),
		"De tekst mag niet leeg zijn.":          m["nl"].Text("fault_text_empty", map[string]any{"Max": 1}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", log)
	}
}

// TestTextsOfTheHost checks that a host's message replaces the calendar's in its language, and that a message which
// neither has in a language is the English one, preferably the host's.
func TestTextsOfTheHost(t *testing.T) {
	host := bundle(t, map[string][]*i18n.Message{
		"sv": {{ID: "fault_strict", Other: "Ange true eller false."},
			{ID: "fault_too_many", One: "Bara {{.Max}} värde.", Other: "Bara {{.Max}} värden."}},
		"nl":    {{ID: "fault_strict", Other: "Zeg true of false."}, {ID: "fault_too_many", Other: "Hooguit {{.Max}}."}},
		"nl-BE": {{ID: "fault_string", Other: "Geef een tekst."}},
		"en":    {{ID: "fault_string", Other: "Give a text."}},
	})
	m, log := translated([]*i18n.Bundle{host, ours(t)}, "en", "en-GB", "nl", "nl-BE", "fr", "sv-FI", "ja")
	golden.Each(t, "translated.txt", func(tag, id string, number int, want string) {
		var data map[string]any
		if number > 0 {
			data = map[string]any{"Max": number}
		}
		if got := m[tag].Text(id, data); got != want {
			t.Errorf("%s: %s: %q, want %q", tag, id, got, want)
		}
	})
	if n := strings.Count(log.String(), "\n"); n != 2 || strings.Count(log.String(), "language=sv-FI") != 2 {
		t.Errorf("two texts are missing, both in Swedish; logged: %s", log)
	}
}

// TestMissingTexts checks that a message which is missing or broken in a language is logged once for each language.
func TestMissingTexts(t *testing.T) {
	host := bundle(t, map[string][]*i18n.Message{
		"sv": {{ID: "fault_strict", Other: "{{.Name"}, {ID: "fault_string", Other: "{{call .Name}}"}},
		"fr": {{ID: "fault_strict", Other: "{{.Name"}},
	})
	m, log := translated([]*i18n.Bundle{host, ours(t)}, "sv", "fr", "ja")
	atonce.Run(20, func(int) {
		for _, c := range [][3]string{
			{"sv", "fault_strict", "Use true or false."}, {"sv", "fault_string", "Use a string."},
			{"fr", "fault_strict", "Utilisez true ou false."},
			{"sv", "fault_event", "There is no such event."}, {"sv", "no_such", "no_such"}, {"ja", "no_such", "no_such"},
			{"ja", "fault_event", "There is no such event."},
		} {
			if got := m[c[0]].Text(c[1], nil); got != c[2] {
				t.Errorf("%s: %s: %q, want %q", c[0], c[1], got, c[2])
			}
		}
	})
	for line, level := range map[string]string{
		"id=fault_strict language=sv error=": "ERROR", "id=fault_string language=sv error=": "ERROR",
		"id=fault_strict language=fr error=": "ERROR",
		"id=fault_event language=sv\n":       "WARN", "id=no_such language=sv\n": "ERROR", "id=no_such language=ja\n": "ERROR",
	} {
		before, _, once := strings.Cut(log.String(), line)
		if strings.Count(log.String(), line) != 1 || !once || !strings.Contains(before[strings.LastIndex(before, "\n")+1:],
			"level="+level) {
			t.Errorf("%q is not logged once at %s: %s", line, level, log)
		}
	}
	if n := strings.Count(log.String(), "\n"); n != 6 {
		t.Errorf("%d lines: %s", n, log)
	}
}
