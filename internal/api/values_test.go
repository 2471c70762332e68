package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/cost"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// storedValue is a case of values.json: either rows of an event as any program may have written them, or a request; and
// the response of The Events Calendar.
type storedValue struct {
	Group string
	In    struct {
		Meta    map[string]any    `json:"postmeta"` // a string, several strings, or nil for no row
		Posts   map[string]string // columns of the event, and the status of its venue
		Request string
		Body    json.RawMessage
	}
	Out  map[string]any
	Note string
}

// values is the site that values.json describes.
type values struct {
	*calendar
	next int64
}

func openValues(t *testing.T) *values {
	c := open(t)
	c.Now = time.Date(2026, 11, 23, 9, 41, 0, 0, time.UTC)
	c.Settings.Links.Home, c.Settings.Links.Permalink = "http://127.0.0.1:8086", "/%postname%/"
	c.Settings.Location, c.Settings.ZoneName, c.Settings.UTC = strtotime.SiteZone("Europe/Brussels", 0), "Europe/Brussels", false
	c.Settings.CustomFields, c.Settings.Cost = nil, cost.Format{DefaultSymbol: "$"}
	for i := 1; i <= 3; i++ {
		c.Settings.CustomFields = append(c.Settings.CustomFields,
			site.CustomField{Name: fmt.Sprint("_ecp_custom_", i), Label: fmt.Sprintf("Field \"%d\" & <b>", i)})
	}
	names := schema.DefaultNames()
	for _, p := range []struct {
		id                      int64
		kind, title, status, pw string
	}{
		{1, "post", "First post", "publish", ""},
		{4901, names.Venue, "V1", "publish", ""}, {4902, names.Venue, "V2", "draft", ""}, {4904, names.Venue, "V4", "trash", ""},
		{4906, names.Venue, "V6", "private", ""}, {4907, names.Venue, "V7", "publish", "secret"},
		{4903, names.Organizer, "O1", "publish", ""}, {4905, names.Organizer, "O2", "publish", ""},
		{5000, names.Event, "E5000", "publish", ""},
	} {
		c.storePost(p.id, p.kind, p.title, p.status, p.pw)
	}
	return &values{c, 20_000}
}

// storePost stores a post.
func (c *calendar) storePost(id int64, kind, title, status, password string) {
	c.T.Helper()
	c.Exec("DELETE FROM ?(prefix)posts WHERE ID = ?", id)
	c.Exec("INSERT INTO ?(prefix)posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, "+
		"post_password, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type) VALUES "+
		"(?, 1, '2026-01-05 10:00:00', '2026-01-05 10:00:00', '', ?, '', ?, ?, ?, '', '', "+
		"'2026-01-05 10:00:00', '2026-01-05 10:00:00', '', ?)",
		id, title, status, password, strings.ToLower(title), kind)
}

// store stores the event of a case and returns its id.
func (s *values) store(v storedValue) int64 {
	s.T.Helper()
	s.next++
	id := s.next
	// The recorded response may contain the id of the event, so the event gets the same id.
	raw, _ := json.Marshal(v.Out)
	for _, before := range []string{"&p=", "/event/e"} {
		if _, rest, ok := strings.Cut(strings.ReplaceAll(string(raw), `\u0026`, "&"), before); ok {
			id, _ = strconv.ParseInt(rest[:4], 10, 64)
		}
	}
	status := "publish"
	if given, ok := v.In.Posts["status"]; ok {
		status = given
	}
	s.storePost(id, schema.DefaultNames().Event, fmt.Sprint("E", id), status, "")
	meta := map[string]any{
		"_EventStartDate": "2027-03-10 10:00:00", "_EventEndDate": "2027-03-10 12:00:00", "_EventStartDateUTC": "2027-03-10 09:00:00",
		"_EventEndDateUTC": "2027-03-10 11:00:00", "_EventDuration": "7200", "_EventTimezone": "Europe/Brussels",
		"_EventTimezoneAbbr": "CET", "_EventShowMap": "1", "_EventShowMapLink": "1",
	}
	for key, value := range v.In.Meta {
		meta[key] = value
	}
	for key, value := range meta {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, text := range list {
			if text != nil {
				s.Exec("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)", id, key, text)
			}
		}
	}
	for column, value := range v.In.Posts {
		switch column {
		case "status":
		case "venue status":
			venue, _ := strconv.ParseInt(v.In.Meta["_EventVenueID"].(string), 10, 64)
			s.storePost(venue, schema.DefaultNames().Venue, "VS", value, "")
		default:
			s.Exec("UPDATE ?(prefix)posts SET "+column+" = ? WHERE ID = ?", value, id)
		}
	}
	return id
}

// TestStoredValues checks the responses for values as any program may have stored them.
func TestStoredValues(t *testing.T) {
	s, used := openValues(t), map[string]bool{}
	otherwise := map[string]string{}
	golden.Each(t, "otherwise.txt", func(value, rule string) { otherwise[value] = rule })
	for i, v := range golden.Load[storedValue](t, "values.json", 427)[1:] {
		found := s.differences(v)
		if key := s.odd(v); len(found) > 0 && otherwise[key] != "" {
			used[key] = true
			continue
		}
		for _, d := range found {
			t.Errorf("%d %s %s%s%s: %s", i+1, v.Group, plain(v.In.Meta), v.In.Request, v.In.Body, d)
		}
	}
	for key := range otherwise {
		if !used[key] {
			t.Errorf("%s is answered as recorded", key)
		}
	}
}

