package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// oddEverywhere sends odd values in every declared parameter of reads. None may cause a server error.
func oddEverywhere(t *testing.T, e Engine) {
	s, items := oneOfEach(t, e)
	c, values := s.client(calendar.Options{}), words("odd values")
	for k, o := range operations(t, c, items) {
		for _, p := range o.params[:o.declared] {
			for i, v := range values {
				if !p.takes(i) || e.skips(i/p.of+k) {
					continue
				}
				queries := []string{p.name + "=" + v}
				if i%16 == 0 {
					queries = append(queries, p.name+"[]="+v, p.name+"[x][y]="+v)
				}
				for _, query := range queries {
					r := s.fill(o.path) + "?" + strings.ReplaceAll(strings.ReplaceAll(query, "½", "%C2%BD"), "\\", "%5C")
					if a := c.Get("", r); a.Status >= 500 && !hasNoJournal(a) {
						t.Errorf("%s: %d %s", a.Request, a.Status, apitest.Clip(a.Text))
					}
				}
			}
		}
	}
}
