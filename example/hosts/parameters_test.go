package hosts_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// TestLongParametersAreTheirSchemas checks every parameter and every member of a body in the OpenAPI document of a calendar
// with a host's fields, filters and routes: values that its schema allows must not be rejected, and values that it
// forbids must be rejected by the parameter's name and store nothing. The values are those at and around the limits of
// the schema, its examples and enumeration, and one of each JSON type. An independent implementation of JSON Schema
// decides which of them are allowed.
func TestLongParametersAreTheirSchemas(t *testing.T) {
	s := calendartest.New(t, declareAll)
	operations := readOperations(t, s.Handler)
	linked := linkedItems(t, s)
	values := 0
	for _, op := range operations {
		op.linked = linked
		p := &prober{t: t, s: s, op: op}
		before := p.stored()
		for _, param := range op.params {
			values += p.forbidden(param)
		}
		if p.stored() != before {
			t.Errorf("%s: a refused value was stored", op.id)
		}
		for _, param := range op.params {
			values += p.allowed(param)
		}
	}
	// An added resource has further operations.
	if added := len(linked) - 2; len(operations) < 64 || added == 0 && len(operations) != 64 || values < 6500 {
		t.Errorf("%d operations, %d values", len(operations), values)
	}
}

// linkedItems returns the id of an item of each resource that events link, by the name of the parameter that links it.
// If the site's roles do not know a resource, the administrator gets the rights on it.
func linkedItems(t *testing.T, s *calendartest.Site) map[string]int64 {
	t.Helper()
	ids := map[string]int64{"venue": calendartest.VenueHall, "organizer": calendartest.OrganizerBand}
	for _, k := range contract.Declared().Linked {
		if ids[k.Name] != 0 {
			continue
		}
		rights, n := "", 0
		for _, right := range strings.Fields("edit edit_others edit_published publish delete delete_others delete_published") {
			right += "_" + k.PostType + "s"
			rights += fmt.Sprintf(`s:%d:"%s";b:1;`, len(right), right)
			n++
		}
		must.Get(s.DB.NewRaw("UPDATE wp_usermeta SET meta_value = ? WHERE user_id = ? AND meta_key = 'wp_capabilities'",
			fmt.Sprintf(`a:%d:{s:13:"administrator";b:1;%s}`, n+1, rights), calendartest.AdministratorID).Exec(t.Context()))(t)
		p := &prober{t: t, s: s, op: &operation{collection: k.Collection, id: k.Name}}
		ids[k.Name] = p.create()
	}
	return ids
}

// asAdministrator authenticates every caller as the administrator.
type asAdministrator struct{}

func (asAdministrator) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: calendartest.AdministratorID}, nil
}

// declareAll adds fields of every type, every filter by them, and routes with parameters of every type.
func declareAll(o *calendar.Options) {
	o.Authenticator = asAdministrator{}
	for _, kind := range []string{"events", "organizers", "tags"} {
		for _, f := range []calendar.Field{
			{Name: "dress", Type: calendar.FieldText, Max: float64Pointer(12), Example: "Black tie"},
			{Name: "seats", Type: calendar.FieldNumber, Min: float64Pointer(-2), Max: float64Pointer(50.5)},
			{Name: "lift", Type: calendar.FieldYesNo},
			{Name: "doors", Type: calendar.FieldDate},
			{Name: "level", Type: calendar.FieldChoice, Choices: []string{"easy", "hard"}},
			{Name: "patrons", Type: calendar.FieldList, Max: float64Pointer(3)},
			{Name: "report", Type: calendar.FieldPost},
			{Name: "poster", Type: calendar.FieldImage},
		} {
			f.Kind, f.Key, f.Description = kind, "host_"+f.Name, "What "+f.Name+" is."
			o.Fields = append(o.Fields, f)
		}
	}
	for field, ops := range map[string][]string{
		"dress": {calendar.FilterEquals, calendar.FilterOneOf, calendar.FilterContains},
		"seats": {calendar.FilterEquals, calendar.FilterOneOf, calendar.FilterRange},
		"lift":  {calendar.FilterEquals}, "doors": {calendar.FilterEquals, calendar.FilterOneOf, calendar.FilterRange},
		"level": {calendar.FilterEquals, calendar.FilterOneOf}, "patrons": {calendar.FilterOneOf, calendar.FilterContains},
		"report": {calendar.FilterEquals, calendar.FilterOneOf},
	} {
		for _, op := range ops {
			o.Filters = append(o.Filters, calendar.Filter{
				Kind: "events", Name: field + "_" + strings.ReplaceAll(op, "-", "_"), Field: field, Op: op, Description: "Events by it.",
			})
		}
	}
	for _, r := range [][2]string{
		{"GET", "/echo"}, {"POST", "/echo"}, {"PUT", "/echo/{n}/of/{word}"}, {"DELETE", "/echo/{n}/of/{word}"},
	} {
		route := echo(r[0], r[1])
		route.Params = append(route.Params,
			calendar.Param{Name: "needed", Type: calendar.FieldText, Required: true, Max: float64Pointer(4), Description: "A text."},
			calendar.Param{Name: "some", Type: calendar.FieldList, Required: true, Description: "Texts."})
		o.Routes = append(o.Routes, route)
	}
}

