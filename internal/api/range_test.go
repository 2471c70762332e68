package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// calendarRange is the stored range of the calendar: dates and the ids at them.
func (c *calendar) calendarRange() string {
	c.T.Helper()
	v, err := phpval.Unserialize(c.option(schema.OptionCalendar))
	options, ok := v.(*phpval.Array)
	if err != nil || !ok {
		c.T.Fatalf("the option is broken: %v", err)
	}
	var parts []string
	for _, name := range []string{"earliest_date", "earliest_date_markers", "latest_date", "latest_date_markers"} {
		v, stored := options.Get(name)
		switch x := v.(type) {
		case *phpval.Array:
			for _, id := range x.All() {
				if _, number := id.(int64); !number {
					c.T.Errorf("%s: %v is no number", name, id)
				}
				parts = append(parts, fmt.Sprint(id))
			}
		default:
			parts = append(parts, map[bool]string{true: fmt.Sprint(x), false: "none"}[stored])
		}
	}
	return strings.Join(parts, " ")
}

// others are the settings without the range.
func (c *calendar) others() string {
	c.T.Helper()
	v, _ := phpval.Unserialize(c.option(schema.OptionCalendar))
	options, _ := v.(*phpval.Array)
	for _, name := range []string{"earliest_date", "earliest_date_markers", "latest_date", "latest_date_markers"} {
		options.Delete(phpval.StrKey(name))
	}
	return phpval.Serialize(options)
}

func TestRange(t *testing.T) {
	c := open(t)
	const first, last = "2019-01-22 08:30:00 165", "2032-03-01 22:59:59 177"
	others := c.others()
	check := func(what, want string) {
		t.Helper()
		if got := c.calendarRange(); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
		if got := c.others(); got != others {
			t.Errorf("%s: other settings are %s, were %s", what, got, others)
		}
	}
	check("at first", first+" "+last)
	updated := c.option(schema.OptionLastUpdated)
	c.create("admin", "Within", `,"start_date":"2031-01-01","end_date":"2031-01-02"`)
	early := fmt.Sprintf
	id := c.must("admin", "POST", "/events", `{"title":"Draft","start_date":"2010-01-01","end_date":"2040-01-01","status":"draft"}`).ID()
	check("a draft", first+" "+last)
	if got := c.option(schema.OptionLastUpdated); got != updated {
		t.Errorf("last updated %s, was %s", got, updated)
	}
	whole := early("2009-12-31 23:00:00 %d 2039-12-31 23:00:00 %d", id, id)
	for _, w := range []struct{ fields, want string }{
		{`"status":"publish"`, whole},
		{`"status":"private"`, whole},
		{`"status":"pending"`, first + " " + last},
		{`"status":"publish"`, whole},
		{`"start_date":"2025-01-01"`, early("%s 2039-12-31 23:00:00 %d", first, id)},
		{`"start_date":"2010-01-01","end_date":"2010-01-02"`, early("2009-12-31 23:00:00 %d %s", id, last)},
		{`"timezone":"UTC"`, early("2010-01-01 00:00:00 %d %s", id, last)},
		{`"date":"2035-01-01"`, first + " " + last},
		{`"date":"2025-01-01"`, early("2010-01-01 00:00:00 %d %s", id, last)},
		{`"status":"trash"`, first + " " + last},
		{`"status":"publish"`, early("2010-01-01 00:00:00 %d %s", id, last)},
	} {
		c.change("admin", id, "{"+w.fields+"}")
		check(w.fields, w.want)
	}
	if got := c.option(schema.OptionLastUpdated); got == updated {
		t.Errorf("the option changed, but it was last updated %s", got)
	}
	c.must("admin", "DELETE", fmt.Sprintf("/events/%d?force=true", id), "")
	check("deleted", first+" "+last)
	c.must("admin", "DELETE", "/events/165?force=true", "")
	if got := c.calendarRange(); strings.HasPrefix(got, first) || !strings.HasSuffix(got, last) {
		t.Errorf("without the first event: %s", got)
	}

	// Without any event there is no range.
	c.Exec("UPDATE wp_posts SET post_status = 'draft' WHERE post_type = 'tribe_events' AND ID <> 177")
	c.trash(177)
	check("nothing published", "none none none none")
	only := c.must("admin", "POST", "/events", `{"title":"Only","start_date":"2033-01-01","end_date":"2033-01-01"}`).ID()
	check("the only one", early("2032-12-31 23:00:00 %d 2032-12-31 23:00:00 %d", only, only))
}

// What is stored and cannot be read is not the service's to repair.
func TestUnreadableRange(t *testing.T) {
	c := open(t)
	for _, value := range []string{`a:2:{s:3:"broken`, `s:4:"text";`, `i:5;`, `plain`} {
		c.Exec("UPDATE wp_options SET option_value = ? WHERE option_name = ?", value, schema.OptionCalendar)
		id := c.must("admin", "POST", "/events", `{"title":"Early","start_date":"2001-01-01","end_date":"2041-01-01"}`).ID()
		c.trash(id)
		if got := c.option(schema.OptionCalendar); got != value {
			t.Errorf("%s became %s", value, got)
		}
	}
	for _, name := range []string{"", "no row"} {
		c.Exec("UPDATE wp_options SET option_value = '' WHERE option_name = ?", schema.OptionCalendar)
		if name != "" {
			c.Exec("DELETE FROM wp_options WHERE option_name = ?", schema.OptionCalendar)
		}
		id := c.must("admin", "POST", "/events", `{"title":"Early","start_date":"2001-01-01","end_date":"2041-01-01"}`).ID()
		if got, want := c.calendarRange(), fmt.Sprintf("2000-12-31 23:00:00 %d 2040-12-31 23:00:00 %d", id, id); got != want {
			t.Errorf("option %q: %s, want %s", name, got, want)
		}
		c.trash(id)
	}
}
