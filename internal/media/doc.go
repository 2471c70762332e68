// Package media fetches and stores the images that a write request gives by URL. It
// fetches them from the internet without giving the request access to the server's
// network, and stores them with smaller versions in the directory of uploads, under
// the names and with the metadata that the site's other programs expect.
//
// An *Error means that the image or its address is wrong, which is the caller's
// mistake; other errors are failures of this side.
package media
