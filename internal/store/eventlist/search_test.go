package eventlist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

const addWords = "ALTER TABLE wp_posts ADD FULLTEXT INDEX words (post_content, post_title, post_excerpt)"

// searchIndexed returns lists of the recorded site that search with and without an index.
func searchIndexed(t *testing.T, opts ...testdb.Option) (by, without *List, db *bun.DB) {
	t.Helper()
	without, db = recorded(t, opts...)
	execute(t, testdb.OfOthers(t, db), addWords)
	by = byWords(t, db, true)
	return by, without, db
}

// searchedFor returns the events that a search selects, by id, and checks that the total agrees.
func searchedFor(t *testing.T, s *List, terms ...Term) []int64 {
	t.Helper()
	f := &Filter{Visible: anyone, Conditions: []Condition{s.Searching(terms)}, Order: byID}
	ids, err := s.Select(f).ids(still(t), 500, 0)
	n, errCount := s.Select(f).Count(still(t))
	if err != nil || errCount != nil || n != int64(len(ids)) {
		t.Errorf("%+v: %d of %d, %v %v", terms, len(ids), n, err, errCount)
	}
	return ids
}

func with(texts ...string) (terms []Term) {
	for _, text := range texts {
		rest, not := strings.CutPrefix(text, "!")
		terms = append(terms, Term{Text: rest, Not: not})
	}
	return terms
}

// TestSearchByIndex checks that the index finds whole words, whatever else of a search requires the texts.
func TestSearchByIndex(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", testdb.MySQL8, "ANSI"} {
		s, _, db := searchIndexed(t, testdb.WithSQLMode(mode))
		texts := map[int64][3]string{
			25: {"Quartet night", "", "of swing"}, 26: {"The quartets", "", ""}, 27: {"", "late Quartet", ""},
			28: {"", "", "<p>swing, night &amp; quartet.</p>"},
			30: {"Fête d'été", "", ""}, 31: {"fete", "d’ete", ""}, 32: {"thé et café", "", ""}, 33: {"50% off now", "", ""},
			39: {"50 off now", "", ""},
			37: {"snake_case", "", "日本の夏"}, 38: {"snake", "", "from the moon"}, 40: {"from a moon", "", "quartet! night"},
		}
		execute(t, db, "UPDATE wp_posts SET post_title = '-', post_excerpt = '', post_content = '' WHERE post_type = 'tribe_events'")
		for id, x := range texts {
			execute(t, db, "UPDATE wp_posts SET post_title = ?, post_excerpt = ?, post_content = ? WHERE ID = ?", x[0], x[1], x[2], id)
		}
		golden.Each(t, "searched.txt", func(terms []string, want []int64) {
			if got := searchedFor(t, s, with(terms...)...); !slices.Equal(got, want) {
				t.Errorf("%q in mode %q: %v, want %v", terms, mode, got, want)
			}
		})
		if got := searchedFor(t, s, with("!quartet", "!snake")...); len(got) < 50 || slices.Contains(got, 25) || slices.Contains(got,
			38) || !slices.Contains(got, 26) || !slices.Contains(got, 37) {
			t.Errorf("without a word: %v", got)
		}
	}
}

// TestSearchByIndexFindsEveryWord checks that every word of the recorded events is found in exactly those events that
// contain it as a whole word, all of which are also found without the index.
func TestSearchByIndexFindsEveryWord(t *testing.T) {
	t.Parallel()
	s, without, db := searchIndexed(t)
	var posts []struct {
		ID   int64
		Text string
	}
	err := db.NewRaw("SELECT ID AS id, CONCAT_WS(' ', post_title, post_excerpt, post_content) AS text FROM wp_posts WHERE ID IN (?)",
		bun.List(searchedFor(t, without))).Scan(still(t), &posts)
	if err != nil || len(posts) < 100 {
		t.Fatal(len(posts), err)
	}
	holders := map[string][]int64{} // by words without case and accents, as the collation compares them
	for _, p := range posts {
		for _, w := range strings.FieldsFunc(p.Text, between) {
			if w = strings.ToLower(wp.RemoveAccents(w)); !slices.Contains(holders[w], p.ID) {
				holders[w] = append(holders[w], p.ID)
			}
		}
	}
	words, parts := 0, 0
	for word, want := range holders {
		if indexWords(word) == nil {
			continue
		}
		words++
		slices.Sort(want)
		got, all := searchedFor(t, s, Term{Text: word}), searchedFor(t, without, Term{Text: word})
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
		for _, id := range got {
			if !slices.Contains(all, id) {
				t.Errorf("%q: %d is not found without the index", word, id)
			}
		}
		if len(all) > len(got) {
			parts++
		}
	}
	if words < 80 || parts == 0 {
		t.Errorf("%d words, %d also within others", words, parts)
	}
}

