package collation

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

const onSite = " COLLATE utf8mb4_unicode_520_ci"

// mariadb returns a pool that sends strings unchanged.
func mariadb(t *testing.T) *sql.DB {
	return testdb.New(t, testdb.WithDSNParams("collation=utf8mb4_unicode_520_ci&interpolateParams=true&maxAllowedPacket=0")).DB
}

// TestWeightsOfCharacters sorts the characters of common blocks in MariaDB, and checks that here, too, each is less
// than or equal to the next one.
func TestWeightsOfCharacters(t *testing.T) {
	db := mariadb(t)
	type weighed struct {
		char rune
		key  string
	}
	var all []weighed
	for start := rune(0); start <= 0x10FFFF; start += 256 {
		if start >= 0xD800 && start < 0xE000 || start >= 0x20200 && start < 0x2F800 ||
			start >= 0x2FB00 && start < 0x10FF00 && start != 0xE0000 {
			continue
		}
		for i, key := range weightStrings(t, db, start) {
			all = append(all, weighed{start + rune(i), key})
		}
	}
	slices.SortFunc(all, func(a, b weighed) int { return strings.Compare(a.key, b.key) })
	table, wrong := weights(), 0
	for i, b := range all[1:] {
		a := all[i]
		if want, got := strings.Compare(a.key, b.key), slices.Compare(table.weights(a.char), table.weights(b.char)); want != got {
			if wrong++; wrong < 20 {
				t.Errorf("%U %s and %U %s: MariaDB %d, here %d (%x, %x)", a.char, a.key, b.char, b.key, want, got, table.weights(a.char),
					table.weights(b.char))
			}
		}
	}
	if wrong > 0 || len(all) < 130_000 {
		t.Errorf("%d of %d neighbours differ", wrong, len(all))
	}
}

// weightStrings returns MariaDB's weights of 256 characters.
func weightStrings(t *testing.T, db *sql.DB, start rune) []string {
	t.Helper()
	fields, keys, into := make([]string, 256), make([]string, 256), make([]any, 256)
	for i := range fields {
		fields[i] = fmt.Sprintf("HEX(WEIGHT_STRING(CONVERT(_utf32 X'%08X' USING utf8mb4)%s))", start+rune(i), onSite)
		into[i] = &keys[i]
	}
	must.Succeed(t, db.QueryRow("SELECT "+strings.Join(fields, ",")).Scan(into...))
	return keys
}

// letters are the characters of generated strings: letters with the same base letter, ligatures, digits, symbols,
// marks, spaces, ignored characters, and some of each plane.
var letters = []rune("aAàÁâåäæÆbBcçÇČdðĐeéÈêëĕfgğhiíİıï" +
	"jĳkKlłŁmnñŋoóÖøØœŒpqrsšßẞſtþuúÜvwxyÿzžŽ" +
	"αάΑωςσабвйиёЁжשלאإة०१ก가각あアァア字漢中0123456789①½²" +
	"  \t\n\u00a0-_.,;:!?'\"()[]{}@*/\\&#%`´^+<=>|~$€£¥©®°–—…‘’“”•«»" +
	"\u0301\u0308\u030a\u0327\u0000\u0001\u00ad" +
	"\u200b\u200d\u2060\ufe0f\ufeff\ufffdﬁﬀ™№℡😀😂🎉🎭🇧👍\U00010428\U0001d400\U00020000\U000e0041")

func randomText(r *rand.Rand, longest int) string {
	out := make([]rune, r.IntN(longest+1))
	for i := range out {
		out[i] = letters[r.IntN(len(letters))]
	}
	return string(out)
}

