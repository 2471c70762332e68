package eventlist

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestStorable(t *testing.T) {
	for date, want := range map[string]string{
		"2026-11-21 05:24:00": "2026-11-21 05:24:00", "0001-01-01 00:00:00": "0001-01-01 00:00:00",
		"9999-12-31 23:59:59": "9999-12-31 23:59:59",
		"0000-00-00 00:00:00": "0001-01-01 00:00:00", "-0001-11-30 00:00:00": "0001-01-01 00:00:00",
		"10000-01-01 00:00:00": "9999-12-31 23:59:59", "123456-01-01 00:00:00": "9999-12-31 23:59:59",
	} {
		golden.Equal(t, date, storable(date), want)
	}
}

func TestOperator(t *testing.T) {
	for op, want := range map[string]string{">=": ">=", "<=": "<=", ">": ">", "<": "<", "": "=", "; DROP": "=", "<>": "="} {
		golden.Equal(t, op, operator(op), want)
	}
}
