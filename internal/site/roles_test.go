package site

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// stored serializes pairs of names and values, in order.
func stored(pairs ...any) string { return phpval.Serialize(values(pairs...)) }

func values(pairs ...any) *phpval.Array {
	a := &phpval.Array{}
	for i := 0; i < len(pairs); i += 2 {
		a.Set(phpval.StrKey(pairs[i].(string)), pairs[i+1])
	}
	return a
}

func role(pairs ...any) *phpval.Array {
	return values("name", "Some", "capabilities", values(pairs...))
}

var someRoles = stored(
	"editor", role("read", true, "edit_tribe_events", 1, "publish_tribe_events", "1", "old", false),
	"subscriber", role("read", "true", "x", "0", "y", 0, "z", ""),
	"Editor", role("shout", true),
	"broken", "text", "empty", values("name", "No list"), "7", role("seventh", 1.5),
	"strict", role("read", false, "extra", true),
)

// granted returns the sorted names of the capabilities that are set.
func granted(c map[string]bool) []string {
	names := slices.Sorted(maps.Keys(c))
	return slices.DeleteFunc(names, func(n string) bool { return !c[n] })
}

func TestCapabilities(t *testing.T) {
	roles := ParseRoles(someRoles)
	golden.Each(t, "capabilities.txt", func(about, stored string, want []string) {
		if got := granted(roles.Capabilities(stored)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", about, got, want)
		}
	})
	if again := ParseRoles(someRoles); !reflect.DeepEqual(roles, again) {
		t.Error("asking for capabilities changed the roles")
	}
}

func TestCapabilitiesWithoutRoles(t *testing.T) {
	for _, text := range []string{"", "N;", "b:1;", "a:0:{}", "x", `a:1:{s:6:"editor";b:1;}`} {
		roles := ParseRoles(text)
		if got := granted(roles.Capabilities(stored("editor", true, "read", true))); !slices.Equal(got, []string{"editor", "read"}) {
			t.Errorf("roles %q: %q", text, got)
		}
	}
	if got := Roles(nil).Capabilities(stored("editor", true)); !got["editor"] || len(got) != 1 {
		t.Errorf("no roles at all: %v", got)
	}
}

// TestCapabilitiesAreShared checks that no map is built for the usual case, a single role.
func TestCapabilitiesAreShared(t *testing.T) {
	roles := ParseRoles(someRoles)
	a, b := roles.Capabilities(stored("editor", true)), roles.Capabilities(stored("editor", 1))
	if reflect.ValueOf(a).Pointer() != reflect.ValueOf(b).Pointer() {
		t.Error("two maps")
	}
	if c := roles.Capabilities(stored("editor", false)); reflect.ValueOf(a).Pointer() == reflect.ValueOf(c).Pointer() {
		t.Error("a map that an entry changes is shared")
	}
}

func TestRolesOfSettings(t *testing.T) {
	options := map[string]string{"s2_user_roles": someRoles, "using_application_passwords": "1"}
	c := &Cache{Prefix: "s2_",
		Options: func(_ context.Context, names []string) (map[string]string, error) {
			for _, name := range []string{"s2_user_roles", "using_application_passwords", "siteurl"} {
				if !slices.Contains(names, name) {
					t.Errorf("%s is not asked for", name)
				}
			}
			if slices.Contains(optionNames, "s2_user_roles") {
				t.Error("the name of one site's roles stays for all")
			}
			return maps.Clone(options), nil
		}}
	s, err := c.Settings(t.Context())
	if err != nil || !s.Roles["editor"]["edit_tribe_events"] || !s.ApplicationPasswords {
		t.Errorf("%v, %v, %v", s.Roles, s.ApplicationPasswords, err)
	}
	for value, want := range map[string]bool{"1": true, "yes": true, "0": false, "": false} {
		options["using_application_passwords"] = value
		if s, err := c.Settings(t.Context()); err != nil || s.ApplicationPasswords != want {
			t.Errorf("switch %q: %v, %v", value, s, err)
		}
	}
	delete(options, "using_application_passwords")
	delete(options, "s2_user_roles")
	if s, err := c.Settings(t.Context()); err != nil || s.ApplicationPasswords || len(s.Roles) != 0 {
		t.Errorf("nothing stored: %+v, %v", s, err)
	}
}

func FuzzCapabilities(f *testing.F) {
	f.Add(someRoles, stored("editor", true))
	f.Add(`a:1:{s:6:"editor";a:1:{s:12:"capabilities";b:1;}}`, `a:1:{i:0;s:6:"editor";}`)
	f.Add("x", "a:0:{}")
	f.Fuzz(func(t *testing.T, roles, user string) {
		r := ParseRoles(roles)
		before := ParseRoles(roles)
		if r.Capabilities(user) == nil && len(r) == 0 {
			t.Error("no map")
		}
		if !reflect.DeepEqual(r, before) {
			t.Error("the roles changed")
		}
	})
}
