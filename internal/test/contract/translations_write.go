package contract

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

const wholeEvent = `{"title":"Nieuw","start_date":"2030-08-01 10:00","end_date":"2030-08-01 11:00","venue":{"venue":"Place"},
	"organizer":[{"organizer":"Gens"}],"categories":["Jamais vu"],"tags":["Pas encore"]}`

// groupsAtOnce checks that items that are created concurrently get separate translation groups.
func groupsAtOnce(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		p.host.SetMaxOpenConns(16)
		answers := p.together(repeated(writers, func(i int) request {
			path, body := "/tags", fmt.Sprintf(`{"name":"at once %d"}`, i)
			if i%2 == 0 {
				path, body = "/venues", `{"venue":"At once"}`
			}
			return request{"POST", path + "?i18n_language=" + []string{"nl", "en", "fr"}[i%3], body}
		}))
		p.all(answers, http.StatusCreated)
		p.ownGroups()
		p.counts()
		for i, a := range answers {
			kind := map[bool]string{true: "tribe_venue", false: "post_tag"}[i%2 == 0]
			if got := p.record(kind, a.Number("id")); got != p.alone(kind, []string{"nl", "en", "fr"}[i%3], a.Number("id")) {
				t.Errorf("%s: %s", a.Request, got)
			}
		}
	})
}

// languageWritesFail checks that a write with a failing statement stores no language, and that a failed deletion
// removes none.
func languageWritesFail(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		f := &faults{bench: p.bench}
		for _, w := range []writeCase{
			{name: "event", method: "POST", path: "/events", body: wholeEvent},
			{name: "category", method: "POST", path: "/categories", body: `{"name":"Neuf"}`},
			{name: "event that is deleted", method: "DELETE", path: "/events/{feest}?force=true"},
			{name: "tag that is deleted", method: "DELETE", path: "/tags/{gratis}"},
		} {
			was := p.Rows()
			for n := 1; ; n += e.steps() {
				a, reached, committed := f.try(w, n, func(func()) error { return errRefused })
				if !reached || committed {
					if a.Verdict() == "503 rest_outcome_unknown" && reached && w.readsAnswer() > 0 { // its answer could not be read
						p.log.taken()
					} else {
						f.done(w, a)
					}
					if n < 10 {
						t.Errorf("%s: %d statements", a.Request, n)
					}
					break
				}
				if lines := was.Differences(p.Rows()); a.Status != http.StatusInternalServerError || len(lines) > 0 {
					t.Errorf("%s, statement %d: %d, rows differ\n%s", a.Request, n, a.Status, strings.Join(lines, "\n"))
				}
				p.log.taken()
			}
		}
	})
}

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
