package contract

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// callers stands in for authentication: it believes the header.
type callers map[string]calendar.Principal

// Authenticate finds the caller.
func (c callers) Authenticate(r *http.Request) (calendar.Principal, error) {
	name := r.Header.Get(apitest.CallerHeader)
	p, known := c[name]
	if name != "" && !known {
		return p, &calendar.AuthError{Err: errors.New("no such caller")}
	}
	return p, nil
}

// callersOf gives every role of a site one caller.
func callersOf(t testing.TB, db *bun.DB, prefix string) callers {
	t.Helper()
	var stored string
	err := db.NewSelect().Model((*schema.Option)(nil)).Column("option_value").
		Where("option_name = ?", schema.OptionUserRoles(prefix)).Scan(t.Context(), &stored)
	if err != nil {
		t.Fatal(err)
	}
	roles, err := phpval.Unserialize(stored)
	if err != nil {
		t.Fatal(err)
	}
	found := callers{}
	for name, user := range apitest.Users {
		p := calendar.Principal{UserID: user.ID, Login: name, Capabilities: map[string]bool{}}
		one, _ := roles.(*phpval.Array).Get(user.Role)
		granted, _ := one.(*phpval.Array).Get("capabilities")
		for k, v := range granted.(*phpval.Array).All() {
			p.Capabilities[k.String()] = phpval.Truthy(v)
			for _, kind := range newKinds() {
				own := strings.Replace(k.String(), "tribe_organizers", content.Family(kind.PostType), 1)
				p.Capabilities[own] = phpval.Truthy(v)
			}
		}
		if !p.Can("read") {
			t.Fatalf("role %s may not even read", user.Role)
		}
		found[name] = p
	}
	return found
}