// prober sends values of the parameters of an operation.
type prober struct {
	t    *testing.T
	s    *calendartest.Site
	op   *operation
	path string // path of an item, or "" if an item must be created first
	made int
}

// forbidden sends the values that the schema of a parameter forbids, and returns their number.
func (p *prober) forbidden(param *parameter) (sent int) {
	for _, v := range param.values {
		if v == nil || param.allows(v) || param.converts(v) { // null counts as no value unless the schema allows it
			continue
		}
		sent++
		status, answer := p.send(param, v)
		if named := p.names(param, status, answer); !named && !(param.in == "path" && status == http.StatusNotFound) {
			p.t.Errorf("%s: %s takes %s: %d %.200s", p.op.id, param.name, clipValue(v), status, answer)
		}
	}
	return sent
}

// allowed sends the values that the schema of a parameter allows, and returns their number.
func (p *prober) allowed(param *parameter) (sent int) {
	if p.path == "" {
		p.path = p.item()
	}
	values, all := p.op.valuesThatExist(param), true
	if values == nil {
		values, all = param.values, false
	}
	done := false
	for _, v := range values {
		if !param.allows(v) {
			if all {
				p.t.Errorf("%s: %s allows no %s", p.op.id, param.name, clipValue(v))
			}
			continue
		}
		sent++
		status, answer := p.send(param, v)
		if p.names(param, status, answer) || status == http.StatusInternalServerError {
			p.t.Errorf("%s: %s refuses %s: %d %.300s", p.op.id, param.name, clipValue(v), status, answer)
		}
		// A site without a journal answers sync with 501, but only if the parameters are valid.
		done = done || status < http.StatusBadRequest || status == http.StatusNotImplemented
		if status >= http.StatusBadRequest || p.op.method != http.MethodGet {
			p.path = "" // the item may have been deleted, or may have another slug
		}
	}
	if !done && len(values) > 0 {
		p.t.Errorf("%s: no value of %s came through", p.op.id, param.name)
	}
	return sent
}

// names reports whether an answer rejects a parameter by its name.
func (p *prober) names(param *parameter, status int, answer string) bool {
	if status != http.StatusBadRequest {
		return false
	}
	var refusal struct {
		Data struct{ Params json.RawMessage }
	}
	if err := json.Unmarshal([]byte(answer), &refusal); err != nil {
		p.t.Errorf("%s: %v: %s", p.op.id, err, answer)
	}
	// Tags have no parent, which a separate code states.
	flat := param.name == "parent" && strings.Contains(answer, `"code":"rest_taxonomy_not_hierarchical"`)
	named := string(refusal.Data.Params)
	return flat || strings.Contains(named, `"`+param.name+`"`) || strings.Contains(named, `"`+param.name+`[`) // one of its elements
}

