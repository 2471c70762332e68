// Package fill fills a database of one's own with a calendar of any size, to measure the service on: events over twenty
// years with their venues, organizers, categories, tags and pictures, in the rows that writes through the service would
// have stored.
//
// What an event is follows from the seed and its number alone, so nothing has to be remembered between two events, a
// filling that was cut short continues where it stopped, and a larger calendar begins with the events of a smaller one.
package fill
