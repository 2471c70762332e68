package contract

import (
	"context"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// languageOptions checks which options are rejected.
func languageOptions(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		absent := map[string]calendar.Translations{"table": calendar.TranslationsTerms, "terms": calendar.TranslationsTable}[p.form]
		for about, opts := range map[string]calendar.Options{
			"a form that is not there": {Site: calendar.Site{Translations: absent}},
			"an unknown form":          {Site: calendar.Site{Translations: "files"}},
			"an unknown default":       {Site: calendar.Site{DefaultLanguage: "de"}},
			"one code for two":         {Languages: []calendar.Language{languages[0], {Tag: "nl-BE", Code: "nl", BaseURL: Site + "/be"}}},
		} {
			opts.DB, opts.Site.Prefix = p.host, p.prefix
			if opts.Languages == nil {
				opts.Languages = languages
			}
			if _, err := calendar.New(context.Background(), opts); err == nil || !strings.HasPrefix(err.Error(), "calendar: options: ") {
				t.Errorf("%s: %v", about, err)
			}
		}
	})
}
