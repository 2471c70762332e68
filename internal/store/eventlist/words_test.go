package eventlist

import (
	"slices"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestIndexWords(t *testing.T) {
	long := strings.Repeat("é", maxWord)
	check := func(text, want string) {
		golden.Equal(t, text, strings.Join(indexWords(text), "|"), want)
	}
	golden.Each(t, "words.txt", check)
	check(long, long)
	check(long+"x", "")
}

// TestIndexWordsOfServer checks that words that the server omits from an index are never looked up in it.
func TestIndexWordsOfServer(t *testing.T) {
	db := testdb.New(t)
	var left []string
	if err := db.NewRaw("SELECT value FROM information_schema.INNODB_FT_DEFAULT_STOPWORD").Scan(still(t),
		&left); err != nil || len(left) < 30 {
		t.Fatalf("%q %v", left, err)
	}
	for _, w := range left {
		if got := indexWords(w + " " + strings.ToUpper(w)); got != nil {
			t.Errorf("%q", got)
		}
	}
	for _, w := range stopwords {
		if !slices.Contains(left, w) || len(w) < minWord {
			t.Errorf("%q is left out for nothing", w)
		}
	}
	var least, most int
	if err := db.NewRaw("SELECT @@innodb_ft_min_token_size, @@innodb_ft_max_token_size").Scan(still(t), &least,
		&most); err != nil || least != minWord || most != maxWord {
		t.Errorf("words of %d to %d, %v", least, most, err)
	}
}

// TestIndexWordsAreTheServers checks that every character that this package treats as part of words is part of words
// for the server, too, in lower and upper case, and that every character between words is a separator for it.
func TestIndexWordsAreTheServers(t *testing.T) {
	db := testdb.New(t)
	execute(t, db, "CREATE TABLE words (ID int PRIMARY KEY, word text COLLATE utf8mb4_bin NOT NULL, FULLTEXT (word)) "+
		"ENGINE=InnoDB CHARACTER SET utf8mb4")
	type entry struct {
		ID   rune
		Word string
	}
	var rows []entry
	for r := rune(1); r < 0x10000; r++ {
		switch {
		case r >= 0x80 && indexWords("a"+string(r)+"b") != nil:
			rows = append(rows, entry{r, "a" + string(r) + "b"}) // one word; without the separator each part would be too short
		case between(r) && (r < 0x3000 || r > 0xfff0):
			rows = append(rows, entry{r, "abc" + string(r) + "x"})
		}
	}
	for part := range slices.Chunk(rows, 1000) {
		must.Get(db.NewInsert().Model(&part).ModelTableExpr("words").Exec(still(t)))(t)
	}
	var found []rune
	must.Succeed(t, db.NewRaw("SELECT ID FROM words WHERE MATCH (word) AGAINST ('abc' IN BOOLEAN MODE)").Scan(still(t), &found))
	words := 0
	for _, r := range rows {
		if !strings.HasPrefix(r.Word, "abc") {
			words++
			var n int
			if err := db.NewRaw("SELECT COUNT(*) FROM words WHERE ID = ? AND MATCH (word) AGAINST (? IN BOOLEAN MODE)", r.ID,
				`+"`+r.Word+`"`).Scan(still(t), &n); err != nil || n != 1 {
				t.Errorf("%U is no letter: %d %v", r.ID, n, err)
			}
		} else if !slices.Contains(found, r.ID) {
			t.Errorf("%U does not separate", r.ID)
		}
	}
	if words < 900 || len(found) < 500 {
		t.Errorf("%d letters, %d between words", words, len(found))
	}
}
