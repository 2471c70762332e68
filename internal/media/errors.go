package media

import "fmt"

// The reasons for which an image is refused. They are stable.
const (
	ReasonURL         = "url"         // no usable http or https URL, or a port that is not allowed
	ReasonAddress     = "address"     // leads to an address that is not public, or hides one
	ReasonUnreachable = "unreachable" // no such host, no connection, no valid answer
	ReasonTimeout     = "timeout"
	ReasonRedirects   = "redirects" // too many
	ReasonStatus      = "status"    // answered with another status than 200
	ReasonSize        = "size"      // too many bytes
	ReasonType        = "type"      // no JPEG, PNG, GIF or WebP
	ReasonPixels      = "pixels"    // too many pixels, or a side too long
	ReasonBroken      = "broken"    // cannot be decoded
)

var reasonTexts = map[string]string{
	ReasonURL:         "the URL is not one that images are fetched from",
	ReasonAddress:     "the address is not a public one",
	ReasonUnreachable: "the address cannot be reached",
	ReasonTimeout:     "the address took too long to answer",
	ReasonRedirects:   "too many redirects",
	ReasonStatus:      "the address does not answer with the image",
	ReasonSize:        "the file is too large",
	ReasonType:        "the file is no JPEG, PNG, GIF or WebP image",
	ReasonPixels:      "the image has too many pixels",
	ReasonBroken:      "the image is damaged",
}

// Error says why an image was refused. Its message tells nothing about the
// network it was looked for in; what it unwraps to may, and is for logs only.
type Error struct {
	Reason string // one of the Reason constants
	cause  error
}

// Error returns an English sentence without internals.
func (e *Error) Error() string {
	text := reasonTexts[e.Reason]
	if text == "" {
		text = e.Reason
	}
	return "media: " + text
}

// Unwrap returns what was met, nil if the reason says it all.
func (e *Error) Unwrap() error { return e.cause }

func refuse(reason string) *Error { return &Error{Reason: reason} }

func refuseFor(reason string, cause error) *Error { return &Error{Reason: reason, cause: cause} }

func failed(doing string, err error) error { return fmt.Errorf("media: %s: %w", doing, err) }
