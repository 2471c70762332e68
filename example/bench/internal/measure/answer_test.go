package measure

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestReadAnswer(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	values := strings.NewReplacer("{long}", long, "{shown}", long[:shownBody])
	golden.Each(t, "answers.txt", func(name, wire string, status int, body string) {
		wire, body = values.Replace(wire), values.Replace(body)
		// What follows belongs to the next answer.
		r := bufio.NewReaderSize(strings.NewReader(wire+"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 4096)
		a, err := readAnswer(r)
		if err != nil || a.status != status || string(a.body) != body || a.length != int64(len(wire)) {
			t.Errorf("%s: %d, %d bytes, %.20q, %v", name, a.status, a.length, a.body, err)
		}
		if a, err := readAnswer(r); err != nil || a.status != 200 {
			t.Errorf("%s: the next one: %d, %v", name, a.status, err)
		}
		if _, err := readAnswer(r); err != io.EOF {
			t.Errorf("%s: at the end: %v", name, err)
		}
	})
}

func TestReadAnswerRefuses(t *testing.T) {
	golden.Each(t, "refused-answers.txt", func(wire string) {
		if a, err := readAnswer(bufio.NewReader(strings.NewReader(wire))); err == nil {
			t.Errorf("%q: %+v", wire, a)
		}
	})
}
