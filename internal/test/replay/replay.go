// Package replay sends recorded requests to a handler and returns the differences between its responses and the
// recorded ones: in status, headers, values, types, missing or additional keys, the order of keys, and optionally in
// the stored rows.
//
// It supports the tests of this module and of the example; no program imports it.
package replay

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// site is the URL of most recorded sites.
const site = "http://site.test"

// Options configures Run.
type Options struct {
	Handler http.Handler // the handler to test
	// Root is the URL of the namespace in the handler's responses, for instance
	// http://site.test/wp-json/tribe/events/v1.
	Root string
	// Corpus names an embedded recording: reads_a and writes_a are from one site; reads_dates and writes_dates from
	// another one, which has recurring events; reads_each_date and writes_each_date from the latter while the plugin
	// for recurring events was active; beside/… from sites with other plugins.
	Corpus string
	// Site is the URL of the recorded site if it differs from that of most sites.
	Site string
	// SQL is the handler's database. If it is set, the rows stored by a write are compared, too.
	SQL *sql.DB
	// Prefix is the table prefix of SQL. The default is wp_.
	Prefix string
	// Without contains members that are not compared anywhere.
	Without []string
	// Added contains members that the recorded sites lack. A response may contain them at any position.
	Added []string
	// Now is the handler's clock. The default is time.Now.
	Now func() time.Time
	// Begin, if set, is called before the first request of each group of the corpus, with the statements that changed
	// the tables before the group was recorded.
	Begin func(group string, before []string) error
	// Dates, if set, returns the occurrence rows of all events as strings. They are compared with the recorded ones.
	Dates func() []string
}

// Result counts the compared responses. It excludes requests that are only sent because later ones depend on them.
type Result struct {
	Matched, Compared int
	Differences       []Difference
}

// Difference is one place where a response differs from the recorded one.
type Difference struct {
	Line    int    // index of the request in the corpus, starting with 0 after the heading
	Request string // group, user, method and path
	Place   string // status, a header, or a path into the JSON or the rows
	Want    string
	Got     string
}

// Report describes the counts and the first differences: at most one per line of the corpus, and at most max in total.
func (r Result) Report(max int) string {
	var b strings.Builder
	last := -1
	for _, d := range r.Differences {
		if d.Line != last && max > 0 {
			max--
			fmt.Fprintf(&b, "#%d %s\n    %s\n      want %s\n      got  %s\n", d.Line, d.Request, d.Place, clip(d.Want), clip(d.Got))
		}
		last = d.Line
	}
	fmt.Fprintf(&b, "%d/%d answers match", r.Matched, r.Compared)
	return b.String()
}

