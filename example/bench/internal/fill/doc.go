// Package fill fills a dedicated database with a calendar of any size, to measure the service on: events over twenty
// years with their venues, organizers, categories, tags and images, in the rows that writes through the service would
// have stored.
//
// An event depends only on the seed and its number, so there is no state between two events, an interrupted filling
// continues where it stopped, and a larger calendar begins with the events of a smaller one.
package fill
