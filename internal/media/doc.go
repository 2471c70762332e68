// Package media fetches, checks and stores images whose URLs are given in write requests. It fetches them without
// giving clients access to the server's own network (SSRF), and stores them with smaller sizes in WordPress's uploads
// directory, with the file names and metadata that WordPress expects.
//
// An *Error means that the image or its URL is invalid, which is the client's mistake. Other errors are failures on our
// side.
package media
