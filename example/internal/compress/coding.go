package compress

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// coding is a content coding with which answers are compressed.
type coding struct {
	name     string
	encoders sync.Pool // pooled, because each encoder has up to a megabyte of tables
}

// encoder compresses what is written to it.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

// codings lists the codings from which clients may choose, in the server's order of preference. Brotli is missing
// because the library with the other codings does not have it.
var codings = []*coding{
	{name: "zstd", encoders: sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic(err) // cannot happen: the options are constants
		}
		return e
	}}},
	{name: "gzip", encoders: sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			panic(err) // cannot happen: the level is a constant
		}
		return w
	}}},
}

// encoder returns an encoder that writes to w.
func (c *coding) encoder(w io.Writer) encoder {
	e := c.encoders.Get().(encoder)
	e.Reset(w)
	return e
}

// release returns an encoder to the pool.
func (c *coding) release(e encoder) {
	e.Reset(nil)
	c.encoders.Put(e)
}

// suffix is the end of the ETags of answers with this coding. A weak ETag instead would make the If-Match of every
// client fail, and an unchanged one would let a cache mix the codings.
func (c *coding) suffix() string { return "-" + c.name + `"` }

// tag returns the ETag of the compressed form of an answer.
func (c *coding) tag(tag string) string { return strings.TrimSuffix(tag, `"`) + c.suffix() }

// choice is the coding that a client prefers.
type choice struct {
	best *coding // nil for uncompressed answers
	must bool    // the client refuses uncompressed answers
}

// nothing reports whether the client accepts none of the available codings.
func (c choice) nothing() bool { return c.must && c.best == nil }

// chooseCoding parses Accept-Encoding according to RFC 9110, section 12.5.3. If the client does not mention identity, it is
// preferred least. Of all codings that "*" includes, the client is only certain to know gzip.
func chooseCoding(header []string) (c choice) {
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

// weight parses the parameters of a coding. An invalid weight counts as 0.
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