// odd returns the value that a case is about.
func (s *values) odd(v storedValue) string {
	if strings.Contains(v.In.Request, "%00") || strings.Contains(string(v.In.Body), `\u0000`) {
		return "NUL"
	}
	if len(v.In.Body) > 0 {
		body := map[string]any{}
		_ = json.Unmarshal(v.In.Body, &body)
		if zone, ok := body["timezone"]; ok {
			return plain(zone)
		}
		return plain(body["end_date"])
	}
	for _, key := range []string{
		"_EventVenueID", "_EventOrganizerID", "_EventTimezone", "_EventStartDate", "_EventCurrencySymbol", "_ecp_custom_1",
	} {
		if value, ok := v.In.Meta[key]; ok {
			return plain(value)
		}
	}
	return ""
}

// plain formats a value as JSON.
func plain(v any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	raw, _ := json.Marshal(v)
	var numbers any // as float64, like the parsed cases
	_ = json.Unmarshal(raw, &numbers)
	_ = e.Encode(numbers)
	return strings.TrimSpace(out.String())
}

// differences sends the request of a case, or reads its event, and returns the differences from the recorded response.
func (s *values) differences(v storedValue) (list []string) {
	if v.In.Request != "" {
		return s.answered(v)
	}
	id := s.store(v)
	as := map[string]map[string]any{"": v.Out}
	for _, name := range []string{"anonymous", "admin"} {
		if out, ok := v.Out[name].(map[string]any); ok {
			delete(as, "")
			as[name] = out
		}
	}
	for name, want := range as {
		caller := ""
		if name == "admin" {
			caller = "admin"
		}
		a := s.Do(caller, "GET", fmt.Sprint("/events/", id), "")
		body := a.Body
		if _, ok := want["code"]; ok {
			body["status"] = float64(a.Status)
		}
		for member, recorded := range want {
			got := body[member]
			if of, part, ok := strings.Cut(member, "."); ok {
				outer, _ := body[of].(map[string]any)
				got = outer[part]
				switch {
				case part == "location" && got != nil:
					got = "present"
				case part == "location":
					got = "absent"
				case part == "organizer" && got != nil:
					named, _ := got.(map[string]any)
					got = named["name"]
				}
			}
			g, w := plain(s.reduced(member, got, recorded)), plain(recorded)
			if g != w {
				list = append(list, fmt.Sprintf("%s %d %s: %s, want %s", name, a.Status, member, g, w))
			}
		}
	}
	return list
}

// reduced removes from a member everything that was not recorded of it.
func (s *values) reduced(member string, got, recorded any) any {
	switch x := got.(type) {
	case []any:
		ids, ok := recorded.([]any)
		list := []any{}
		for i, e := range x {
			var want any
			if ok && i < len(ids) {
				want = ids[i]
			}
			if m, isObject := e.(map[string]any); isObject && member == "organizer" {
				list = append(list, m["id"])
				continue
			}
			list = append(list, s.reduced(member, e, want))
		}
		return list
	case map[string]any:
		want, ok := recorded.(map[string]any)
		if !ok && member == "venue" {
			want = map[string]any{"id": 0, "status": "", "venue": ""}
		}
		if want == nil || member == "custom_fields" {
			return got
		}
		kept := map[string]any{}
		for name, w := range want {
			if value, there := x[name]; there {
				kept[name] = s.reduced(name, value, w)
			} else if w == nil {
				kept[name] = nil
			}
		}
		return kept
	case string:
		if text, ok := recorded.(string); ok && strings.HasPrefix(text, "NOW") {
			return strings.Replace(x, s.Now.Format("2006-01-02T15:04:05"), "NOW", 1)
		}
	}
	return got
}

// answered sends the request of a case.
func (s *values) answered(v storedValue) (list []string) {
	method, target, _ := strings.Cut(v.In.Request, " ")
	target = "/" + strings.TrimPrefix(strings.TrimPrefix(target, "/wp-json/tribe/events/v1/"), "/")
	caller := ""
	if method == "POST" {
		caller = "admin"
	}
	a := s.Do(caller, method, target, string(v.In.Body))
	differ := func(name string, got, want any) {
		if g, w := plain(got), plain(want); g != w {
			list = append(list, fmt.Sprintf("%s: %s, want %s", name, g, w))
		}
	}
	for member, want := range v.Out {
		switch member {
		case "status":
			differ(member, float64(a.Status), want)
		case "total", "json_ld":
		case "params":
			params, _ := a.Body["data"].(map[string]any)
			for _, name := range want.([]any) {
				inner, _ := params["params"].(map[string]any)
				if _, ok := inner[name.(string)]; !ok {
					list = append(list, fmt.Sprintf("no fault of %s", name))
				}
			}
		case "rest_url":
			_, query, _ := strings.Cut(want.(string), "?")
			_, own, _ := strings.Cut(a.Word("rest_url"), "?")
			q, _ := url.ParseQuery(query)
			o, _ := url.ParseQuery(own)
			differ(member, o, q)
		case "postmeta":
			for key, value := range want.(map[string]any) {
				rows := s.Meta(a.ID(), key)
				if value == "NOW" && a.Status == 201 {
					continue
				}
				differ(key, strings.Join(rows, "|"), value)
			}
		default:
			differ(member, a.Body[member], want)
		}
	}
	return list
}