// variant returns a string that is often equal to s: with different case and accents, and with added marks and spaces.
func variant(r *rand.Rand, s string) string {
	var b strings.Builder
	for _, c := range s {
		switch r.IntN(12) {
		case 0:
			b.WriteString(strings.ToUpper(string(c)))
		case 1:
			b.WriteString(strings.ToLower(string(c)))
		case 2:
			b.WriteString(string(c) + "\u0301")
		case 3:
			b.WriteString(strings.NewReplacer("ß", "ss", "æ", "ae", "ﬁ", "fi", "é", "e", "½", "1⁄2", "ø", "o").Replace(string(c)))
		case 4:
			b.WriteString(string(letters[r.IntN(len(letters))]))
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + []string{"", "", "", " ", "  ", "\u00a0", "\t", "\u0000"}[r.IntN(8)]
}

// compareOnServer evaluates an expression on MariaDB for each pair of strings, with many pairs per statement.
func compareOnServer(t *testing.T, db *sql.DB, question string, pairs [][2]string) []int {
	t.Helper()
	var answers []int
	for batch := range slices.Chunk(pairs, 250) {
		var args []any
		fields, into := make([]string, len(batch)), make([]any, len(batch))
		got := make([]int, len(batch))
		for i, p := range batch {
			fields[i], into[i] = question, &got[i]
			args = append(args, p[0], p[1])
		}
		must.Succeed(t, db.QueryRow("SELECT "+strings.Join(fields, ","), args...).Scan(into...))
		answers = append(answers, got...)
	}
	return answers
}

func TestCompareAsMariaDB(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var pairs [][2]string
	for range 6000 {
		a := randomText(r, 6)
		b := variant(r, a)
		if r.IntN(3) == 0 {
			b = randomText(r, 3)
		}
		pairs = append(pairs, [2]string{a, b})
	}
	wrong, equal := 0, 0
	for i, want := range compareOnServer(t, mariadb(t), "STRCMP(?, ?"+onSite+")", pairs) {
		if want == 0 {
			equal++
		}
		if got := Compare(pairs[i][0], pairs[i][1]); got != want || Compare(pairs[i][1], pairs[i][0]) != -want {
			if wrong++; wrong < 20 {
				t.Errorf("%q and %q: MariaDB %d, here %d", pairs[i][0], pairs[i][1], want, got)
			}
		}
	}
	if wrong > 0 || equal < 500 {
		t.Errorf("%d pairs differ; %d of %d were equal", wrong, equal, len(pairs))
	}
}

func TestLikeAsMariaDB(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var pairs [][2]string
	for range 6000 {
		s := randomText(r, 6)
		var p strings.Builder
		for _, c := range variant(r, s) {
			p.WriteString([]string{string(c), string(c), string(c), string(c), "_", "%", "\\" + string(c), ""}[r.IntN(8)])
		}
		pattern := []string{"", "%"}[r.IntN(2)] + p.String() + []string{"", "%", "_", "\\"}[r.IntN(4)]
		pairs = append(pairs, [2]string{s, pattern})
	}
	wrong, found := 0, 0
	for i, want := range compareOnServer(t, mariadb(t), "? LIKE ?"+onSite, pairs) {
		found += want
		if got := like(pairs[i][1], pairs[i][0], defaultEscape); got != (want == 1) {
			if wrong++; wrong < 20 {
				t.Errorf("%q LIKE %q: MariaDB %d, here %t", pairs[i][0], pairs[i][1], want, got)
			}
		}
	}
	if wrong > 0 || found < 500 {
		t.Errorf("%d pairs differ; %d of %d matched", wrong, found, len(pairs))
	}
}

// TestEscapesAsMariaDB compares the variants of ESCAPE on both engines.
func TestEscapesAsMariaDB(t *testing.T) {
	sql.Register("collation", Driver())
	file := must.Get(sql.Open("collation", ":memory:"))(t)
	defer file.Close()
	site := mariadb(t)
	for _, q := range []string{
		"'a_b' LIKE 'a|_b' ESCAPE '|'", "'axb' LIKE 'a|_b' ESCAPE '|'", "'50%' LIKE '50|%' ESCAPE '|'",
		"'a|b' LIKE 'a||b' ESCAPE '|'", "'a%' LIKE 'a%%' ESCAPE '%'", "'AÉ' LIKE 'aé|' ESCAPE 'é'",
		"'aB' LIKE 'a|b' ESCAPE '|'", "'a' NOT LIKE 'A'", "'ss' LIKE 'ß'", "'ss' = 'ß'", "'æ' LIKE 'ae'", "12 LIKE '1%'",
		"'\u8c48' = '\uf900'", "'\u8c48' LIKE '\uf900'", "'\uac00' LIKE '\uac01'",
	} {
		var want, got int
		if err := site.QueryRow("SELECT " + q).Scan(&want); err != nil {
			t.Fatal(q, err)
		}
		here := q
		if strings.Contains(q, " = ") {
			here += " COLLATE site_ci"
		}
		if err := file.QueryRow("SELECT " + here).Scan(&got); err != nil {
			t.Fatal(q, err)
		}
		if got != want {
			t.Errorf("%s: MariaDB %d, here %d", q, want, got)
		}
	}
}
