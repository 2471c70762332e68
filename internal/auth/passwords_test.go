package auth

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

var (
	noon    = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	uuidOf4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

// array returns a PHP array of pairs of keys and values.
func array(pairs ...any) *phpval.Array {
	a := &phpval.Array{}
	for i := 0; i < len(pairs); i += 2 {
		if n, ok := pairs[i].(int); ok {
			a.Set(phpval.IntKey(int64(n)), pairs[i+1])
		} else {
			a.Set(phpval.StrKey(pairs[i].(string)), pairs[i+1])
		}
	}
	return a
}

func item(uuid, hash string, lastUsed any, more ...any) *phpval.Array {
	pairs := []any{"password", hash, "last_used", lastUsed, "last_ip", nil}
	if uuid != "" {
		pairs = append([]any{"uuid", uuid}, pairs...)
	}
	return array(append(pairs, more...)...)
}

func TestFindTakesTheFirst(t *testing.T) {
	hash := fastHash("abc")
	list := array(3, item("other", fastHash("x"), nil), "seven", "no list", 9, item("first", hash, nil), 4, item("second", hash, nil), 5,
		array("password", 7))
	if got := find(list, newSecret("a b c")); got == nil || stringField(got, "uuid") != "first" {
		t.Errorf("%v", got)
	}
	if got := find(list, newSecret("7")); got != nil {
		t.Errorf("a number matches: %v", got)
	}
	if find(nil, newSecret("abc")) != nil || find(&phpval.Array{}, newSecret("abc")) != nil {
		t.Error("found in nothing")
	}
}

func TestRecordUse(t *testing.T) {
	now := noon.Unix()
	for _, c := range []struct {
		about    string
		last     any
		recorded bool
	}{
		{"never used", nil, true}, {"a second too young", now - 86399, false}, {"a day old", now - 86400, true},
		{"older", now - 86402, true},
		{"just now", now, false}, {"in the future", now + 999999, false}, {"a text", "1", true}, {"nonsense", "abc", true},
		{"an empty text", "", true},
	} {
		list := array(3, item("a", "x", nil, "extra", 1.5), 1, item("b", "hash", c.last))
		before := phpval.Serialize(list)
		changed := recordUse(list, "b", "hash", noon, "2001:db8::1")
		want := before
		if c.recorded {
			want = phpval.Serialize(array(3, item("a", "x", nil, "extra", 1.5), 1,
				array("uuid", "b", "password", "hash", "last_used", now, "last_ip", "2001:db8::1")))
		}
		if got := phpval.Serialize(list); changed != c.recorded || got != want {
			t.Errorf("%s: changed %v\n%s\n%s", c.about, changed, got, want)
		}
	}
}

func TestRecordUseOfDuplicates(t *testing.T) {
	list := array(0, item("same", "one", nil), 1, item("same", "two", nil))
	if !recordUse(list, "same", "two", noon, "::1") {
		t.Error("not recorded")
	}
	first, _ := list.Get("0")
	second, _ := list.Get("1")
	if stringField(first.(*phpval.Array), "last_ip") != "::1" || stringField(second.(*phpval.Array), "last_ip") != "" {
		t.Errorf("the first of two with one id is touched: %s", phpval.Serialize(list))
	}
	if recordUse(list, "same", "two", noon, "::1") {
		t.Error("recorded twice")
	}
	if before := phpval.Serialize(list); recordUse(list, "revoked", "three", noon, "::1") || phpval.Serialize(list) != before {
		t.Error("a password that is gone is recorded")
	}
}

// TestRecordUseMakesIDs checks that every password without an id gets one, as its last field.
func TestRecordUseMakesIDs(t *testing.T) {
	list := array(5, item("", "x", noon.Unix()), "k", "text", 2, item("b", "hash", noon.Unix()), 7, item("", "y", nil, "uuid", ""), 8,
		item("", "z", noon.Unix()))
	if !recordUse(list, "", "z", noon, "::1") || recordUse(list, "b", "hash", noon, "::1") {
		t.Error("changed once, at the first time")
	}
	var keys []string
	seen := map[string]bool{}
	for k, v := range list.All() {
		keys = append(keys, k.String())
		if one, ok := v.(*phpval.Array); ok {
			id := stringField(one, "uuid")
			if id != "b" && !uuidOf4.MatchString(id) || seen[id] {
				t.Errorf("id %q", id)
			}
			seen[id] = true
		}
	}
	first, _ := list.Get("5")
	if got := phpval.Serialize(first); !strings.Contains(got, `s:7:"last_ip";N;s:4:"uuid";s:36:`) ||
		strings.Join(keys, " ") != "5 k 2 7 8" {
		t.Errorf("%s, keys %v", got, keys)
	}
}

func TestAddPassword(t *testing.T) {
	stored, plain, err := AddPassword("", " tablet ", noon)
	must.Succeed(t, err)
	form := regexp.MustCompile(`^a:1:\{i:0;a:7:\{s:4:"uuid";s:36:"[-0-9a-f]{36}";s:6:"app_id";s:0:"";s:4:"name";s:6:"tablet";` +
		`s:8:"password";s:49:"\$generic\$[-_0-9A-Za-z]{40}";s:7:"created";i:1795262400;s:9:"last_used";N;s:7:"last_ip";N;\}\}$`)
	if !form.MatchString(stored) {
		t.Error(stored)
	}
	list, err := parseList(stored)
	if used := find(list, newSecret(plain)); err != nil || used == nil || !uuidOf4.MatchString(stringField(used, "uuid")) {
		t.Errorf("the password does not fit: %v, %v", used, err)
	}
	gaps := phpval.Serialize(array(7, item("a", "x", nil), 3, "kept", "name", 1.5))
	stored, _, err = AddPassword(gaps, "phone", noon)
	if err != nil || !strings.HasPrefix(stored, "a:4:"+gaps[4:len(gaps)-1]+"i:8;a:7:{") {
		t.Errorf("%s, %v", stored, err)
	}
	for _, c := range []struct{ stored, name string }{{"", ""}, {"", " \t"}, {"x", "n"}, {"b:1;", "n"}, {`O:8:"stdClass":0:{}`, "n"},
		{"a:1:{i:9223372036854775807;N;}", "n"}} {
		if stored, plain, err := AddPassword(c.stored, c.name, noon); err == nil || stored != "" || plain != "" {
			t.Errorf("%q %q: %q", c.stored, c.name, stored)
		}
	}
}

func TestRemovePasswords(t *testing.T) {
	list := func(names ...any) *phpval.Array {
		a := &phpval.Array{}
		for i, n := range names {
			if n != nil {
				a.Set(phpval.IntKey(int64(i)), array("uuid", "x", "name", n))
			}
		}
		return a
	}
	got, n, err := RemovePasswords(phpval.Serialize(list("a", "b", "a", "A")), "a")
	if want := phpval.Serialize(list(nil, "b", nil, "A")); err != nil || n != 2 || got != want {
		t.Errorf("%s %d %v", got, n, err)
	}
	if _, n, err := RemovePasswords("", "a"); n != 0 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if _, _, err := RemovePasswords("i:1;", "a"); !errors.Is(err, ErrPasswords) {
		t.Error(err)
	}
}

func TestListPasswords(t *testing.T) {
	stored := phpval.Serialize(array(2, item("a", "x", noon.Unix(), "name", "tablet", "created", 5, "last_ip", "::1"), 3, "no list", 4,
		item("b", "y", nil)))
	all, err := ListPasswords(stored)
	if err != nil || len(all) != 2 || all[0].UUID != "a" || all[0].Name != "tablet" || all[0].LastIP != "::1" ||
		!all[0].LastUsed.Equal(noon) || all[0].Created.Unix() != 5 || !all[1].LastUsed.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := ListPasswords("x"); !errors.Is(err, ErrPasswords) {
		t.Error(err)
	}
}

// FuzzStoredList checks that no stored list causes a panic, and that everything unknown in it is preserved.
func FuzzStoredList(f *testing.F) {
	f.Add(phpval.Serialize(array(3, item("", "900150983cd24fb0d6963f7d28e17f72", nil, "extra", array("deep", 1.5)), "k", nil)), "abc", "")
	f.Add(`a:1:{i:0;a:2:{s:8:"password";b:1;s:9:"last_used";d:1.0E+25;}}`, "x", "")
	f.Add(`a:2:{i:0;i:1;i:1;a:0:{}}`, "x", "")
	f.Fuzz(func(t *testing.T, stored, password, id string) {
		list, err := parseList(stored)
		if err != nil {
			return
		}
		before, _ := parseList(stored)
		hash := ""
		if used := find(list, newSecret(password)); used != nil {
			id, hash = stringField(used, "uuid"), stringField(used, "password")
		}
		changed := recordUse(list, id, hash, noon, "::1")
		again, err := parseList(phpval.Serialize(list))
		if err != nil || again.Len() != before.Len() || !changed && phpval.Serialize(list) != phpval.Serialize(before) {
			t.Fatalf("%q became %q", stored, phpval.Serialize(list))
		}
		unchanged(t, before, again)
		if longer, _, err := AddPassword(stored, "name", noon); err == nil {
			if back, n, err := RemovePasswords(longer, "name"); err != nil || n == 0 || stored != "" && len(back) > len(longer) {
				t.Errorf("%q: %q, %d, %v", longer, back, n, err)
			}
		}
	})
}

// unchanged compares keys, order and fields, except for those that a use changes.
func unchanged(t *testing.T, before, after *phpval.Array) {
	t.Helper()
	var keys []phpval.Key
	for k := range after.All() {
		keys = append(keys, k)
	}
	i := 0
	for k, v := range before.All() {
		got, _ := after.GetKey(k)
		old, isList := v.(*phpval.Array)
		if keys[i] != k || !isList && phpval.Serialize(got) != phpval.Serialize(v) {
			t.Fatalf("element %v: %v", k, got)
		}
		i++
		for name, value := range old.All() {
			now, _ := got.(*phpval.Array).GetKey(name)
			ours := name.String() == fieldUUID || name.String() == fieldLastUsed || name.String() == fieldLastIP
			if isList && !ours && phpval.Serialize(now) != phpval.Serialize(value) {
				t.Fatalf("field %v of %v: %v", name, k, now)
			}
		}
	}
}
