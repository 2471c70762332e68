package measure

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestReadAnswer(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	for name, c := range map[string]struct {
		wire   string
		status int
		body   string
	}{
		"with a length":      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, ""},
		"any letter case":    {"HTTP/1.1 201 Created\r\ncontent-LENGTH:2\r\nX: y\r\n\r\n{}", 201, ""},
		"an error is kept":   {"HTTP/1.1 500 Oh\r\nContent-Length: 5\r\n\r\nhello", 500, "hello"},
		"a long one in part": {"HTTP/1.1 404 No\r\nContent-Length: 70000\r\n\r\n" + long, 404, long[:shownBody]},
		"without body":       {"HTTP/1.1 304 Not Modified\r\nEtag: \"x\"\r\n\r\n", 304, ""},
		"in chunks": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"5\r\nhello\r\n10;x=y\r\n0123456789abcdef\r\n0\r\n\r\n", 200, ""},
		"an error in chunks":     {"HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", 503, "hello"},
		"longer than the buffer": {"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + long, 200, ""},
	} {
		// What follows belongs to the next answer.
		r := bufio.NewReaderSize(strings.NewReader(c.wire+"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 4096)
		a, err := readAnswer(r)
		if err != nil || a.status != c.status || string(a.body) != c.body || a.length != int64(len(c.wire)) {
			t.Errorf("%s: %d, %d bytes, %.20q, %v", name, a.status, a.length, a.body, err)
		}
		if a, err := readAnswer(r); err != nil || a.status != 200 {
			t.Errorf("%s: the next one: %d, %v", name, a.status, err)
		}
		if _, err := readAnswer(r); err != io.EOF {
			t.Errorf("%s: at the end: %v", name, err)
		}
	}
}

func TestReadAnswerRefuses(t *testing.T) {
	for _, wire := range []string{
		"", "HTTP/1.1 200", "nonsense\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\nx", "HTTP/1.1 200 OK\r\n\r\nno length",
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhel\r\n0\r\n\r\n",
	} {
		if a, err := readAnswer(bufio.NewReader(strings.NewReader(wire))); err == nil {
			t.Errorf("%q: %+v", wire, a)
		}
	}
}
