package calendar

import (
	"net/netip"
	"time"
)

// Uploads is where images are stored, as the site stores them: under YYYY/MM.
// Without Dir and BaseURL a write that gives an image by an address or as a file is
// refused.
type Uploads struct {
	// Dir is the directory of uploads; it has to exist.
	Dir string

	// BaseURL is its public address. Reads show images below the site's own
	// address of uploads, so it should be that.
	BaseURL string

	// MaxBytes bounds an image's file, MaxPixels its width times its height, and
	// MaxDecodedBytes what its pixels take in memory, those of all frames of an
	// animation together: a byte of a GIF, four of a PNG in colour, one and a half
	// to three of a JPEG. Each holds by itself. Defaults 10 MiB, 40 million, 64 MiB.
	MaxBytes, MaxPixels, MaxDecodedBytes int64

	// Timeout bounds the fetching of an image. Default 15 s.
	Timeout time.Duration

	// Allow reports whether images may be fetched from an address of the network.
	// Default: from public ones only. It is for images on an intranet, and for
	// tests.
	Allow func(netip.Addr) bool

	// Ports are those that the address of an image may name. Default 80 and 443.
	Ports []uint16
}

// sweepUploads removes the unfinished images of processes that were killed.
func (u upkeep) sweepUploads() {
	if u.calendar.env.Content.Uploads == nil || u.calendar.ReadOnly() {
		return
	}
	n, err := u.calendar.env.Content.Uploads.Sweep(time.Now()) // the age of files goes by the machine's clock
	if err != nil {
		u.calendar.options.Logger.Warn("unfinished images could not be removed", "error", err)
	}
	if n > 0 {
		u.calendar.options.Logger.Info("unfinished images of an earlier process were removed", "count", n)
	}
}
