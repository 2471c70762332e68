package exchange

import (
	"bufio"
	"io"
	"os"
)

// bufferInFile calls write with a temporary file, then read with its content.
func bufferInFile(write func(io.Writer) error, read func(io.Reader) error) error {
	f, err := os.CreateTemp("", "agenda-export-*")
	if err != nil {
		return err
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return read(f)
}

// spool is an input that can be read twice: a file, or a temporary copy of anything else.
type spool struct {
	io.ReadSeeker
	start int64 // offset at which the source begins
	temp  *os.File
}

// spoolOf returns a spool of r, positioned at its beginning.
func spoolOf(r io.Reader) (*spool, error) {
	if seeker, ok := r.(io.ReadSeeker); ok {
		// A pipe has a Seek method too, but that fails.
		if at, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			return &spool{ReadSeeker: seeker, start: at}, nil
		}
	}
	temp, err := os.CreateTemp("", "agenda-import-")
	if err != nil {
		return nil, err
	}
	s := &spool{ReadSeeker: temp, temp: temp}
	if _, err = io.Copy(temp, r); err == nil {
		err = s.rewind()
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// rewind seeks back to the beginning.
func (s *spool) rewind() error {
	_, err := s.Seek(s.start, io.SeekStart)
	return err
}

// Close removes the temporary file.
func (s *spool) Close() error {
	if s == nil || s.temp == nil {
		return nil
	}
	err := s.temp.Close()
	if removed := os.Remove(s.temp.Name()); err == nil {
		err = removed
	}
	s.temp = nil
	return err
}
