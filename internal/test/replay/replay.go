// Package replay replays recorded requests against a server and says where
// the answers differ from the recorded ones: in status, headers, values, types,
// missing or extra keys, the order of keys, and optionally in the rows stored.
//
// It supports the tests of this module and of the example; no program imports it.
package replay

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Options says what is replayed against which server.
type Options struct {
	// Handler answers the requests. Without one they go over the network to Root.
	Handler http.Handler
	// Root is the address of the namespace as the server prints it in its answers,
	// for instance http://site.test/wp-json/tribe/events/v1.
	Root string
	// Site is the site's address as stored in its home option; default http://site.test.
	Site string
	// Corpus names an embedded recording: reads_a or writes_a.
	Corpus string
	// Without names keys whose text is compared nowhere. For venue and organizer
	// that is the name, not the linked object.
	Without []string
	// Anonymous leaves out the requests that log in: they are not sent.
	Anonymous bool
	// Groups keeps only the requests of these groups; empty keeps all.
	Groups []string
	// SQL is the server's database, tables prefixed wp_. With it the rows stored
	// after a write are compared too.
	SQL *sql.DB
	// Creds maps users to passwords for HTTP Basic; default: the recorded site's.
	Creds map[string]string
	// Now is the server's clock; default time.Now.
	Now func() time.Time
}

// Result counts the compared answers. Requests that are sent only because later
// ones build on them are not counted.
type Result struct {
	Matched, Compared int
	// ByGroup holds per group the number matched and the number compared.
	ByGroup     map[string][2]int
	Differences []Difference
}

// Difference is one place where an answer is not the recorded one.
type Difference struct {
	Line    int    // index of the request in the corpus, from 0, the heading line not counted
	Request string // group, user, method and path
	Place   string // status, a header, a path into the JSON or into the rows
	Want    string
	Got     string
}

func (d Difference) String() string {
	return fmt.Sprintf("#%d %s\n    %s\n      want %s\n      got  %s", d.Line, d.Request, d.Place, clip(d.Want), clip(d.Got))
}

// Failed returns the lines that differ, ascending, each once.
func (r Result) Failed() []int {
	var lines []int
	for _, d := range r.Differences {
		if n := len(lines); n == 0 || lines[n-1] != d.Line {
			lines = append(lines, d.Line)
		}
	}
	return lines
}

// Report describes the counts and the first differences, at most one per line
// of the corpus and at most max of them.
func (r Result) Report(max int) string {
	var b strings.Builder
	last := -1
	for _, d := range r.Differences {
		if d.Line == last {
			continue
		}
		if last = d.Line; max == 0 {
			break
		}
		max--
		fmt.Fprintln(&b, d)
	}
	groups := make([]string, 0, len(r.ByGroup))
	for g := range r.ByGroup {
		groups = append(groups, g)
	}
	slices.Sort(groups)
	for _, g := range groups {
		fmt.Fprintf(&b, "%-12s %d/%d\n", g, r.ByGroup[g][0], r.ByGroup[g][1])
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

// Replay sends the corpus, in order and one request at a time. An error means
// that it could not run to the end, never that an answer differs.
func Replay(ctx context.Context, o Options) (Result, error) {
	p, lines, err := newPlayer(o)
	if err != nil {
		return Result{}, err
	}
	defer p.close()
	res := Result{ByGroup: map[string][2]int{}}
	for n, l := range lines {
		if o.Anonymous && l.As != "" || len(o.Groups) > 0 && !slices.Contains(o.Groups, l.Group) {
			continue
		}
		diffs, err := p.play(ctx, l)
		if err != nil {
			return res, fmt.Errorf("replay: %s #%d: %w", o.Corpus, n, err)
		}
		if l.skipped() {
			continue
		}
		res.count(n, l, diffs)
	}
	return res, nil
}

func (r *Result) count(n int, l *line, diffs []difference) {
	group := r.ByGroup[l.Group]
	r.Compared++
	group[1]++
	if len(diffs) == 0 {
		r.Matched++
		group[0]++
	}
	r.ByGroup[l.Group] = group
	for _, d := range diffs {
		r.Differences = append(r.Differences, Difference{n, l.String(), d.at, show(d.want), show(d.got)})
	}
}
