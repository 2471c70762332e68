package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestPagesFollowFlagsAndSite checks that the pages have the name, the color and the first day of the week that are set
// by flags or on the site.
func TestPagesFollowFlagsAndSite(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	set := func(name, value string) {
		t.Helper()
		must.Get(bound.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", value).Where("option_name = ?", name).
			Exec(t.Context()))(t)
	}
	set(schema.OptionStartOfWeek, "0")
	set(schema.OptionBlogName, "Town &amp; Country")
	address, end := server(t, "-data", dir)
	_, front := get(t, address+"/")
	if !strings.Contains(front, `Town &amp; Country</a>`) || !strings.Contains(front, `<th scope="col"><span aria-hidden="true">Sun<`) ||
		strings.Index(front, ">Sun<") > strings.Index(front, ">Mon<") {
		t.Errorf("%.3000s", front)
	}
	end()
	set(schema.OptionStartOfWeek, "soon")
	address, end = server(t, "-data", dir, "-name", "Fêtes", "-colour", "#00f")
	defer end()
	_, front = get(t, address+"/nl/")
	if !strings.Contains(front, `Fêtes</span></a>`) || strings.Index(front, ">zo<") < strings.Index(front, ">ma<") {
		t.Errorf("%.3000s", front)
	}
	if resp, sheet := get(t, address+"/assets/agenda.css"); resp.StatusCode != http.StatusOK ||
		!strings.Contains(sheet, "--accent: #0000ff;") {
		t.Errorf("%d, no blue in the style", resp.StatusCode)
	}
}
