package compress

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// coding is a form in which answers are compressed.
type coding struct {
	name     string
	encoders sync.Pool // since each has up to a megabyte of tables
}

// encoder writes what is compressed.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

// codings are those that clients may choose from, in the order of our own preference. Brotli is none of them: the library that has the
// others does not have it.
var codings = []*coding{
	{name: "zstd", encoders: sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic(err) // the options are constants
		}
		return e
	}}},
	{name: "gzip", encoders: sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			panic(err) // the level is a constant
		}
		return w
	}}},
}

// encoder returns one that writes to w.
func (c *coding) encoder(w io.Writer) encoder {
	e := c.encoders.Get().(encoder)
	e.Reset(w)
	return e
}

// release takes an encoder back.
func (c *coding) release(e encoder) {
	e.Reset(nil)
	c.encoders.Put(e)
}

// suffix ends the validators of answers in this form. A weak validator in its place would make If-Match of every client fail, and the same
// one would let a cache mix two forms.
func (c *coding) suffix() string { return "-" + c.name + `"` }

// tag returns the validator of the compressed form of an answer.
func (c *coding) tag(tag string) string { return strings.TrimSuffix(tag, `"`) + c.suffix() }

// choice is the form that a client wants.
type choice struct {
	best *coding // nil for answers as they are
	must bool    // answers as they are, it refuses
}

// nothing reports whether the client takes no form that there is.
func (c choice) nothing() bool { return c.must && c.best == nil }

// choose reads Accept-Encoding, as RFC 9110 describes it in section 12.5.3. What a client does not name it takes least of all as it is.
// Of all codings that "*" stands for, it is sure to know gzip alone.
func choose(header []string) (c choice) {
	weights := map[string]float64{}
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if name = strings.ToLower(strings.TrimSpace(name)); name == "" {
			continue
		}
		weights[strings.TrimPrefix(name, "x-")] = weight(parameters)
	}
	others, all := weights["*"]
	identity, named := weights["identity"]
	c.must = named && identity == 0 || !named && all && others == 0
	best := identity
	for _, one := range codings {
		w, given := weights[one.name]
		if !given && one.name == "gzip" {
			w = others
		}
		if w > 0 && (w > best || c.best == nil && w == best) {
			c.best, best = one, w
		}
	}
	return c
}

// weight reads the parameters of a coding: one that cannot be read is refused.
func weight(parameters string) float64 {
	q, given := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q=")
	if !given {
		return 1
	}
	w, err := strconv.ParseFloat(q, 64)
	if err != nil || w < 0 || w != w {
		return 0
	}
	return min(w, 1)
}