// TestSearchByIndexTakesAnyText checks that no text causes an error, or finds something that a search without the index
// does not.
func TestSearchByIndexTakesAnyText(t *testing.T) {
	t.Parallel()
	s, without, _ := searchIndexed(t)
	texts := []string{
		"", " ", "+", "-", "@", "@3", "(", ")", "()", "(jazz", "jazz)", "~jazz", "<jazz", ">jazz", "*", "jazz*", "ja*", `"`, `""`, `"jazz`,
		`"blues rock" @3`, `+foo* "a`, "+jazz -blues", "jazz@blues", "%", "jazz%",
		"\\", `jazz\`, "'", "jazz'; --", "jazz\nblues", "jazz\tblues", "jazz\x00", "jazz\x1a", "\u2028", "\u00a0jazz\u00a0", "?", "?0",
		"jazz?", "🎷", "é", "ﬁne", "ß", "İstanbul",
		strings.Repeat("x", 200), strings.Repeat("jazz ", 300), strings.Repeat("a b ", 300), strings.Repeat("+", 200),
		"+\"jazz\" +\"blues\"",
	}
	var words []string
	for i := range 150 {
		words = append(words, fmt.Sprint("word", i))
	}
	texts = append(texts, strings.Join(words, " "))
	pieces := strings.Split(`+ - @ ( ) ~ < > * " ' % _ \ | ? & ; , blues jazz rock the of ab 3 12 2031 été 日本 🎷 `+"\n \t \x00", " ")
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))] + []string{"", " "}[random.IntN(2)])
		}
		texts = append(texts, b.String())
	}
	found, everything := 0, searchedFor(t, s)
	for _, text := range texts {
		got, all := searchedFor(t, s, Term{Text: text}), searchedFor(t, without, Term{Text: text})
		found += len(got)
		for _, id := range got {
			if !slices.Contains(all, id) {
				t.Errorf("%q: %d is not found without the index", text, id)
			}
		}
		rest := searchedFor(t, s, Term{Text: text, Not: true})
		if both := slices.Sorted(slices.Values(slices.Concat(got, rest))); !slices.Equal(both, everything) {
			t.Errorf("%q: %d with it and %d without", text, len(got), len(rest))
		}
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

// TestSearchByIndexIsOneLookup checks that a page begins with what the index finds, and that excluded words are
// searched once and not for every event.
func TestSearchByIndexIsOneLookup(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	execute(t, testdb.OfOthers(t, db), addWords)
	for name, c := range map[string]struct {
		terms []Term
		f     Filter
		along bool
	}{
		"word": {with("blues"), Filter{}, false}, "words": {with("blues", "jazz night"), Filter{}, false},
		"mixed":    {with("ab", "blues", "!rock"), Filter{}, false},
		"left out": {with("!blues"), Filter{}, true}, "by title": {with("blues"), Filter{Order: byTitle}, false},
		"bounds":  {with("blues"), Filter{Bounds: []Bound{{Op: ">=", Value: "2031-01-01 00:00:00"}}}, false},
		"include": {with("blues"), asking(Among{25, 26, 27}), false}, "parent": {with("!blues", "rock"), asking(ChildOf(46)), false},
		"terms": {with("blues"), asking(AssignedTo([]int64{7, 11}, 0)), false},
	} {
		for _, occurrences := range []bool{true, false} {
			s := byWords(t, bound, occurrences)
			f := c.f
			f.Visible, f.Conditions = anyone, append([]Condition{s.Searching(c.terms)}, f.Conditions...)
			golden.Equal(t, name, s.scans(&f), c.along && occurrences)
			counter.Reset()
			if _, err := s.Select(&f).ids(still(t), 10, 0); err != nil {
				t.Fatal(name, err)
			}
			if _, err := s.Select(&f).Count(still(t)); err != nil {
				t.Fatal(name, err)
			}
			for _, query := range counter.Matching("MATCH") {
				wantOneLookup(t, bound, name, query)
			}
			if n := len(counter.Matching("MATCH")); n < 2 {
				t.Errorf("%s: %d lookups", name, n)
			}
		}
	}
}

// wantOneLookup checks the plan of a statement: every MATCH must be a separate table that is read by the FULLTEXT
// index.
func wantOneLookup(t *testing.T, db *bun.DB, name, query string) {
	t.Helper()
	lookups := 0
	for _, row := range testdb.Explain(t, db, query) {
		if row["table"] == "f" {
			lookups++
			if kind := row["type"] + " " + row["select_type"]; kind != "fulltext DERIVED" {
				t.Errorf("%s: %s\n%s", name, kind, query)
			}
		}
	}
	if want := strings.Count(query, "MATCH"); lookups != want {
		t.Errorf("%s: %d of %d lookups in the plan of %s", name, lookups, want, query)
	}
}

// TestSearchByIndexWithFilters checks that filters have the same results with an index, with and without the table of
// occurrences.
func TestSearchByIndexWithFilters(t *testing.T) {
	s, without, db := searchIndexed(t)
	metas := byWords(t, db, false)
	for name, f := range map[string]Filter{
		"plain": {}, "unlocked": {Unlocked: true}, "bounds": {Bounds: []Bound{{Op: ">=", Value: "2027-01-01 00:00:00"}}},
		"terms":    asking(AssignedTo([]int64{6, 7, 8, 9}, 0)),
		"featured": asking(Featured(true)), "by title": {Order: byTitle, Descending: true}, "backwards": {Descending: true},
		"nobody": {Visible: store.Visible{Statuses: []string{"none"}}},
	} {
		if name != "nobody" {
			f.Visible = anyone
		}
		for _, search := range [][]Term{with("blues"), with("blues", "!nacht"), with("!blues")} {
			var lists [3][]int64
			for i, x := range []*List{without, s, metas} {
				g := f
				g.Conditions = append([]Condition{x.Searching(search)}, f.Conditions...)
				var err error
				if lists[i], err = x.Select(&g).ids(still(t), 200, 0); err != nil {
					t.Fatal(name, err)
				}
			}
			if !slices.Equal(lists[0], lists[1]) || !slices.Equal(lists[0], lists[2]) {
				t.Errorf("%s, %+v: %v", name, search, lists)
			}
		}
	}
}

// TestSearchIsLiteral checks that a search finds the text itself, even if it has a meaning in LIKE or in a literal.
func TestSearchIsLiteral(t *testing.T) {
	for _, mode := range []string{"", testdb.MySQL8, "ANSI"} {
		s, db := recorded(t, testdb.WithSQLMode(mode))
		titles := map[int64]string{
			25: "half 50% off", 26: "half 50 off", 27: "snake_case", 28: "snakeXcase", 30: `back\slash`, 31: `pipe|line`,
			32: `it's "quoted"`, 33: "question? mark", 39: "née Zoë", 37: "🎷 solo", 38: "pipe||line",
		}
		for id, title := range titles {
			execute(t, db, "UPDATE wp_posts SET post_title = ?, post_content = '', post_excerpt = '' WHERE ID = ?", title, id)
		}
		for text, want := range map[string][]int64{
			"50% off": {25}, "e_c": {27}, `k\s`: {30}, `e|l`: {31}, `|`: {31, 38}, `||`: {38}, `t's "q`: {32}, "n? m": {33},
			"nee zoe": {39}, "NÉE": {39}, "🎷": {37}, "half%off": nil, "snake.case": nil, `\\`: nil, "'": {32},
		} {
			f := &Filter{Visible: anyone, Conditions: []Condition{s.Searching([]Term{{Text: text}})}, Order: byID}
			got, err := s.Select(f).ids(still(t), 200, 0)
			got = slices.DeleteFunc(got, func(id int64) bool { return titles[id] == "" })
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%q in mode %q: %v %v, want %v", text, mode, got, err, want)
			}
		}
	}
}
