package measure

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

// answered is an answer of a server.
type answered struct {
	status int
	length int64  // of head and body
	body   []byte // the beginning, of an error
}

// shownBody is how many bytes of an error are stored.
const shownBody = 300

var (
	errAnswer = errors.New("the server does not send HTTP")

	headLength  = []byte("content-length")
	headCoding  = []byte("transfer-encoding")
	chunked     = []byte("chunked")
	protocol    = []byte("HTTP/1.1 ")
	minimalHead = len("HTTP/1.1 200")
)

// readAnswer reads an answer and discards its body, except for the beginning of an error. It does not parse the header
// into a map, since clients and servers share the processors.
func readAnswer(r *bufio.Reader) (a answered, err error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return a, err
	}
	if len(line) < minimalHead || !bytes.HasPrefix(line, protocol) {
		return a, errAnswer
	}
	if a.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return a, errAnswer
	}
	a.length = int64(len(line))
	length, inChunks := int64(-1), false
	for {
		if line, err = r.ReadSlice('\n'); err != nil {
			return a, err
		}
		a.length += int64(len(line))
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		if len(name) == len(headLength) && bytes.EqualFold(name, headLength) {
			if length, err = strconv.ParseInt(string(value), 10, 64); err != nil || length < 0 {
				return a, errAnswer
			}
		} else if len(name) == len(headCoding) && bytes.EqualFold(name, headCoding) {
			inChunks = bytes.EqualFold(value, chunked)
		}
	}
	switch {
	case a.status == 304 || a.status == 204:
		return a, nil
	case inChunks:
		return a, a.chunks(r)
	case length < 0:
		return a, errAnswer
	}
	return a, a.readBody(r, length)
}

// chunks reads a body with the chunked transfer coding.
func (a *answered) chunks(r *bufio.Reader) error {
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		a.length += int64(len(line))
		size, _, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(";"))
		n, err := strconv.ParseInt(string(size), 16, 64)
		if err != nil || n < 0 {
			return errAnswer
		}
		if err := a.readBody(r, n); err != nil {
			return err
		}
		if line, err = r.ReadSlice('\n'); err != nil || len(bytes.TrimRight(line, "\r\n")) > 0 {
			return errors.Join(errAnswer, err)
		}
		a.length += int64(len(line))
		if n == 0 {
			return nil
		}
	}
}

// readBody reads n bytes of the body.
func (a *answered) readBody(r *bufio.Reader, n int64) error {
	a.length += n
	if room := int64(shownBody - len(a.body)); a.status >= 400 && room > 0 {
		part := make([]byte, min(room, n))
		if _, err := io.ReadFull(r, part); err != nil {
			return err
		}
		a.body = append(a.body, part...)
		n -= int64(len(part))
	}
	_, err := io.CopyN(io.Discard, r, n)
	return err
}
