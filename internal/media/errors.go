package media

import (
	"cmp"
	"fmt"
	"net/netip"
)

// The reasons why an image is rejected. They do not change between releases.
const (
	reasonURL         = "url"         // not an absolute http or https URL that can be used
	reasonPort        = "port"        // the port is not allowed for the address
	reasonAddress     = "address"     // the host is, or resolves to, an address that is not public
	reasonUnreachable = "unreachable" // the host does not exist, does not accept connections, or sends an invalid response
	reasonTimeout     = "timeout"
	reasonRedirects   = "redirects" // too many redirects
	reasonStatus      = "status"    // the response has another status than 200
	reasonSize        = "size"      // the file has too many bytes
	reasonType        = "type"      // not a JPEG, PNG, GIF or WebP file
	reasonPixels      = "pixels"    // too many pixels, or one side is too long
	reasonScans       = "scans"     // a JPEG with too many scans
	// Decoding needs too much memory: of a progressive JPEG, and of any other image.
	reasonProgressive = "progressive"
	reasonWork        = "work"
	reasonBroken      = "broken" // the file cannot be decoded
)

// reasons are the sentence and the id of the message that clients get, by reason.
var reasons = map[string]struct{ text, fault string }{
	reasonURL:         {"images are not fetched from this URL", "fault_image_url"},
	reasonPort:        {"images are not fetched from this port", "fault_image_url"},
	reasonAddress:     {"the address is not public", "fault_image_address"},
	reasonUnreachable: {"the address cannot be reached", "fault_image_unreachable"},
	reasonTimeout:     {"the address took too long to answer", "fault_image_timeout"},
	reasonRedirects:   {"too many redirects", "fault_image_redirects"},
	reasonStatus:      {"the address does not return an image", "fault_image_status"},
	reasonSize:        {"the file is too large", "fault_image_size"},
	reasonType:        {"the file is not a JPEG, PNG, GIF or WebP image", "fault_image_type"},
	reasonPixels:      {"the image has too many pixels", "fault_image_pixels"},
	reasonScans:       {"the image has too many scans", "fault_image_scans"},
	reasonProgressive: {"the progressive image takes too much memory to decode", "fault_image_progressive"},
	reasonWork:        {"the image takes too much memory to decode", "fault_image_work"},
	reasonBroken:      {"the image is damaged", "fault_image_broken"},
}

// Error says why an image was rejected. Its message reveals nothing of the server's network. Its cause may, so it is
// for logs only.
type Error struct {
	Reason string // one of the reason constants

	// To is the address that was not allowed, as far as it is known. Like the cause, it is for logs only.
	To netip.AddrPort

	Values []any // pairs of name and value for the message's template

	cause error
}

// OfNetwork reports whether adding the address to Fetcher.Networks would allow it.
func (e *Error) OfNetwork() bool { return e.Reason == reasonAddress || e.Reason == reasonPort }

// Error returns an English sentence without internal details.
func (e *Error) Error() string {
	return "media: " + cmp.Or(reasons[e.Reason].text, e.Reason)
}

// Fault returns the id of the message that explains the reason to the client.
func (e *Error) Fault() string { return reasons[e.Reason].fault }

// Unwrap returns the cause, or nil if there is none.
func (e *Error) Unwrap() error { return e.cause }

// about sets the values for the message's template.
func (e *Error) about(values ...any) *Error {
	e.Values = values
	return e
}

func refuse(reason string) *Error { return &Error{Reason: reason} }

func refuseTo(reason string, to netip.AddrPort) *Error { return &Error{Reason: reason, To: to} }

func refuseFor(reason string, cause error) *Error { return &Error{Reason: reason, cause: cause} }

func failed(doing string, err error) error { return fmt.Errorf("media: %s: %w", doing, err) }
