package contract

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// callers is an Authenticator that trusts the header.
type callers map[string]calendar.Principal

// Authenticate returns the caller that the header names.
func (c callers) Authenticate(r *http.Request) (calendar.Principal, error) {
	name := r.Header.Get(apitest.CallerHeader)
	p, known := c[name]
	if name != "" && !known {
		return p, &calendar.AuthError{Err: errors.New("no such caller")}
	}
	return p, nil
}

// callersOf returns one caller for every role of a site.
func callersOf(t testing.TB, db *bun.DB, prefix string) callers {
	t.Helper()
	roles := rolesOf(t, db, prefix)
	found := callers{}
	for name, user := range apitest.Users {
		p := calendar.Principal{UserID: user.ID, Login: name, Capabilities: map[string]bool{}}
		for k, v := range roles.ArrayAt(user.Role).ArrayAt("capabilities").All() {
			p.Capabilities[k.String()] = phpval.Truthy(v)
		}
		if !p.Can("read") {
			t.Fatalf("role %s may not even read", user.Role)
		}
		found[name] = p
	}
	return found
}

// rolesOf reads the roles of a site. On each new resource they get the rights that they have on organizers.
func rolesOf(t testing.TB, db *bun.DB, prefix string) *phpval.Array {
	t.Helper()
	var stored string
	must.Succeed(t, db.NewSelect().Model((*schema.Option)(nil)).Column("option_value").
		Where("option_name = ?", schema.OptionUserRoles(prefix)).Scan(t.Context(), &stored))
	value := must.Get(phpval.Unserialize(stored))(t)
	roles, ok := value.(*phpval.Array)
	if !ok {
		t.Fatalf("the roles are %T", value)
	}
	for role := range roles.All() {
		capabilities := roles.ArrayAt(role.String()).ArrayAt("capabilities")
		for name, v := range maps.Collect(capabilities.All()) {
			for _, kind := range newKinds() {
				own := strings.Replace(name.String(), "tribe_organizers", content.Family(kind.PostType), 1)
				capabilities.Set(phpval.StrKey(own), v)
			}
		}
	}
	return roles
}

// GrantNewKinds stores the rights to new resources, which a recorded site lacks, in the roles of the site.
func GrantNewKinds(t testing.TB, db *bun.DB, prefix string) {
	t.Helper()
	bound := must.Get(schema.Bind(db, prefix))(t)
	must.Get(bound.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", phpval.Serialize(rolesOf(t, bound, prefix))).
		Where("option_name = ?", schema.OptionUserRoles(prefix)).Exec(t.Context()))(t)
}
