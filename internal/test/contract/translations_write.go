package contract

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
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
		for _, w := range []request{
			{"POST", "/events", wholeEvent}, {"POST", "/categories", `{"name":"Neuf"}`},
			{"DELETE", "/events/{feest}?force=true", ""}, {"DELETE", "/tags/{gratis}", ""},
		} {
			was := p.Rows()
			for n := 1; ; n += e.steps() {
				if a := p.get("nl", "/tags"); a.Status != http.StatusOK {
					t.Fatal(a.Text)
				}
				p.counter.Reset()
				reached := false
				p.counter.Before(func(_ context.Context, i int, _ string) error {
					if i != n || p.counter.Transactions().Committed > 0 {
						return nil
					}
					reached = true
					return errors.New("refused")
				})
				a := p.DoWithin(t.Context(), "admin", w.method, p.fill(w.path), p.fill(w.body))
				p.counter.Reset()
				if !reached {
					if a.Status/100 != 2 || n < 10 {
						t.Errorf("%s: %d after %d statements %s", a.Request, a.Status, n, a.Text)
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
