package replay

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// player sends the lines of one corpus to one server.
type player struct {
	c      *comparer
	client *http.Client
	creds  map[string]string
	db     *rowReader // nil: rows are not compared
	close  func()
}

func newPlayer(o Options) (*player, []*line, error) {
	head, lines, err := loadCorpus(o.Corpus)
	if err != nil {
		return nil, nil, err
	}
	day, zone, err := head.recordedAt()
	if err != nil {
		return nil, nil, fmt.Errorf("replay: %s: %w", o.Corpus, err)
	}
	site := cmp.Or(o.Site, "http://site.test")
	home, err := url.Parse(site)
	if err != nil {
		return nil, nil, fmt.Errorf("replay: site: %w", err)
	}
	creds := o.Creds
	if creds == nil {
		if creds, err = recordedCreds(); err != nil {
			return nil, nil, err
		}
	}
	c := &comparer{
		root: strings.TrimRight(o.Root, "/"), site: site, host: strings.ToLower(home.Hostname()),
		zone: zone, moving: movingDays(day), without: o.Without, labels: map[string]any{}, now: o.Now,
	}
	if c.now == nil {
		c.now = time.Now
	}
	p := &player{c: c, creds: creds}
	if o.SQL != nil {
		p.db = &rowReader{db: o.SQL}
	}
	p.connect(o.Handler)
	return p, lines, nil
}

// connect prepares the client. A handler is served on a local port, so that it
// meets the same HTTP machinery as in production, under the root's host name.
func (p *player) connect(h http.Handler) {
	t := &http.Transport{DisableCompression: true}
	p.client = &http.Client{Transport: t, Timeout: time.Minute}
	p.close = t.CloseIdleConnections
	if h == nil {
		return
	}
	server := httptest.NewServer(h)
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
	}
	t.DialContext, t.DialTLSContext = dial, dial
	p.close = func() {
		t.CloseIdleConnections()
		server.Close()
	}
}

// play sends one request, learns the ids of its answer and compares it.
func (p *player) play(ctx context.Context, l *line) ([]difference, error) {
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
	var out []difference
	if resp.StatusCode != l.Answer.Status {
		out = append(out, difference{"status", l.Answer.Status, resp.StatusCode})
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

// parseAnswer reads a body; nothing at all is like null, and what is not JSON
// becomes a value that no recorded one equals.
func parseAnswer(text []byte) any {
	if len(text) == 0 {
		return nil
	}
	v, err := decode(text)
	if err != nil {
		o := newObject()
		o.add("not_json", clip(strings.ToValidUTF8(string(text), "\uFFFD")))
		return o
	}
	return v
}

// learn remembers the ids that the line labels.
func (p *player) learn(l *line, got any) {
	if o, ok := got.(*object); ok && l.Save != "" {
		if id, ok := o.get("id"); ok {
			p.c.labels[l.Save] = id
		}
	}
	for label, where := range l.Also {
		if v, ok := pick(got, where); ok {
			p.c.labels[label] = v
		}
	}
}

// pick follows a dotted path of keys and indexes into a value.
func pick(v any, where string) (any, bool) {
	for step := range strings.SplitSeq(where, ".") {
		switch x := v.(type) {
		case *object:
			next, ok := x.get(step)
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}
