package charset

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/agendahq/agenda/internal/test/must"
)

func TestCharsets(t *testing.T) {
	const text = "Fête, 10 €: 日本 😀"
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy, s string) string {
		return must.Get(unicode.UTF16(order, mark).NewEncoder().String(s))(t)
	}
	for in, want := range map[string]string{
		"": "", "a": "a", text: text, "\xEF\xBB\xBF" + text: text, "\xEF\xBB": "ï»",
		wide(unicode.LittleEndian, unicode.UseBOM, text):    text,
		wide(unicode.BigEndian, unicode.UseBOM, text):       text,
		wide(unicode.LittleEndian, unicode.IgnoreBOM, text): text,
		wide(unicode.BigEndian, unicode.IgnoreBOM, text):    text,
		"F\xEAte, 10 \x80":       "Fête, 10 €",
		"F\xEAte, fête, 10 \x80": "Fête, fête, 10 €", // both encodings in one line
	} {
		read, err := io.ReadAll(NewReader(strings.NewReader(in)))
		if got := String(read); err != nil || got != want || !utf8.ValidString(got) {
			t.Errorf("%q: %q %v, want %q", in, got, err, want)
		}
	}
}
