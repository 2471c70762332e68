package change

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
)

// history plays the lines of testdata/histories.txt.
type history struct {
	*testing.T
	db     *database
	clock  *Tracker
	reader *reader
}

// TestHistories plays the histories of testdata/histories.txt, whose first lines explain the others.
func TestHistories(t *testing.T) {
	raw := must.Get(os.ReadFile("testdata/histories.txt"))(t)
	for _, text := range strings.Split(string(raw), "\nhistory ")[1:] {
		name, lines, _ := strings.Cut(strings.TrimSpace(text), "\n")
		t.Run(name, func(t *testing.T) {
			h := &history{T: t}
			h.db, h.clock, h.reader = newReader(t)
			h.play(strings.Split(lines, "\n"))
		})
	}
}

// play plays lines, and those below a line "repeat" as often as it says.
func (h *history) play(lines []string) {
	for i := 0; i < len(lines); i++ {
		verb, rest, _ := strings.Cut(lines[i], " ")
		if verb != "repeat" {
			h.event(lines[i], verb, rest)
			continue
		}
		var below []string
		for ; i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  "); i++ {
			below = append(below, strings.TrimSpace(lines[i+1]))
		}
		if times, err := strconv.Atoi(rest); err == nil {
			for range times {
				h.play(below)
			}
			continue
		}
		for len(h.db.open) > 0 { // "repeat open"
			h.play(below)
			h.db.pass(min(100*time.Millisecond, h.db.open[0].due.Sub(h.db.now)))
		}
	}
}

// event plays a line that is no "repeat".
func (h *history) event(line, verb, rest string) {
	h.Helper()
	if verb == "#" || verb == "" {
		return
	}
	play := verbs[verb]
	if play == nil {
		h.Fatalf("no event: %s", line)
	}
	play(h, rest)
	if h.Failed() {
		h.Fatalf("at: %s", line)
	}
}

var verbs = map[string]func(h *history, rest string){
	"wait":   func(h *history, rest string) { h.db.pass(h.duration(rest)) },
	"commit": func(h *history, rest string) { h.db.commit(h.tables(rest)...) },
	"begin": func(h *history, rest string) {
		longest, tables, _ := strings.Cut(rest, " ")
		h.db.begin(h.duration(longest), h.tables(tables)...)
	},
	"end":       func(h *history, _ string) { h.db.end(h.db.open[0]) },
	"elsewhere": func(h *history, _ string) { h.db.executed++ },
	"unseen": func(h *history, rest string) {
		for _, i := range h.tables(rest) {
			h.db.tables[i].commits++
		}
	},
	"own":    func(h *history, rest string) { h.db.own(h.clock, h.tables(rest)...) },
	"option": func(h *history, rest string) { h.db.setOption(rest) },
	"create": func(h *history, rest string) { h.db.create(h.tables(rest)[0]) },
	"drop":   func(h *history, rest string) { h.db.drop(h.tables(rest)[0]) },
	"evict": func(h *history, rest string) {
		for _, i := range h.tables(rest) {
			h.db.evict(i)
		}
	},
	"restart":   func(h *history, _ string) { h.db.restart() },
	"lose":      func(h *history, _ string) { h.db.lose() },
	"reconnect": func(h *history, _ string) { h.clock.Reconnect() },
	"server":    func(h *history, rest string) { h.db.host = rest },
	"clock":     func(h *history, rest string) { h.db.ahead += h.duration(rest) },
	"fails":     func(h *history, _ string) { h.db.broken = errors.New("out of memory") },
	"works":     func(h *history, _ string) { h.db.broken = nil },
	"slow": func(h *history, rest string) {
		part, by, lasts := strings.Cut(rest, " ")
		if !lasts {
			h.db.before, h.db.after, h.db.slowOptions = 0, 0, 0
			return
		}
		*map[string]*time.Duration{"before": &h.db.before, "after": &h.db.after, "options": &h.db.slowOptions}[part] = h.duration(by)
	},
	"compared": func(h *history, _ string) {
		h.db.exact, h.db.compared = true, true
	},
	"exact":  func(h *history, _ string) { h.db.exact = true },
	"times":  func(h *history, _ string) { h.db.atCommit = true },
	"sets":   func(h *history, rest string) { h.db.atCommit, h.db.sets = true, rest != "off" },
	"look":   func(h *history, _ string) { h.reader.request() },
	"new":    func(h *history, rest string) { h.reader.expect(h.T, h.set(rest), false) },
	"kept":   func(h *history, rest string) { h.reader.expect(h.T, h.set(rest), true) },
	"cached": func(h *history, rest string) { h.reader.cached(h.T, h.set(rest)) },
	"read": func(h *history, rest string) {
		ctx, _ := h.reader.request()
		h.reader.readCounted(h, ctx, h.set(rest))
	},
	"shows": func(h *history, rest string) {
		if _, s := h.reader.request(); (*s.Options())["name"] != rest {
			h.Errorf("the options are %v", *s.Options())
		}
	},
	"epochs": func(h *history, rest string) {
		reason, want, _ := strings.Cut(rest, " = ")
		h.compare(strconv.FormatInt(h.clock.Stats().Epochs[reason], 10), want)
	},
	"reasons": func(h *history, rest string) { h.compare(strconv.Itoa(len(h.clock.Stats().Epochs)), rest) },
	"looks":   func(h *history, rest string) { h.compare(strconv.FormatInt(h.clock.Stats().Looks, 10), rest) },
	"unsettled": func(h *history, rest string) {
		h.compare(h.clock.Stats().Unsettled.String(), h.duration(rest).String())
	},
	"method": func(h *history, rest string) { h.compare(h.clock.Stats().Method, rest) },
}

func (h *history) compare(got, want string) {
	h.Helper()
	if got != want {
		h.Errorf("%s, want %s: %+v", got, want, h.clock.Stats())
	}
}

// tables returns the tables with some names.
func (h *history) tables(names string) (list []int) {
	for name := range strings.FieldsSeq(names) {
		i := slices.Index([]string{"posts", "meta", "translations", "options"}, name)
		if i < 0 {
			h.Fatalf("no table: %s", name)
		}
		list = append(list, i)
	}
	return list
}

func (h *history) set(names string) (of Tables) {
	for _, i := range h.tables(names) {
		of |= bit(i)
	}
	return of
}

var durations = map[string]time.Duration{
	"settle": settle, "settled": settled, "grain": grain, "jump": jump, "commitLag": commitLag,
	"longestLook": longestLook, "longestGap": longestGap, "unknownGap": unknownGap, "longestUnpolled": longestUnpolled, "maxAge": maxAge,
}

// duration returns the sum of durations and constants.
func (h *history) duration(text string) (sum time.Duration) {
	for word := range strings.FieldsSeq(strings.NewReplacer("+", " ", "-", " -").Replace(text)) {
		name, minus := strings.CutPrefix(word, "-")
		d, known := durations[name]
		if !known {
			d = must.Get(time.ParseDuration(name))(h)
		}
		if minus {
			d = -d
		}
		sum += d
	}
	return sum
}
