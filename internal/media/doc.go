// Package media takes in the images that a write request gives by URL: it
// fetches one from the internet without letting the request look into the
// network of the server, and stores it with its smaller versions in the
// directory of uploads, under the names and with the metadata that the site's
// other programs expect.
//
// What is wrong with the image or its address is an *Error, the caller's
// mistake; every other error is a failure of this side.
package media
