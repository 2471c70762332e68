package calendar

import (
	"net/netip"
	"time"
)

// Uploads is where images are stored: in directories YYYY/MM, as WordPress does. Without Dir and BaseURL, writes that
// supply an image by an address or as a file are rejected.
type Uploads struct {
	// Dir is the directory of uploads. It must exist.
	Dir string

	// BaseURL is the public address of Dir. It should be the site's own address of uploads, below which reads show
	// images.
	BaseURL string

	// MaxBytes is the maximal size of an image file in bytes, MaxPixels the maximal product of its width and height,
	// and MaxDecodedBytes the maximal memory for its pixels, in bytes, for all frames of an animation together: a pixel
	// takes one byte in a GIF, four in a PNG in colour, and one and a half to three in a JPEG. Each limit applies by
	// itself. Defaults: 10 MiB, 40 million, 64 MiB.
	MaxBytes, MaxPixels, MaxDecodedBytes int64

	// Timeout limits the time of downloading an image. Default 15 s.
	Timeout time.Duration

	// Allow reports whether images may be downloaded from a network address. Default: only from public addresses. It is
	// for images on an intranet, and for tests.
	Allow func(netip.Addr) bool

	// Ports are the ports that the address of an image may contain. Default 80 and 443.
	Ports []uint16
}
