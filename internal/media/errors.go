package media

import (
	"fmt"
	"net/netip"
)

// The reasons for a refused image. They are stable.
const (
	reasonURL         = "url"         // no usable http or https URL
	reasonPort        = "port"        // a port that is not allowed at its address
	reasonAddress     = "address"     // leads to an address that is not public, or is such an address
	reasonUnreachable = "unreachable" // no such host, no connection, no valid answer
	reasonTimeout     = "timeout"
	reasonRedirects   = "redirects" // too many
	reasonStatus      = "status"    // answered with another status than 200
	reasonSize        = "size"      // too many bytes
	reasonType        = "type"      // no JPEG, PNG, GIF or WebP
	reasonPixels      = "pixels"    // too many pixels, or a side too long
	reasonScans       = "scans"     // a JPEG of too many scans
	// The memory for decoding it, of a progressive JPEG, and of any other picture.
	reasonProgressive = "progressive"
	reasonWork        = "work"
	reasonBroken      = "broken" // cannot be decoded
)

var reasonTexts = map[string]string{
	reasonURL:         "the URL is not one that images are fetched from",
	reasonPort:        "the port is not one that images are fetched from",
	reasonAddress:     "the address is not a public one",
	reasonUnreachable: "the address cannot be reached",
	reasonTimeout:     "the address took too long to answer",
	reasonRedirects:   "too many redirects",
	reasonStatus:      "the address does not answer with the image",
	reasonSize:        "the file is too large",
	reasonType:        "the file is no JPEG, PNG, GIF or WebP image",
	reasonPixels:      "the image has too many pixels",
	reasonScans:       "the image has too many scans",
	reasonProgressive: "the progressive image takes too much memory to decode",
	reasonWork:        "the image takes too much memory to decode",
	reasonBroken:      "the image is damaged",
}

// faults are the ids of the texts that say to a caller why an image was refused.
var faults = map[string]string{
	reasonURL:         "fault_image_url",
	reasonPort:        "fault_image_url",
	reasonAddress:     "fault_image_address",
	reasonUnreachable: "fault_image_unreachable",
	reasonTimeout:     "fault_image_timeout",
	reasonRedirects:   "fault_image_redirects",
	reasonStatus:      "fault_image_status",
	reasonSize:        "fault_image_size",
	reasonType:        "fault_image_type",
	reasonPixels:      "fault_image_pixels",
	reasonScans:       "fault_image_scans",
	reasonProgressive: "fault_image_progressive",
	reasonWork:        "fault_image_work",
	reasonBroken:      "fault_image_broken",
}

// Error is the reason why an image was refused. Its message shows nothing of the
// server's network; its cause may, and is for logs only.
type Error struct {
	Reason string // one of the constants above

	// To is the address of the network that was refused, as far as it is known. It is for the operator alone, like the cause.
	To netip.AddrPort

	Values []any // of the text of Fault, in pairs of name and value

	cause error
}

// OfNetwork reports whether a network of one's own (Fetcher.Networks) would have allowed the address.
func (e *Error) OfNetwork() bool { return e.Reason == reasonAddress || e.Reason == reasonPort }

// Error returns an English sentence without internals.
func (e *Error) Error() string {
	text := reasonTexts[e.Reason]
	if text == "" {
		text = e.Reason
	}
	return "media: " + text
}

// Fault returns the id of the text that says the reason to a caller.
func (e *Error) Fault() string { return faults[e.Reason] }

// Unwrap returns the cause, nil if the reason says it all.
func (e *Error) Unwrap() error { return e.cause }

// about adds values for the text.
func (e *Error) about(values ...any) *Error {
	e.Values = values
	return e
}

func refuse(reason string) *Error { return &Error{Reason: reason} }

func refuseTo(reason string, to netip.AddrPort) *Error { return &Error{Reason: reason, To: to} }

func refuseFor(reason string, cause error) *Error { return &Error{Reason: reason, cause: cause} }

func failed(doing string, err error) error { return fmt.Errorf("media: %s: %w", doing, err) }
