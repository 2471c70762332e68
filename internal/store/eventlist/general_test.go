package eventlist

import (
	"testing"
)

func TestStorable(t *testing.T) {
	for date, want := range map[string]string{
		"2026-11-21 05:24:00": "2026-11-21 05:24:00", "0001-01-01 00:00:00": "0001-01-01 00:00:00",
		"9999-12-31 23:59:59": "9999-12-31 23:59:59",
		"0000-00-00 00:00:00": "0001-01-01 00:00:00", "-0001-11-30 00:00:00": "0001-01-01 00:00:00",
		"10000-01-01 00:00:00": "9999-12-31 23:59:59", "123456-01-01 00:00:00": "9999-12-31 23:59:59",
	} {
		if got := storable(date); got != want {
			t.Errorf("%s: %s, want %s", date, got, want)
		}
	}
}

func TestOperator(t *testing.T) {
	for op, want := range map[string]string{">=": ">=", "<=": "<=", ">": ">", "<": "<", "": "=", "; DROP": "=", "<>": "="} {
		if got := operator(op); got != want {
			t.Errorf("%q: %q", op, got)
		}
	}
}