// send sends a request with a value of a parameter, and with what else the operation requires.
func (p *prober) send(param *parameter, v any) (status int, answer string) {
	if p.path == "" {
		p.path = p.item()
	}
	path, query, body := p.path, url.Values{}, map[string]any{}
	switch {
	case p.op.own && p.op.hasBody:
		body["needed"], body["some"] = "x", []any{"x"}
	case p.op.own:
		query.Set("needed", "x")
		query.Set("some", "x")
	case p.op.path == "/batch":
		body["requests"] = []any{map[string]any{"path": "/tags/1"}}
	case p.op.creates:
		body = p.fresh()
	}
	switch param.in {
	case "path":
		path = strings.ReplaceAll(p.op.path, "{"+param.name+"}", url.PathEscape(inQuery(v)))
		path = strings.NewReplacer("{n}", "1", "{word}", "x").Replace(path)
	case "query":
		if other := map[string][2]string{
			"geoloc_lat": {"geoloc_lng", "0"}, "geoloc_lng": {"geoloc_lat", "0"}, "within": {"near", "0,0"},
		}[param.name]; other[0] != "" {
			query.Set(other[0], other[1])
		}
		if list, isList := v.([]any); isList && !param.list {
			for _, one := range list {
				query.Add(param.name+"[]", inQuery(one))
			}
		} else {
			query.Set(param.name, inQuery(v))
		}
	default:
		body[param.name] = v
	}
	return p.request(p.op.method, path+"?"+query.Encode(), body, p.op.hasBody)
}

// request sends a request, with or without a body.
func (p *prober) request(method, path string, members map[string]any, hasBody bool) (status int, answer string) {
	p.t.Helper()
	body := ""
	if hasBody {
		b := must.Get(json.Marshal(members))(p.t)
		body = string(b)
	}
	r := httptest.NewRequestWithContext(p.t.Context(), method, calendartest.Home+"/wp-json/vendor/events/v1"+path, strings.NewReader(body))
	if hasBody {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	p.s.Handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// freshStart and freshEnd are the start and the end of a new event.
const freshStart, freshEnd = "2030-08-01 10:00:00", "2031-08-01 12:00:00"

// fresh returns the members of a new item of the operation's collection.
func (p *prober) fresh() map[string]any {
	p.made++
	name := fmt.Sprint(p.op.id, " ", p.made)
	switch p.op.collection {
	case "events":
		return map[string]any{"title": name, "start_date": freshStart, "end_date": freshEnd}
	case "categories", "tags":
		return map[string]any{"name": name}
	}
	return map[string]any{strings.TrimSuffix(p.op.collection, "s"): name}
}

// create creates an item of the operation's collection, and returns its id.
func (p *prober) create() int64 {
	p.t.Helper()
	status, answer := p.request(http.MethodPost, "/"+p.op.collection, p.fresh(), true)
	var made struct {
		ID   int64
		Slug string
	}
	if err := json.Unmarshal([]byte(answer), &made); err != nil || status != http.StatusCreated {
		p.t.Fatalf("%d %v %s", status, err, answer)
	}
	p.op.item = map[string]any{"id": made.ID, "slug": made.Slug}
	return made.ID
}

// item returns the path of the operation. If the path contains the id of an item, a new item is created.
func (p *prober) item() string {
	if p.op.own || !strings.Contains(p.op.path, "{") {
		return strings.NewReplacer("{n}", "1", "{word}", "x").Replace(p.op.path)
	}
	id := p.create()
	return strings.NewReplacer("{id}", fmt.Sprint(id), "{slug}", fmt.Sprint(p.op.item["slug"])).Replace(p.op.path)
}

// stored returns the rows of the site's content, after it has created the item that the operation needs.
func (p *prober) stored() string {
	if p.path == "" {
		p.path = p.item()
	}
	var all strings.Builder
	for table := range strings.FieldsSeq("posts postmeta terms term_taxonomy termmeta term_relationships tec_events tec_occurrences") {
		var rows []map[string]any
		must.Succeed(p.t, p.s.DB.NewRaw("SELECT * FROM wp_"+table).Scan(p.t.Context(), &rows))
		fmt.Fprintln(&all, table, rows)
	}
	return all.String()
}
