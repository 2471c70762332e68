package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// oddValues are values that look like others, for parameters of any type.
var oddValues = []string{
	"-0", "+5", "%2B5", "007", "0x10", "1e3", "1E400", "-1e400", "1.5", "2031.125", ".5", "5.", "12345678901234567890", "-12345678901234567890",
	"9223372036854775807", "9223372036854775808", "NaN", "Inf", "true", "false", "null", "%20", "%09%0A", "%C2%A0", "%EF%BC%95", "%D9%A5", "%25", "%25%25", "100%25", "%", "_", "*",
	"0", "00", "-1", "1,", ",1", "1,,1", "1;2", "1|2", "1%202", "'", "\\", "[]", "{}", "1/2", "%E2%88%921", "½",
}

// oddEverywhere gives every parameter of every read odd values: none is a failure
// of the service.
func oddEverywhere(t *testing.T, e Engine) {
	s, items := exhibits(t, e)
	c := s.client(calendar.Options{})
	for _, o := range operations(t, c, items) {
		for _, name := range o.params[:o.declared] {
			for i, v := range oddValues {
				queries := []string{name + "=" + v}
				if i%16 == 0 {
					queries = append(queries, name+"[]="+v, name+"[x][y]="+v)
				}
				for _, query := range queries {
					r := s.fill(o.path) + "?" + strings.ReplaceAll(strings.ReplaceAll(query, "½", "%C2%BD"), "\\", "%5C")
					if a := c.Get("", r); a.Status >= 500 {
						t.Errorf("%s: %d %s", a.Request, a.Status, apitest.Clip(a.Text))
					}
				}
			}
		}
	}
}