func clip(s string) string {
	const most = 300
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Run sends the requests of the corpus in order, one at a time. An error means that it could not run to the end, never
// that a response differs.
func Run(ctx context.Context, o Options) (res Result, err error) {
	head, lines, err := loadCorpus(o.Corpus)
	if err != nil {
		return res, err
	}
	day, zone, err := head.recordedAt()
	if err != nil {
		return res, err
	}
	p := &player{c: &comparer{root: o.Root, site: cmp.Or(o.Site, site), zone: zone, moving: movingDays(day), labels: map[string]any{},
		now: o.Now, added: o.Added, without: o.Without}, db: o.SQL, prefix: cmp.Or(o.Prefix, "wp_")}
	if p.c.now == nil {
		p.c.now = time.Now
	}
	if p.creds, err = recordedCreds(o.Corpus); err != nil {
		return res, err
	}
	// Use real HTTP as in production, with the recorded host name.
	server := httptest.NewServer(o.Handler)
	defer server.Close()
	p.client = server.Client()
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	p.client.Transport = &http.Transport{DisableCompression: true, DialContext: dial}
	defer p.client.CloseIdleConnections()
	for n, l := range lines {
		if o.Begin != nil && (n == 0 || l.Group != lines[n-1].Group) {
			if err := o.Begin(l.Group, l.Before); err != nil {
				return res, fmt.Errorf("replay: %s, %s: %w", o.Corpus, l.Group, err)
			}
		}
		diffs, err := p.play(ctx, l)
		if err != nil {
			return res, fmt.Errorf("replay: %s #%d: %w", o.Corpus, n, err)
		}
		if o.Dates != nil && l.Answer.Dates != nil {
			diffs = append(diffs, compareRows(l.Answer.Dates, o.Dates())...)
		}
		if l.skipped() {
			continue
		}
		if res.Compared++; len(diffs) == 0 {
			res.Matched++
		}
		for _, d := range diffs {
			d.Line, d.Request = n, l.String()
			res.Differences = append(res.Differences, d)
		}
	}
	return res, nil
}

// compareRows returns the rows that only one of the lists contains.
func compareRows(want, got []string) (out []Difference) {
	for _, row := range want {
		if !slices.Contains(got, row) {
			out = append(out, differ("dates", row, absent)...)
		}
	}
	for _, row := range got {
		if !slices.Contains(want, row) {
			out = append(out, differ("dates", absent, row)...)
		}
	}
	return out
}

// player sends the requests of one corpus to one server.
type player struct {
	c      *comparer
	client *http.Client
	creds  map[string]string
	db     *sql.DB // nil if rows are not compared
	prefix string
}

// play sends one request, stores the ids in its response, and compares it.
func (p *player) play(ctx context.Context, l *line) ([]Difference, error) {
	req, err := p.request(ctx, l)
	if err != nil {
		return nil, err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	got := parseAnswer(text)
	p.learn(l, got)
	if l.skipped() {
		return nil, nil
	}
	var out []Difference
	if resp.StatusCode != l.Answer.Status {
		out = differ("status", l.Answer.Status, resp.StatusCode)
	}
	if l.Answer.Status < http.StatusInternalServerError {
		want, err := decode(l.Answer.JSON)
		if err != nil {
			return nil, err
		}
		out = append(out, p.c.compare(want, got, "json")...)
	}
	out = append(out, p.c.compareHeaders(l.Answer.Headers, resp.Header)...)
	rows, err := p.rows(ctx, l)
	return append(out, rows...), err
}

// parseAnswer parses a body. An empty body becomes null, and a body that is not JSON a value that differs from all
// recorded ones.
func parseAnswer(text []byte) any {
	if len(text) == 0 {
		return nil
	}
	v, err := decode(text)
	if err != nil {
		return object{{"not_json", clip(strings.ToValidUTF8(string(text), "\uFFFD"))}}
	}
	return v
}

// learn stores the ids for the labels of a line.
func (p *player) learn(l *line, got any) {
	if id, ok := pick(got, "id"); ok && l.Save != "" {
		p.c.labels[l.Save] = id
	}
	for label, where := range l.Also {
		if v, ok := pick(got, where); ok {
			p.c.labels[label] = v
		}
	}
}

// pick follows a path of keys and indexes, separated by dots, into a value.
func pick(v any, where string) (any, bool) {
	for step := range strings.SplitSeq(where, ".") {
		found := false
		switch x := v.(type) {
		case object:
			v, found = x.get(step)
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(x) {
				v, found = x[i], true
			}
		}
		if !found {
			return nil, false
		}
	}
	return v, true
}

// request returns the request of a line, with the ids that this server has assigned.
func (p *player) request(ctx context.Context, l *line) (*http.Request, error) {
	body, kind, err := p.body(l)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, l.Method, p.c.root+p.c.fillText(l.Path), body)
	if err != nil {
		return nil, err
	}
	for k, v := range l.Headers {
		req.Header.Set(k, v)
	}
	if kind != "" && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", kind)
	}
	if l.As != "" {
		req.SetBasicAuth(l.As, p.creds[l.As])
	}
	return req, nil
}

// body returns the body and its content type, which the line may override.
func (p *player) body(l *line) (io.Reader, string, error) {
	const formType = "application/x-www-form-urlencoded"
	if l.Raw != nil {
		return strings.NewReader(*l.Raw), formType, nil
	}
	raw := cmp.Or(string(l.Body), string(l.Form))
	if !given([]byte(raw)) {
		return nil, "", nil
	}
	v, err := decode([]byte(raw))
	if err != nil {
		return nil, "", err
	}
	v = p.c.fill(v)
	if given(l.Body) {
		return strings.NewReader(encode(v)), "application/json", nil
	}
	form, ok := v.(object)
	if !ok {
		return nil, "", errors.New("a form is an object")
	}
	var pairs []string
	for _, m := range form { // a list is sent as a repeated name
		list, ok := m.val.([]any)
		if !ok {
			list = []any{m.val}
		}
		for _, item := range list {
			pairs = append(pairs, url.QueryEscape(m.key)+"="+url.QueryEscape(show(item)))
		}
	}
	return strings.NewReader(strings.Join(pairs, "&")), formType, nil
}

// fill replaces labels by the server's ids.
func (c *comparer) fill(v any) any {
	switch v := v.(type) {
	case string:
		if m := onlyHolder.FindStringSubmatch(v); m != nil {
			if id, ok := c.labels[m[1]]; ok {
				return id
			}
		}
		return c.fillText(v)
	case object:
		for _, k := range v.keys() {
			v = v.with(k, c.fill)
		}
		return v
	case []any:
		filled := []any{}
		for _, x := range v {
			filled = append(filled, c.fill(x))
		}
		return filled
	}
	return v
}

func (c *comparer) fillText(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(holder string) string {
		if id, ok := c.labels[strings.Trim(holder, "{}")]; ok {
			return show(id)
		}
		return holder
	})
}
