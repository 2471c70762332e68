package replication

import (
	"reflect"
	"testing"
)

func TestPosition(t *testing.T) {
	for text, want := range map[string]Position{
		"0-1-7": {"0": {{0, 7}}}, "0-1-7,0-2-9": {"0": {{0, 9}}}, "0-1-7, 3-2-1": {"0": {{0, 7}}, "3": {{0, 1}}},
	} {
		if p, err := parseDomains(text); err != nil || !reflect.DeepEqual(p, want) {
			t.Errorf("%s: %v %v", text, p, err)
		}
	}
	for text, want := range map[string]Position{
		"A:1-7":                      {"a": {{1, 7}}},
		"a:1-7:9:11-12,\nb:3":        {"a": {{1, 7}, {9, 9}, {11, 12}}, "b": {{3, 3}}},
		"a:1-3:Tag:1-4:other:1, b:2": {"a": {{1, 3}}, "a:tag": {{1, 4}}, "a:other": {{1, 1}}, "b": {{2, 2}}},
	} {
		if p, err := parseSet(text); err != nil || !reflect.DeepEqual(p, want) {
			t.Errorf("%s: %v %v", text, p, err)
		}
	}
	for _, text := range []string{"", "x", "0-1", "a-1-2", "0-1-b", "0-1-7,", "5000000000-1-1"} {
		if p, err := parseDomains(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
	for _, text := range []string{"", "x", "a:1-", "a:2-1", "a:1-x", "a:1,", "a:x-1"} {
		if p, err := parseSet(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
	for _, c := range []struct {
		p, other string
		want     bool
	}{
		{"a:7", "a:7", true}, {"a:1-8", "a:1-7", true}, {"a:1-6", "a:1-7", false}, {"a:1-3:5-9", "a:1-7", false},
		{"a:1-3:5-9", "a:1-2:6", true}, {"a:1-7", "a:1-7,b:1", false}, {"a:1-7,b:1-2", "a:7", true}, {"a:1-7", "a:tag:1", false},
	} {
		p, _ := parseSet(c.p)
		other, _ := parseSet(c.other)
		if got := p.Reached(other); got != c.want || !p.Reached(nil) || Position(nil).Reached(p) {
			t.Errorf("%s has reached %s: %v", c.p, c.other, got)
		}
	}
	p, _ := parseDomains("0-1-8")
	other, _ := parseDomains("0-2-7")
	if !p.Reached(other) || other.Reached(p) || p.Last()["0"] != 8 {
		t.Errorf("%v, %v", p, other)
	}
}
